import { ALLOWED } from '../../consent/index.ts'
import type { SpendVerdict } from '@placard/decision-engine'
import type { BudgetBook, CampaignTerms } from '../../budgets/index.ts'
import type { CapKey, Counters, UserCounts } from '../../frequency/index.ts'
import type { Reader, Readers } from '../readers/reader.ts'
import type { DecisionRecord, Recorder } from '../records/recorder.ts'

/** Plain stand-ins for the ports: a test sees what they were asked. */

export interface PlainBudgets extends BudgetBook {
  readonly terms: Map<number, CampaignTerms>
  readonly heldMicros: Map<number, number>
  /** Campaigns whose next reservations are refused, whatever the verdict was. */
  readonly refusing: Set<number>
  readonly spent: Map<number, number>
}

export function plainBudgets(): PlainBudgets {
  const terms = new Map<number, CampaignTerms>()
  const heldMicros = new Map<number, number>()
  const spent = new Map<number, number>()
  const refusing = new Set<number>()
  const reservations = new Map<string, { campaignKey: number; costMicros: number }>()
  const used = (key: number) => (spent.get(key) ?? 0) + (heldMicros.get(key) ?? 0)
  const judgeSpend = (key: number, costMicros: number): SpendVerdict =>
    used(key) + costMicros > (terms.get(key)?.dailyMicros ?? Infinity) ? 'exhausted' : 'may-spend'
  const giveBack = (id: string) => {
    const { campaignKey, costMicros } = reservations.get(id)!
    heldMicros.set(campaignKey, heldMicros.get(campaignKey)! - costMicros)
    return reservations.delete(id)
  }
  return {
    terms,
    heldMicros,
    spent,
    refusing,
    isFull: false,
    putAdvertiser() {},
    putCampaign: (campaign) => void terms.set(campaign.campaignKey, campaign),
    removeCampaign: (key) => void terms.delete(key),
    expectCost() {},
    judgeSpend,
    utilisation: (key) => used(key) / (terms.get(key)?.dailyMicros ?? Infinity),
    reserve({ campaignKey, costMicros }) {
      if (refusing.has(campaignKey) || judgeSpend(campaignKey, costMicros) !== 'may-spend') {
        return undefined
      }
      const id = `reservation ${reservations.size + 1}`
      reservations.set(id, { campaignKey, costMicros })
      heldMicros.set(campaignKey, (heldMicros.get(campaignKey) ?? 0) + costMicros)
      return { id, campaignKey, costMicros, day: 0 }
    },
    confirm: giveBack,
    release: giveBack,
    charge: ({ campaignKey, micros }) => void spent.set(campaignKey, used(campaignKey) + micros),
    restore() {},
    sweep: () => 0,
    findCampaign: () => undefined,
    snapshot: notAsked,
  }
}

const notAsked = (): never => {
  throw new Error('serving does not ask for this')
}

export interface PlainCounters extends Counters {
  /** Impressions by user and cap, held ones included. */
  readonly counts: Map<string, number>
}

const nameOf = (user: string, { scope, key, window }: Omit<CapKey, 'impressionsMax'>) =>
  `${user} ${scope} ${key} ${window}`

export function plainCounters(): PlainCounters {
  const counts = new Map<string, number>()
  const holds = new Map<string, readonly string[]>()
  const read = (user: string): UserCounts => ({
    seen: (scope, key, window) => counts.get(nameOf(user, { scope, key, window })) ?? 0,
    hold(caps) {
      const names = caps.map((cap) => nameOf(user, cap))
      const isFull = caps.some((cap, at) => (counts.get(names[at]!) ?? 0) >= cap.impressionsMax)
      if (isFull) return undefined
      for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1)
      const id = `hold ${holds.size + 1}`
      holds.set(id, names)
      return { id }
    },
  })
  return {
    counts,
    read,
    prolong() {},
    forget: notAsked,
    restore() {},
    release(id) {
      for (const name of holds.get(id)!) counts.set(name, counts.get(name)! - 1)
      holds.delete(id)
    },
  }
}

/** Counters behind a network: a user's counts are out of date when they arrive. */
export function distantCounters(near: PlainCounters): PlainCounters {
  return {
    ...near,
    async read(user) {
      const counts = await near.read(user)
      const snapshot = new Map(near.counts)
      return {
        seen: (scope, key, window) => snapshot.get(nameOf(user, { scope, key, window })) ?? 0,
        hold: async (caps, holdMs) => counts.hold(caps, holdMs),
      }
    },
    async release(id) {
      await near.release(id)
    },
  }
}

/** Believes a trusted caller's context, and uses the user id as the key. */
export const plainReaders: Readers = {
  readerOf: (_request, { publisherKey, userId, context, isTrusted }): Reader => ({
    context: isTrusted ? (context ?? {}) : {},
    userKey: userId,
    permissions: ALLOWED,
    publisherKey,
    deviceSessionId: undefined,
    holder: undefined,
  }),
}

export interface PlainRecorder extends Recorder {
  readonly records: DecisionRecord[]
}

export function plainRecorder(): PlainRecorder {
  const records: DecisionRecord[] = []
  return { records, record: (record) => void records.push(record), flush: async () => {} }
}

import type { TrialMinute } from '@placard/learning'
import type { Database } from '../../../platform/database/connect.ts'
import type { AgentCampaign } from './bid-plan.ts'
import type { AdRates } from '../models/ad-rates.ts'
import { actsInMinute } from './bid-agents.ts'
import { type BudgetDay, daysBefore } from './budget-day.ts'
import { auctionsOf, deliveredShareOf, type SeenAuction, windowAt } from './past-day.ts'
import { listCharged, listWins, type Span } from './reads-agents.ts'
import { listWonMinutes, sampleAuctions, type WonMinute } from './reads-past.ts'
import type { AgentRow } from './store-agents.ts'
import { addPastDay, listKeptDays, listWindows, type WindowRow } from './store-windows.ts'

/** Auctions per day that are kept for replay. */
const AUCTIONS_PER_DAY = 5_000
const MINUTE_MS = 60_000

interface CampaignOnDay {
  readonly campaign: AgentCampaign
  readonly day: BudgetDay
}

/**
 * Makes sure that the recent days of these campaigns are kept: one pass over each day for all of
 * them.
 */
export async function keepDays(
  db: Database,
  campaigns: readonly AgentCampaign[],
  { nowMs, days, rates }: Keeping,
): Promise<void> {
  const withTarget = campaigns.filter(({ targetMicros }) => targetMicros !== null)
  const kept = await listKeptDays(db, keysOf(campaigns), rates ? keysOf(withTarget) : [])
  const missing = campaigns.flatMap((campaign) =>
    daysBefore(campaign.timeZone, nowMs, days)
      .filter(({ day }) => !kept.has(`${campaign.campaignKey} ${day}`))
      .map((day) => ({ campaign, day })),
  )
  for (const together of bySpan(missing).values()) await keepDay(db, together, rates)
}

interface Keeping {
  readonly nowMs: number
  readonly days: number
  /** Predicts the conversions of campaigns with a target; undefined while the model is not sound. */
  readonly rates?: AdRates | undefined
}

/** Campaigns whose day starts and ends at the same time. */
const bySpan = <One extends CampaignOnDay>(all: readonly One[]): Map<string, One[]> =>
  Map.groupBy(all, ({ day }) => `${day.startMs} ${day.endMs}`)

const spanOf = ({ startMs, endMs }: BudgetDay): Span => ({
  from: new Date(startMs),
  to: new Date(endMs),
})

async function keepDay(
  db: Database,
  together: readonly CampaignOnDay[],
  rates: AdRates | undefined,
): Promise<void> {
  const span = spanOf(together[0]!.day)
  const keys = together.map(({ campaign }) => campaign.campaignKey)
  const hasScenes =
    rates !== undefined && together.some(({ campaign }) => campaign.targetMicros !== null)
  const sampling = { ...span, campaignKeys: keys, limit: AUCTIONS_PER_DAY, hasScenes }
  const sampled = await sampleAuctions(db, sampling)
  const wins = Map.groupBy(await listWins(db, span, keys), ({ campaignKey }) => campaignKey)
  const charged = Map.groupBy(await listCharged(db, span, keys), ({ campaignKey }) => campaignKey)
  for (const { campaign, day } of together) {
    const { campaignKey, pricing, isTargeted } = campaign
    const { seen: drawn, count } = sampled.get(campaignKey)!
    const seen = rates && campaign.targetMicros !== null ? predicted(campaign, drawn, rates) : drawn
    const spentMicros = sum((charged.get(campaignKey) ?? []).map((one) => one.charged))
    const expected = sum((wins.get(campaignKey) ?? []).map((one) => one.expected))
    await addPastDay(db, campaignKey, {
      day: day.day,
      auctions: auctionsOf(seen, { campaignKey, pricing, isTargeted, startMs: day.startMs }),
      sampledShare: count === 0 ? 1 : seen.length / count,
      deliveredShare: deliveredShareOf(spentMicros, expected),
      spentMicros,
      conversionRates: conversionRatesOf(seen),
    })
  }
}

/** With what the models say of the campaign in each auction, also where it did not bid. */
function predicted(
  { campaignKey, adKey, format }: AgentCampaign,
  seen: readonly SeenAuction[],
  rates: AdRates,
): readonly SeenAuction[] {
  const ad = { adKey, campaignKey, format }
  return seen.map(({ scene, ...one }) => {
    if (scene === undefined) return one
    const at = { ...scene, atMs: one.atMs }
    const conversionRate = rates.conversionRate(at, ad)
    return { ...one, clickRate: rates.clickRate(at, ad), conversionRate }
  })
}

/** In the order of the kept auctions; undefined if they were not predicted. */
function conversionRatesOf(seen: readonly SeenAuction[]): Float64Array | undefined {
  if (seen[0]?.conversionRate === undefined) return undefined
  const inOrder = seen.toSorted((a, b) => a.atMs - b.atMs)
  return Float64Array.from(inOrder, ({ conversionRate = 0 }) => conversionRate)
}

const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0)

/** What the trials and bases of these campaigns really did yesterday, by minute. */
export async function listTrialMinutes(
  db: Database,
  due: readonly { readonly campaign: AgentCampaign; readonly agent: AgentRow }[],
  nowMs: number,
): Promise<ReadonlyMap<number, readonly TrialMinute[]>> {
  const onTrial = due
    .filter(({ agent: { state } }) => state.share > 0 && state.share < 1)
    .map((one) => ({ ...one, day: daysBefore(one.campaign.timeZone, nowMs, 1)[0]! }))
  const found = new Map<number, readonly TrialMinute[]>()
  for (const together of bySpan(onTrial).values()) {
    const { day } = together[0]!
    const keys = together.map(({ campaign }) => campaign.campaignKey)
    const won = Map.groupBy(await listWonMinutes(db, spanOf(day), keys), (one) => one.campaignKey)
    for (const { agent } of together) {
      const { campaignKey } = agent
      const windows = await listWindows(db, { campaignKey, day: day.day })
      const shares = new Map(
        windows
          .filter(({ trial, base }) => trial === agent.state.trial && base === agent.state.base)
          .map((one) => [one.window, one]),
      )
      const minutes = (won.get(campaignKey) ?? []).flatMap((one) => trialMinute(one, day, shares))
      found.set(campaignKey, minutes)
    }
  }
  return found
}

/** Which policy had the minute, and with which probability. Undefined if no trial was on. */
function trialMinute(
  { campaignKey, minute, value, spend }: WonMinute,
  { startMs }: BudgetDay,
  windows: ReadonlyMap<number, WindowRow>,
): TrialMinute[] {
  const share = windows.get(windowAt(startMs, minute * MINUTE_MS))?.share ?? 0
  if (share <= 0 || share >= 1) return []
  const isTrial = actsInMinute(campaignKey, minute, share)
  return [{ isTrial, probability: isTrial ? share : 1 - share, value, spend }]
}

const keysOf = (campaigns: readonly AgentCampaign[]): number[] =>
  campaigns.map(({ campaignKey }) => campaignKey)

import type { ClientBase } from 'pg'
import type { Ids } from '../../platform/ids.ts'
import {
  lockAccounts,
  noteExhausted,
  type Payer,
  payerName,
  postEntries,
} from '../budgets/index.ts'
import {
  type AccountsByPayer,
  billAll,
  type Billed,
  billInOrder,
  entriesOf,
  fitsWhole,
  usedUp,
} from './billing.ts'
import { DeliverySums } from './delivery.ts'
import { EVENT_KINDS, type TrackedEvent } from './event.ts'
import { countsForCaps, sumCounts } from './frequency.ts'
import { judgeClick } from './quality.ts'
import {
  addSeenKeys,
  type BilledEvent,
  impressionIdOf,
  insertEvents,
  listImpressionTimes,
  listStored,
} from './store-events.ts'
import {
  addBatch,
  addDeliverySums,
  addFrequencyCounts,
  beginBatch,
  listCapTargets,
} from './store-sums.ts'

export interface BatchTerms {
  readonly node: string
  readonly at: Date
  readonly ids: Ids
  /** After a failure it is not known whether the try before was stored: then repeats are no news. */
  readonly countsRepeats: boolean
}

export interface SettledBatch {
  readonly fresh: readonly BilledEvent[]
  readonly repeats: number
}

/**
 * Counts and charges a batch in one transaction, each event once. The accounts are locked before
 * anything is stored: whoever brings the same event has the same payer, and waits.
 */
export async function settleBatch(
  client: ClientBase,
  events: readonly TrackedEvent[],
  terms: BatchTerms,
): Promise<SettledBatch> {
  await beginBatch(
    client,
    events.map(({ occurredAtMs }) => occurredAtMs),
  )
  const known = await withoutSeen(client, onceEach(events), terms.at)
  const labelled = await labelClicks(client, known)
  const accounts = await lockAccounts(client, payersOf(labelled))
  const { rows, full } = await bill(client, labelled, accounts)
  const { fresh, batchId } = await store(client, rows, terms)
  const entries = entriesOf(fresh, accounts)
  await postEntries(client, { entries, batchId, at: terms.at })
  await addDeliverySums(client, sumsOf(fresh, terms.countsRepeats ? repeatsIn(events, fresh) : []))
  await countForCaps(client, fresh)
  await noteExhausted(client, { accounts: [...full, ...usedUp(entries, accounts)], ...terms })
  await client.query('commit')
  return { fresh, repeats: events.length - fresh.length }
}

async function store(client: ClientBase, rows: readonly BilledEvent[], { node, at }: BatchTerms) {
  const decisionDays = [...new Set(rows.map(({ event }) => event.decisionDay))]
  const batchId = await addBatch(client, { node, at, events: rows.length, decisionDays })
  const fresh: BilledEvent[] = []
  for (const kind of EVENT_KINDS) {
    const ofKind = rows.filter(({ event }) => event.kind === kind)
    if (ofKind.length === 0) continue
    for (const row of await insertEvents(client, { kind, rows: ofKind, batchId })) fresh.push(row)
  }
  return { fresh, batchId }
}

function sumsOf(fresh: readonly BilledEvent[], repeats: readonly TrackedEvent[]) {
  const sums = new DeliverySums()
  for (const row of fresh) sums.add(row)
  for (const event of repeats) sums.addRepeat(event)
  return sums.list()
}

function onceEach(events: readonly TrackedEvent[]): TrackedEvent[] {
  const ids = new Set<string>()
  const isNew = (id: string) => ids.size < ids.add(id).size
  return events.filter(({ eventId, seenKey }) => isNew(eventId) && (!seenKey || isNew(seenKey)))
}

async function withoutSeen(client: ClientBase, events: readonly TrackedEvent[], at: Date) {
  const keys = events.flatMap(({ seenKey }) => seenKey ?? [])
  if (keys.length === 0) return events
  const unseen = await addSeenKeys(client, keys, at)
  return events.filter(({ seenKey }) => !seenKey || unseen.has(seenKey))
}

/** Only here it is known whether a click had its impression: stored before, or in the same batch. */
async function labelClicks(client: ClientBase, events: readonly TrackedEvent[]) {
  const clicks = events.filter(({ kind, label }) => kind === 'click' && label === 'valid')
  if (clicks.length === 0) return events

  const times = new Map(await listImpressionTimes(client, clicks))
  for (const { kind, eventId, occurredAtMs } of events) {
    if (kind === 'impression' && !times.has(eventId)) times.set(eventId, occurredAtMs)
  }
  const judged = new Set(clicks)
  return events.map((event) => {
    if (!judged.has(event)) return event
    const impressionId = impressionIdOf(event)
    const impressionAtMs = impressionId === undefined ? undefined : times.get(impressionId)
    return { ...event, label: judgeClick(event.occurredAtMs, impressionAtMs) }
  })
}

function payersOf(events: readonly TrackedEvent[]): Payer[] {
  const payers = new Map<number, Payer>()
  for (const { campaignKey, advertiserKey, budgetDay: day } of events) {
    if (campaignKey === undefined || advertiserKey === undefined) continue
    const name = payerName(campaignKey, day)
    if (!payers.has(name)) payers.set(name, { campaignKey, advertiserKey, day })
  }
  return [...payers.values()]
}

/** Repeats take no money, so where it is short they are sorted out first. */
async function bill(
  client: ClientBase,
  events: readonly TrackedEvent[],
  accounts: AccountsByPayer,
): Promise<Billed> {
  if (fitsWhole(events, accounts)) return { rows: billAll(events), full: new Set() }
  const stored = await listStored(client, events)
  return billInOrder(
    events.filter(({ eventId }) => !stored.has(eventId)),
    accounts,
  )
}

function repeatsIn(events: readonly TrackedEvent[], fresh: readonly BilledEvent[]): TrackedEvent[] {
  if (events.length === fresh.length) return []
  const left = new Set(fresh.map(({ event }) => event.eventId))
  return events.filter(({ eventId }) => !left.delete(eventId))
}

async function countForCaps(client: ClientBase, fresh: readonly BilledEvent[]): Promise<void> {
  const seen = fresh.map(({ event }) => event).filter(countsForCaps)
  if (seen.length === 0) return
  const ads = seen.filter(({ source }) => source === 'ad').map(({ winnerKey }) => winnerKey)
  const targets = await listCapTargets(client, {
    ads: distinct(ads),
    campaigns: distinct(seen.map(({ campaignKey }) => campaignKey)),
    advertisers: distinct(seen.map(({ advertiserKey }) => advertiserKey)),
  })
  if (targets.length > 0) await addFrequencyCounts(client, sumCounts(seen, targets))
}

const distinct = (keys: readonly (number | undefined)[]): number[] => [
  ...new Set(keys.filter((key) => key !== undefined)),
]

import { setImmediate as nextLoopIteration } from 'node:timers/promises'
import type { ClientBase } from 'pg'
import { pipelined } from '../../../platform/database/pipelined.ts'
import type { Ids } from '../../../platform/ids.ts'
import {
  listLeaseBalances,
  lockLedgerAccounts,
  publishExhausted,
  type Payer,
  payerName,
  postEntries,
} from '../../budgets/index.ts'
import {
  type AccountsByPayer,
  billAll,
  type Billed,
  billInOrder,
  entriesOf,
  fitsWhole,
  leaseChargesOf,
  usedUp,
} from './billing.ts'
import { delayClicks, isValidClick, judgeClicks } from './clicks.ts'
import { DELIVERY_KINDS, type TrackedEvent } from '../intake/event.ts'
import {
  countName,
  countsForCaps,
  DeliverySums,
  type FrequencyCount,
  sumCounts,
} from './batch-sums.ts'
import {
  addSeenKeys,
  type BilledEvent,
  insertEvents,
  listImpressionTimes,
  listStored,
  payUnvouched,
} from './store-events.ts'
import { addProgress, type ProgressCounts } from './store-progress.ts'
import { deleteStagedBatches, type StagedBatch } from './store-staging.ts'
import {
  addBatch,
  addDeliverySums,
  addFrequencyCounts,
  beginBatch,
  commitBatch,
  listCapTargets,
  listFrequencyCounts,
  notePaid,
} from './store-sums.ts'

export interface BatchTerms {
  readonly node: string
  readonly at: Date
  readonly ids: Ids
  /** False for a retry: the failed attempt may have committed, so its events are not repeats. */
  readonly countsRepeats: boolean
  /** The staged batches that held the events. The transaction deletes them. */
  readonly batches?: readonly StagedBatch[]
}

export interface SettledBatch {
  readonly fresh: readonly BilledEvent[]
  readonly repeats: number
  /** Progress is counted and never charged. */
  readonly progress: ProgressCounts
  /** Committed frequency counts of the users in this batch. */
  readonly seen: readonly FrequencyCount[]
  /** Clicks that stay staged until their impressions are settled. */
  readonly early: number
  /** Clicks that are judged now because too many wait already. */
  readonly earlyRefused: number
}

/**
 * Counts and charges a batch in one transaction, each event once. It locks the ledger accounts
 * before it stores anything. A repeat in another transaction has the same payer, so it waits.
 * Independent statements share a round trip, because round trips dominate the cost of a small
 * batch. If one statement fails, the whole transaction fails.
 */
export async function settleBatch(
  client: ClientBase,
  events: readonly TrackedEvent[],
  terms: BatchTerms,
): Promise<SettledBatch> {
  const parts = apart(events)
  const prepared = await prepare(client, parts, terms)
  const { known, accounts, batchId, early, earlyRefused } = prepared
  const { rows, full } = await bill(client, known, accounts)
  const settled = parts.deliveries.filter(({ eventId }) => !early.has(eventId))
  const batch = { ...prepared, events: settled }
  // Usually all events are new, so add them up while the database stores them.
  const [stored, expected] = await pipelined([
    store(client, rows, batchId),
    nextLoopIteration().then(() => addUp(rows, batch)),
  ])
  const fresh = await withPaid(client, { rows, stored, batchId })
  const { entries, cuts, deliveries, counts } =
    stored.length === rows.length ? expected : addUp(fresh, batch)

  const writes = () =>
    pipelined([
      postEntries(client, { entries, cuts, batchId, at: terms.at }),
      addDeliverySums(client, deliveries),
      addFrequencyCounts(client, counts),
      listEarlierCounts(client, counts, batch),
      addProgress(client, { events: parts.progress, batchId }),
    ])
  const exhausted = [...full, ...usedUp(entries, accounts)]
  const finish = async () => {
    if (exhausted.length > 0) await publishExhausted(client, { accounts: exhausted, ...terms })
    await commitBatch(client)
  }
  const written = writes()
  if (exhausted.length > 0) await written
  const [[, , counted, earlier, progress]] = await pipelined([written, finish()])
  const repeats = settled.length - fresh.length
  const seen = [...counted, ...earlier]
  return { fresh, repeats, progress, seen, early: early.size, earlyRefused }
}

interface Parts {
  readonly deliveries: readonly TrackedEvent[]
  /** Each once. */
  readonly progress: readonly TrackedEvent[]
}

function apart(events: readonly TrackedEvent[]): Parts {
  const progress = events.filter(({ kind }) => kind === 'progress')
  if (progress.length === 0) return { deliveries: events, progress }
  return {
    deliveries: events.filter(({ kind }) => kind !== 'progress'),
    progress: onceEach(progress),
  }
}

/** The failed attempt may have committed: reads the counts that nobody has published. */
function listEarlierCounts(
  client: ClientBase,
  counted: readonly FrequencyCount[],
  { isFirstTry, known, capTargets }: Batch,
): Promise<FrequencyCount[]> {
  if (isFirstTry) return Promise.resolve([])
  const isCounted = new Set(counted.map(countName))
  const earlier = sumCounts(known, capTargets).filter((count) => !isCounted.has(countName(count)))
  return listFrequencyCounts(client, earlier)
}

interface Batch extends Awaited<ReturnType<typeof prepare>> {
  readonly events: readonly TrackedEvent[]
}

/** What these events add to ledger accounts, leases, delivery sums and frequency counts. */
function addUp(fresh: readonly BilledEvent[], { events, accounts, capTargets, isFirstTry }: Batch) {
  const repeats = isFirstTry ? repeatsIn(events, fresh) : []
  const seen = fresh.filter(({ isCounted }) => !isCounted).map(({ event }) => event)
  return {
    entries: entriesOf(fresh, accounts),
    cuts: leaseChargesOf(fresh),
    deliveries: sumsOf(fresh, repeats),
    counts: sumCounts(seen, capTargets),
  }
}

async function prepare(client: ClientBase, { deliveries, progress }: Parts, terms: BatchTerms) {
  const { batches = [] } = terms
  const once = onceEach(deliveries)
  const all = [...once, ...progress]
  const decisionDays = [...new Set(all.map(({ decisionDay }) => decisionDay))]
  const [, deleted, unseen, impressionTimes, accounts, batchId, capTargets] = await pipelined([
    beginBatch(
      client,
      all.map(({ occurredAtMs }) => occurredAtMs),
    ),
    deleteStagedBatches(
      client,
      batches.map(({ id }) => id),
    ),
    addSeenKeys(
      client,
      once.flatMap(({ seenKey }) => seenKey ?? []),
      terms.at,
    ),
    listImpressionTimes(client, once.filter(isValidClick)),
    lockLedgerAccounts(client, payersOf(once)),
    addBatch(client, { node: terms.node, at: terms.at, events: all.length, decisionDays }),
    listCapTargets(client, capOwnersOf(once.filter(countsForCaps))),
  ])
  const notSeen = once.filter(({ seenKey }) => !seenKey || unseen.has(seenKey))
  const { events: known, ...waiting } = await judgeClicks(client, notSeen, {
    times: impressionTimes,
    batches,
  })
  await delayClicks(client, deliveries, { ...waiting, batches })
  return {
    ...waiting,
    known,
    accounts,
    batchId,
    capTargets,
    isFirstTry: terms.countsRepeats && deleted === batches.length,
  }
}

async function store(client: ClientBase, rows: readonly BilledEvent[], batchId: bigint) {
  const stored = await pipelined(
    DELIVERY_KINDS.map((kind) => {
      const ofKind = rows.filter(({ event }) => event.kind === kind)
      return insertEvents(client, { kind, rows: ofKind, batchId })
    }),
  )
  return stored.flat()
}

interface Stored {
  readonly rows: readonly BilledEvent[]
  readonly stored: readonly BilledEvent[]
  readonly batchId: bigint
}

/** Adds events that were counted free of charge before and are vouched for now. */
async function withPaid(
  client: ClientBase,
  { rows, stored, batchId }: Stored,
): Promise<readonly BilledEvent[]> {
  if (stored.length === rows.length) return stored
  const isNew = new Set(stored)
  const paid = await payUnvouched(
    client,
    rows.filter((row) => !isNew.has(row)),
  )
  if (paid.length > 0) await notePaid(client, batchId, paid)
  return [...stored, ...paid]
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

function payersOf(events: readonly TrackedEvent[]): Payer[] {
  const payers = new Map<number, Payer>()
  for (const { campaignKey, advertiserKey, budgetDay: day } of events) {
    if (campaignKey === undefined || advertiserKey === undefined) continue
    const name = payerName(campaignKey, day)
    if (!payers.has(name)) payers.set(name, { campaignKey, advertiserKey, day })
  }
  return [...payers.values()]
}

/** Where money is short, repeats are sorted out first, and leases decide. */
async function bill(
  client: ClientBase,
  events: readonly TrackedEvent[],
  accounts: AccountsByPayer,
): Promise<Billed> {
  if (fitsWhole(events, accounts)) return { rows: billAll(events), full: new Set() }
  const [stored, leases] = await pipelined([
    listStored(client, events),
    listLeaseBalances(client, payersOf(events)),
  ])
  return billInOrder(
    events.filter(({ eventId }) => !stored.has(eventId)),
    { accounts, leases },
  )
}

function repeatsIn(events: readonly TrackedEvent[], fresh: readonly BilledEvent[]): TrackedEvent[] {
  if (events.length === fresh.length) return []
  const left = new Set(fresh.map(({ event }) => event.eventId))
  return events.filter(({ eventId }) => !left.delete(eventId))
}

const capOwnersOf = (seen: readonly TrackedEvent[]) => ({
  ads: distinct(seen.map(({ source, winnerKey }) => (source === 'ad' ? winnerKey : undefined))),
  campaigns: distinct(seen.map(({ campaignKey }) => campaignKey)),
  advertisers: distinct(seen.map(({ advertiserKey }) => advertiserKey)),
})

const distinct = (keys: readonly (number | undefined)[]): number[] => [
  ...new Set(keys.filter((key) => key !== undefined)),
]

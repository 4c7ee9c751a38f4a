import { Pool, type PoolClient } from 'pg'
import { backoffMs } from '../../../platform/background/backoff.ts'
import type { Clock } from '../../../platform/clock.ts'
import { type DatabaseFailure, failureOf } from '../../../platform/database/failure.ts'
import { breakSilent } from '../../../platform/database/silence.ts'
import type { Ids } from '../../../platform/ids.ts'
import type { TrackedEvent } from '../intake/event.ts'
import type { ProgressCounts } from './store-progress.ts'
import { type SettledBatch, settleBatch } from './settle.ts'
import type { BilledEvent } from './store-events.ts'
import {
  stageBatch,
  deleteStagedBatches,
  type FoundBatch,
  listStagedBatches,
  type StagedBatch,
  type StagedBatchesQuery,
  readStagedBatches,
} from './store-staging.ts'
import { makePartitions } from './store-partitions.ts'
import { addQuarantined } from './store-quarantine.ts'

export interface SettlerDeps {
  /** A separate pool, so that other queries never delay an event. */
  readonly pool: Pool
  readonly node: string
  readonly clock: Clock
  readonly ids: Ids
}

/** The part of a settled event that the decisions of this node need. */
export interface SettledEvent extends Omit<BilledEvent, 'event'> {
  readonly event: Pick<
    TrackedEvent,
    'kind' | 'label' | 'pricing' | 'campaignKey' | 'budgetDay' | 'reservationId' | 'holdId'
  >
}

export interface Settlement extends Omit<SettledBatch, 'fresh'> {
  readonly fresh: readonly SettledEvent[]
  readonly quarantined: number
}

export interface SettleTerms {
  readonly countsRepeats: boolean
}

export interface StagedTerms extends SettleTerms {
  /** The next batches. They may be read while this one settles. */
  readonly ahead?: readonly number[]
}

/** Stores events in the staging table and settles them from there. */
export interface StagingStore {
  add(events: readonly TrackedEvent[]): Promise<number>
  list(query: StagedBatchesQuery): Promise<FoundBatch[]>
  /** Settles these batches. A missing batch was settled by another process. */
  settle(ids: readonly number[], terms: StagedTerms): Promise<Settlement>
}

export interface Settler {
  /**
   * Throws when the database is unavailable or in conflict. Then none, some or all events are
   * settled.
   */
  settle(events: readonly TrackedEvent[], terms: SettleTerms): Promise<Settlement>
  /** Without it every batch is settled before it is acknowledged. */
  readonly staging?: StagingStore
}

const QUERY_MS_MAX = 10_000

export function openIngestPool(url: string, connectionsMax: number): Pool {
  const pool = new Pool({
    connectionString: url,
    max: connectionsMax,
    connectionTimeoutMillis: 2_000,
    idleTimeoutMillis: 60_000,
    statement_timeout: QUERY_MS_MAX,
    idle_in_transaction_session_timeout: 2 * QUERY_MS_MAX,
    application_name: 'placard ingest',
    // Sends statements that do not depend on each other in one round trip.
    pipeline: true,
  })
  pool.on('error', ignoreBreak)
  breakSilent(pool, QUERY_MS_MAX + 1_000)
  return pool
}

/** A settler with a staging table. */
export type FullSettler = Settler & Required<Pick<Settler, 'staging'>>

export function createSettler(deps: SettlerDeps): FullSettler {
  const { pool } = deps
  const settleEvents = eventSettler(deps)
  return {
    settle: (events, { countsRepeats }) => settleEvents(events, { countsRepeats, batches: [] }),
    staging: {
      add: (events) => stageBatch(pool, events),
      list: (query) => listStagedBatches(pool, query),
      settle: stagedBatchSettler(pool, settleEvents),
    },
  }
}

interface TransactionTerms extends SettleTerms {
  /** The batches that held the events. They are deleted in the same transaction. */
  readonly batches: readonly StagedBatch[]
}

type SettleEvents = (
  events: readonly TrackedEvent[],
  terms: TransactionTerms,
) => Promise<Settlement>

function eventSettler(deps: SettlerDeps): SettleEvents {
  const knownDays = new Set<number>()

  const settle: SettleEvents = async (events, terms) => {
    try {
      await makeMissing(deps.pool, events, knownDays)
      const settled = await inTransaction(deps.pool, (client) =>
        settleBatch(client, events, { ...deps, ...terms, at: deps.clock.now() }),
      )
      return { ...settled, quarantined: 0 }
    } catch (error) {
      if (failureOfBatch(error) !== 'rejected') throw error
      return events.length === 1
        ? quarantine(deps, events[0]!, { error, ...terms })
        : settleHalves(settle, events, terms)
    }
  }
  return settle
}

/**
 * A failed attempt may have committed without an answer. Then its batches are gone, but nobody has
 * released the holds of its events. So events stay in memory until they are settled.
 */
function stagedBatchSettler(pool: Pool, settle: SettleEvents): StagingStore['settle'] {
  const known = new Map<number, StagedBatch>()
  const read = async (ids: readonly number[]) => {
    const unread = ids.filter((id) => !known.has(id))
    for (const batch of await readStagedBatches(pool, unread)) known.set(batch.id, batch)
  }
  return async (ids, { countsRepeats, ahead = [] }) => {
    await read(ids)
    const batches = ids.flatMap((id) => known.get(id) ?? [])
    if (batches.length === 0) return NOTHING
    const events = batches.flatMap(({ events }) => events)
    const settling = settle(events, { countsRepeats, batches })
    // If this fails, they are read when they are settled.
    const [settlement] = await Promise.all([settling, read(ahead).catch(() => {})])
    for (const id of ids) known.delete(id)
    return settlement
  }
}

/**
 * One event is rejected. Halving finds it, and the others settle. Staged batches stay until the
 * last event is settled.
 */
async function settleHalves(
  settle: SettleEvents,
  events: readonly TrackedEvent[],
  terms: TransactionTerms,
): Promise<Settlement> {
  const middle = events.length >> 1
  const first = await settle(events.slice(0, middle), { ...terms, batches: [] })
  const second = await settle(events.slice(middle), terms)
  return {
    fresh: [...first.fresh, ...second.fresh],
    progress: addCounts(first.progress, second.progress),
    seen: [...first.seen, ...second.seen],
    repeats: first.repeats + second.repeats,
    quarantined: first.quarantined + second.quarantined,
    early: first.early + second.early,
    earlyRefused: first.earlyRefused + second.earlyRefused,
  }
}

function addCounts(first: ProgressCounts, second: ProgressCounts): ProgressCounts {
  const sums = { ...first }
  for (const [label, count = 0] of Object.entries(second)) sums[label] = (sums[label] ?? 0) + count
  return sums
}

async function quarantine(
  { pool, clock }: SettlerDeps,
  event: TrackedEvent,
  { error, batches }: { readonly error: unknown; readonly batches: readonly StagedBatch[] },
): Promise<Settlement> {
  await addQuarantined(pool, {
    eventId: event.eventId,
    reason: 'poison',
    detail: messageOf(error),
    event: JSON.stringify(event),
    receivedAt: new Date(event.receivedAtMs),
    quarantinedAt: clock.now(),
  })
  await deleteStagedBatches(
    pool,
    batches.map(({ id }) => id),
  )
  return { ...NOTHING, quarantined: 1 }
}

const NOTHING: Settlement = {
  fresh: [],
  progress: {},
  seen: [],
  repeats: 0,
  quarantined: 0,
  early: 0,
  earlyRefused: 0,
}

const KNOWN_DAYS_MAX = 1_000

async function makeMissing(pool: Pool, events: readonly TrackedEvent[], known: Set<number>) {
  const missing = new Set<number>()
  for (const { decisionDay } of events) if (!known.has(decisionDay)) missing.add(decisionDay)
  if (missing.size === 0) return
  await makePartitions(pool, [...missing])
  if (known.size > KNOWN_DAYS_MAX) known.clear()
  for (const day of missing) known.add(day)
}

/** Drops the connection after an error, unless the database only rejected the statement. */
async function inTransaction(
  pool: Pool,
  work: (client: PoolClient) => Promise<SettledBatch>,
): Promise<SettledBatch> {
  const client = await pool.connect()
  client.on('error', ignoreBreak)
  let isBroken = true
  try {
    const result = await work(client)
    isBroken = false
    return result
  } catch (error) {
    if (failureOfBatch(error) !== 'unavailable') isBroken = !(await rollBack(client))
    throw error
  } finally {
    client.removeListener('error', ignoreBreak)
    client.release(isBroken)
  }
}

const rollBack = (client: PoolClient): Promise<boolean> =>
  client.query('rollback').then(
    () => true,
    () => false,
  )

/** The running statement fails too, and its caller handles the error. */
const ignoreBreak = (): void => {}

/**
 * Whether a batch is tried again. `rejected` never fits. Anything unknown counts as an unavailable
 * database, because acknowledged money is never given up.
 */
export function failureOfBatch(error: unknown): DatabaseFailure {
  if (error instanceof RangeError || error instanceof TypeError) return 'rejected'
  return failureOf(error) ?? 'unavailable'
}

export const messageOf = (error: unknown): string =>
  error instanceof Error ? error.message : String(error)

/** 100 ms after the first failure, doubling up to 5 s. */
export const waitAfter = (failures: number): number =>
  backoffMs({ firstMs: 100, maxMs: 5_000 }, failures)

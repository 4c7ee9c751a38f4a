import { Pool, type PoolClient } from 'pg'
import type { Clock } from '../../../platform/clock.ts'
import { breakSilent } from '../../../platform/database/silence.ts'
import type { Ids } from '../../../platform/ids.ts'
import type { TrackedEvent } from '../intake/event.ts'
import { failureOfBatch } from './faults.ts'
import { type SettledBatch, settleBatch } from './settle.ts'
import type { BilledEvent } from './store-events.ts'
import {
  addNote,
  deleteNotes,
  type FoundNote,
  listNotes,
  type Note,
  type NotesQuery,
  readNotes,
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

export interface NoteTerms extends SettleTerms {
  /** The next batches. They may be read while this one settles. */
  readonly ahead?: readonly number[]
}

/** Stores events in the staging table and settles them from there. */
export interface InboxStore {
  add(events: readonly TrackedEvent[]): Promise<number>
  list(query: NotesQuery): Promise<FoundNote[]>
  /** Settles these batches. A missing batch was settled by another process. */
  settle(ids: readonly number[], terms: NoteTerms): Promise<Settlement>
}

export interface Settler {
  /**
   * Throws when the database is unavailable or in conflict. Then none, some or all events are
   * settled.
   */
  settle(events: readonly TrackedEvent[], terms: SettleTerms): Promise<Settlement>
  /** Without it every batch is settled before it is acknowledged. */
  readonly inbox?: InboxStore
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
export type FullSettler = Settler & Required<Pick<Settler, 'inbox'>>

export function createSettler(deps: SettlerDeps): FullSettler {
  const { pool } = deps
  const settleNoted = noteSettler(deps)
  return {
    settle: (events, { countsRepeats }) => settleNoted(events, { countsRepeats, notes: [] }),
    inbox: {
      add: (events) => addNote(pool, events),
      list: (query) => listNotes(pool, query),
      settle: settlesNotes(pool, settleNoted),
    },
  }
}

interface NotedTerms extends SettleTerms {
  /** The batches that held the events. They are deleted in the same transaction. */
  readonly notes: readonly Note[]
}

type SettleNoted = (events: readonly TrackedEvent[], terms: NotedTerms) => Promise<Settlement>

function noteSettler(deps: SettlerDeps): SettleNoted {
  const knownDays = new Set<number>()

  const settle: SettleNoted = async (events, terms) => {
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
function settlesNotes(pool: Pool, settle: SettleNoted): InboxStore['settle'] {
  const known = new Map<number, Note>()
  const read = async (ids: readonly number[]) => {
    const unread = ids.filter((id) => !known.has(id))
    for (const note of await readNotes(pool, unread)) known.set(note.id, note)
  }
  return async (ids, { countsRepeats, ahead = [] }) => {
    await read(ids)
    const notes = ids.flatMap((id) => known.get(id) ?? [])
    if (notes.length === 0) return NOTHING
    const events = notes.flatMap(({ events }) => events)
    const settling = settle(events, { countsRepeats, notes })
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
  settle: SettleNoted,
  events: readonly TrackedEvent[],
  terms: NotedTerms,
): Promise<Settlement> {
  const middle = events.length >> 1
  const first = await settle(events.slice(0, middle), { ...terms, notes: [] })
  const second = await settle(events.slice(middle), terms)
  return {
    fresh: [...first.fresh, ...second.fresh],
    seen: [...first.seen, ...second.seen],
    repeats: first.repeats + second.repeats,
    quarantined: first.quarantined + second.quarantined,
    early: first.early + second.early,
    earlyRefused: first.earlyRefused + second.earlyRefused,
  }
}

async function quarantine(
  { pool, clock }: SettlerDeps,
  event: TrackedEvent,
  { error, notes }: { readonly error: unknown; readonly notes: readonly Note[] },
): Promise<Settlement> {
  await addQuarantined(pool, {
    eventId: event.eventId,
    reason: 'poison',
    detail: (error as Error).message,
    event: JSON.stringify(event),
    receivedAt: new Date(event.receivedAtMs),
    quarantinedAt: clock.now(),
  })
  await deleteNotes(
    pool,
    notes.map(({ id }) => id),
  )
  return { ...NOTHING, quarantined: 1 }
}

const NOTHING: Settlement = {
  fresh: [],
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

import { Pool, type PoolClient } from 'pg'
import type { Clock } from '../../../platform/clock.ts'
import { breakSilent } from '../../../platform/database/silence.ts'
import type { Ids } from '../../../platform/ids.ts'
import type { TrackedEvent } from '../intake/event.ts'
import { kindOfFault } from './faults.ts'
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
  /** Of its own, so that other work never keeps an event waiting. */
  readonly pool: Pool
  readonly node: string
  readonly clock: Clock
  readonly ids: Ids
}

/** Of an event that is in the books, what others have to be told. */
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
  /** What comes next: it may be read meanwhile. */
  readonly ahead?: readonly number[]
}

/** Events that are safe in the database and not settled yet. */
export interface InboxStore {
  add(events: readonly TrackedEvent[]): Promise<number>
  list(query: NotesQuery): Promise<FoundNote[]>
  /** As `settle` does, with all that is noted there; what is gone was settled by another. */
  settle(ids: readonly number[], terms: NoteTerms): Promise<Settlement>
}

export interface Settler {
  /** Throws when the database is away or in conflict: then none, some or all of it is settled. */
  settle(events: readonly TrackedEvent[], terms: SettleTerms): Promise<Settlement>
  /** Without one each batch is settled before it is acknowledged. */
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
    // Statements that do not wait for each other are sent together.
    pipeline: true,
  })
  pool.on('error', ignoreBreak)
  breakSilent(pool, QUERY_MS_MAX + 1_000)
  return pool
}

/** One that has an inbox. */
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
  /** In which the events were noted; gone when all of them are settled. */
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
      if (kindOfFault(error) !== 'poison') throw error
      return events.length === 1
        ? quarantine(deps, events[0]!, { error, ...terms })
        : settleHalves(settle, events, terms)
    }
  }
  return settle
}

/**
 * A try that failed may have been stored without an answer: then its notes are gone, but those who
 * hold something for its events have not heard of it. So what was read is kept until it is settled.
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
    // If that fails, they are read when it is their turn.
    const [settlement] = await Promise.all([settling, read(ahead).catch(() => {})])
    for (const id of ids) known.delete(id)
    return settlement
  }
}

/**
 * One of them cannot be stored; half by half it is found, and the others go on. Their notes stay
 * until the last is settled.
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

/** A connection that fails is not used again, unless the database only refused the statement. */
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
    if (kindOfFault(error) !== 'away') isBroken = !(await rollBack(client))
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

/** The statement that was running fails too, and that is where it is dealt with. */
const ignoreBreak = (): void => {}

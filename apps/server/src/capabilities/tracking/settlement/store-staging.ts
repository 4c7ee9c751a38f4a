import type { ClientBase, Pool } from 'pg'
import { plainArray, textArray } from '../../../platform/database/arrays.ts'
import type { TrackedEvent } from '../intake/event.ts'
import { packEvents, unpackEvents } from '../intake/packed-events.ts'

/** Events that were acknowledged together and are not settled yet: one row of `event_inbox`. */
export interface Note {
  readonly id: number
  readonly events: readonly TrackedEvent[]
}

export async function addNote(pool: Pool, events: readonly TrackedEvent[]): Promise<number> {
  const { rows } = await pool.query<{ id: string }>({
    name: 'add-note',
    text: 'insert into event_inbox (events) values ($1) returning id',
    values: [packEvents(events)],
  })
  return Number(rows[0]!.id)
}

/** In the order of their ids; settled ones are missing. */
export async function readNotes(pool: Pool, ids: readonly number[]): Promise<Note[]> {
  if (ids.length === 0) return []
  const { rows } = await pool.query<{ id: string; events: string }>({
    name: 'read-notes',
    text: 'select id, events from event_inbox where id = any ($1::bigint[]) order by id',
    values: [plainArray(ids)],
  })
  return rows.map(({ id, events }) => ({ id: Number(id), events: unpackEvents(events) }))
}

export interface FoundNote {
  readonly id: number
  /** Number of events. */
  readonly count: number
  /** Early clicks, to be judged when the older batches are settled. */
  readonly isEarly: boolean
}

/** A click does not wait for batches older than this: some node should have settled them. */
const WAITED_FOR_MS = 60_000
const EARLY_NOTES_MAX = 10_000

const isWaitedFor = (note: string) =>
  `not ${note}.is_early and ${note}.noted_at > now() - interval '${WAITED_FOR_MS} ms'`

export interface NotesQuery {
  /** Minimum age, by the database's clock. */
  readonly olderThanMs: number
  /** Batches that this node already works on. */
  readonly except: Iterable<number>
  readonly limit: number
}

/** Old batches, and early clicks that no longer wait for anything. Oldest first. */
export async function listNotes(pool: Pool, query: NotesQuery): Promise<FoundNote[]> {
  const { rows } = await pool.query<{ id: string; count: number; is_early: boolean }>(
    `select id, json_array_length(events::json -> 'rows') as count, is_early from event_inbox note
      where id <> all ($2::bigint[])
        and (noted_at <= now() - $1::float8 * interval '1 ms'
             or is_early and not exists (
               select 1 from event_inbox older where older.id < note.id and ${isWaitedFor('older')}))
      order by id
      limit $3`,
    [query.olderThanMs, plainArray([...query.except]), query.limit],
  )
  return rows.map(({ id, count, is_early }) => ({ id: Number(id), count, isEarly: is_early }))
}

/** The staging table as this transaction sees it, without the batches it has deleted. */
export interface InboxState {
  /** The oldest batch that a click may wait for. */
  readonly oldestId: number | undefined
  /** The maximum number of early clicks is waiting. */
  readonly isFull: boolean
}

export async function readInbox(client: ClientBase): Promise<InboxState> {
  const { rows } = await client.query<{ oldest: string | null; early: string }>({
    name: 'read-inbox',
    text: `
      select min(id) filter (where ${isWaitedFor('note')}) as oldest,
             count(*) filter (where is_early) as early
        from event_inbox note`,
  })
  const { oldest, early } = rows[0]!
  return {
    oldestId: oldest === null ? undefined : Number(oldest),
    isFull: Number(early) >= EARLY_NOTES_MAX,
  }
}

export interface EarlyNote {
  /** The batch that held them. Undefined for clicks that were not staged. */
  readonly id: number | undefined
  readonly events: readonly TrackedEvent[]
}

/**
 * Runs in the transaction that settles the rest. A batch that another node has restaged exists
 * already.
 */
export async function putBack(client: ClientBase, notes: readonly EarlyNote[]): Promise<void> {
  await client.query(
    `insert into event_inbox (id, events, is_early) overriding system value
     select coalesce(id, nextval(pg_get_serial_sequence('event_inbox', 'id'))), events, true
       from unnest($1::bigint[], $2::text[]) as early (id, events)
     on conflict (id) do nothing`,
    [
      plainArray(notes.map(({ id }) => id)),
      textArray(notes.map((note) => packEvents(note.events))),
    ],
  )
}

/** Runs in the transaction that settles their events. Returns how many still existed. */
export async function deleteNotes(db: ClientBase | Pool, ids: readonly number[]): Promise<number> {
  if (ids.length === 0) return 0
  const { rowCount } = await db.query({
    name: 'delete-notes',
    text: 'delete from event_inbox where id = any ($1::bigint[])',
    values: [plainArray(ids)],
  })
  return rowCount ?? 0
}

import type { ClientBase, Pool } from 'pg'
import { plainArray, textArray } from '../../../platform/database/arrays.ts'
import type { TrackedEvent } from '../intake/event.ts'
import { packEvents, unpackEvents } from '../intake/packed-events.ts'

/** Events that were acknowledged together and are not settled yet. */
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

/** In the order in which they were made; those that are still there. */
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
  /** How many events are in it. */
  readonly count: number
  /** Clicks that were put back, to be judged when the notes before theirs are settled. */
  readonly isEarly: boolean
}

/** What has waited for longer keeps no click waiting: somebody should have settled it. */
const WAITED_FOR_MS = 60_000
const EARLY_NOTES_MAX = 10_000

const isWaitedFor = (note: string) =>
  `not ${note}.is_early and ${note}.noted_at > now() - interval '${WAITED_FOR_MS} ms'`

export interface NotesQuery {
  /** So long nobody has settled them, by the database's clock. */
  readonly olderThanMs: number
  /** Notes that somebody works on. */
  readonly except: Iterable<number>
  readonly limit: number
}

/** The oldest first; and early clicks as soon as nothing is left that they wait for. */
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

/** What is noted and not settled, as this transaction sees it: what it has deleted itself is gone. */
export interface InboxState {
  /** Of the notes that a click may wait for. */
  readonly oldestId: number | undefined
  /** As many clicks wait as may. */
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
  /** The one they were in: who waits for that waits for them. None when they were in no note. */
  readonly id: number | undefined
  readonly events: readonly TrackedEvent[]
}

/** With the transaction that settles the rest. Where another has put a note back, it is there already. */
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

/** With the transaction that settles their events; returns how many were still there. */
export async function deleteNotes(db: ClientBase | Pool, ids: readonly number[]): Promise<number> {
  if (ids.length === 0) return 0
  const { rowCount } = await db.query({
    name: 'delete-notes',
    text: 'delete from event_inbox where id = any ($1::bigint[])',
    values: [plainArray(ids)],
  })
  return rowCount ?? 0
}

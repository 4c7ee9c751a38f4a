import type { ClientBase, Pool } from 'pg'
import { plainArray } from '../../platform/database/arrays.ts'
import type { TrackedEvent } from './event.ts'
import { packEvents, unpackEvents } from './packed.ts'

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

export interface NotesQuery {
  /** So long nobody has settled them, by the database's clock. */
  readonly olderThanMs: number
  /** Notes that somebody works on. */
  readonly except: Iterable<number>
  readonly limit: number
}

/** The oldest first. */
export async function listNotes(pool: Pool, query: NotesQuery): Promise<Note[]> {
  const { rows } = await pool.query<{ id: string; events: string }>(
    `select id, events from event_inbox
      where noted_at <= now() - $1::float8 * interval '1 ms' and id <> all ($2::bigint[])
      order by id
      limit $3`,
    [query.olderThanMs, plainArray([...query.except]), query.limit],
  )
  return rows.map(({ id, events }) => ({ id: Number(id), events: unpackEvents(events) }))
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

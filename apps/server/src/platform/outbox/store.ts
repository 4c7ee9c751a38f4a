import { sql } from 'drizzle-orm'
import type { Database } from '../database/connect.ts'
import { type Feed, type FeedCursor, FEED_START, trimFeed } from '../database/ordered-feed.ts'
import { type OutboxEvent, refuseBadType } from './event.ts'

export const OUTBOX_CHANNEL = 'placard_outbox'
/** Name of the outbox as a source of events. */
export const OUTBOX_SOURCE = 'outbox'

export const outboxFeed: Feed<OutboxEvent> = {
  table: 'outbox',
  columns: ['event_id', 'type', 'subject', 'data', 'occurred_at'],
  timeColumn: 'occurred_at',
  parse: (row) => ({
    id: row['event_id'] as string,
    type: row['type'] as string,
    subject: row['subject'] as string,
    data: row['data'],
    time: new Date(row['occurred_at'] as string),
  }),
}

/** Part of the caller's transaction: published if it commits, never if it does not. */
export const appendEvent = (db: Database, event: OutboxEvent): Promise<void> =>
  appendEvents(db, [event])

export async function appendEvents(db: Database, events: readonly OutboxEvent[]): Promise<void> {
  if (events.length === 0) return
  for (const event of events) refuseBadType(event)
  await db.execute(sql`
    with added as (
      insert into outbox (event_id, type, subject, data, occurred_at)
      select id, type, subject, data, time
        from jsonb_to_recordset(${JSON.stringify(events)}::jsonb)
          as event (id uuid, type text, subject text, data jsonb, time timestamptz)
    )
    select pg_notify(${OUTBOX_CHANNEL}, '')`)
}

/** True if this session is the one in the fleet that relays to the sink. */
export async function tryLeaderLock(db: Database, sink: string): Promise<boolean> {
  const { rows } = await db.execute<{ leads: boolean }>(
    sql`select pg_try_advisory_lock(hashtextextended(${`placard-outbox ${sink}`}, 0)) as leads`,
  )
  return rows[0]!.leads
}

/** A reader's place in one source. */
export interface CursorKey {
  readonly sink: string
  readonly source: string
}

/** Creates a cursor at the given place unless it exists. */
export async function openCursor(
  db: Database,
  { sink, source }: CursorKey,
  start: FeedCursor = FEED_START,
): Promise<FeedCursor> {
  await db.execute(sql`
    insert into outbox_cursors (sink, source, xid, id)
    values (${sink}, ${source}, ${start.xid.toString()}::xid8, ${start.id.toString()}::bigint)
    on conflict (sink, source) do nothing`)
  const { rows } = await db.execute<{ xid: string; id: string }>(
    sql`select xid, id from outbox_cursors where sink = ${sink} and source = ${source}`,
  )
  return { xid: BigInt(rows[0]!.xid), id: BigInt(rows[0]!.id) }
}

export interface CursorMove extends CursorKey {
  readonly from: FeedCursor
  readonly to: FeedCursor
}

/** False if the cursor is not where this reader left it: another one has taken over. */
export async function moveCursor(db: Database, move: CursorMove): Promise<boolean> {
  const { sink, source, from, to } = move
  const { rowCount } = await db.execute(sql`
    update outbox_cursors
       set xid = ${to.xid.toString()}::xid8, id = ${to.id.toString()}::bigint, updated_at = now()
     where sink = ${sink} and source = ${source}
       and xid = ${from.xid.toString()}::xid8 and id = ${from.id.toString()}::bigint`)
  return rowCount === 1
}

export async function deleteCursors(db: Database, sink: string): Promise<void> {
  await db.execute(sql`delete from outbox_cursors where sink = ${sink}`)
}

export interface OutboxTrim {
  /** The sinks in use; cursors of others are ignored. */
  readonly sinks: readonly string[]
  readonly olderThan: Date
}

const TRIM_BATCH = 10_000
const TRIM_BATCHES_MAX = 100

/** Deletes old events that every sink has received. */
export async function trimOutbox(db: Database, { sinks, olderThan }: OutboxTrim): Promise<number> {
  const cursors = await Promise.all(
    sinks.map((sink) => openCursor(db, { sink, source: OUTBOX_SOURCE })),
  )
  const through = cursors.toSorted(byPlace)[0]
  const trim = { olderThan, limit: TRIM_BATCH, ...(through && { through }) }

  let trimmed = 0
  for (let batch = 0; batch < TRIM_BATCHES_MAX; batch++) {
    const count = await trimFeed(db, outboxFeed, trim)
    trimmed += count
    if (count < TRIM_BATCH) break
  }
  return trimmed
}

function byPlace(a: FeedCursor, b: FeedCursor): number {
  if (a.xid !== b.xid) return a.xid < b.xid ? -1 : 1
  if (a.id === b.id) return 0
  return a.id < b.id ? -1 : 1
}

import { sql } from 'drizzle-orm'
import type { Database } from './connect.ts'

/**
 * A place in a feed: a table with `xid` (the writing transaction) and `id`, read in that order.
 *
 * Ids alone are no order to read by: a transaction that took an id first may commit last, and a
 * reader past its id would never see the row. A transaction below the snapshot's xmin is over, so
 * that nothing can appear before a cursor that stays below it.
 */
export interface FeedCursor {
  readonly xid: bigint
  readonly id: bigint
}

export const FEED_START: FeedCursor = { xid: 0n, id: 0n }
export const FEED_END: FeedCursor = { xid: 2n ** 64n - 1n, id: 2n ** 63n - 1n }

export interface Feed<Row> {
  readonly table: string
  readonly columns: readonly string[]
  /** When a row was written; decides what is old enough to be trimmed. */
  readonly timeColumn: string
  parse(row: Record<string, unknown>): Row
}

/**
 * `more`: read on at once. `held-back`: there are rows that an open transaction may still write
 * before. `end`: nothing else. `trimmed`: rows after the cursor are gone.
 */
export type FeedState = 'more' | 'held-back' | 'end' | 'trimmed'

export interface FeedPage<Row> {
  readonly rows: readonly Row[]
  /** Of each row. */
  readonly places: readonly FeedCursor[]
  readonly next: FeedCursor
  readonly state: FeedState
}

/**
 * Rows and state are of one snapshot, in which what was trimmed is gone and noted as gone. A row more
 * than asked for tells that there are more.
 */
export async function readFeed<Row>(
  db: Database,
  feed: Feed<Row>,
  { after, limit }: { readonly after: FeedCursor; readonly limit: number },
): Promise<FeedPage<Row>> {
  const table = sql.identifier(feed.table)
  const { rows: found } = await db.execute(sql`
    select state.*, page.*
      from (select exists (select 1 from feed_horizons
                            where feed = ${feed.table} and (xid, id) > ${place(after)}) as is_trimmed,
                   exists (select 1 from ${table}
                            where xid >= pg_snapshot_xmin(pg_current_snapshot())) as is_held_back
           ) as state
      left join (select xid, id, ${columnsOf(feed)}
                   from ${table}
                  where (xid, id) > ${place(after)}
                    and xid < pg_snapshot_xmin(pg_current_snapshot())
                  order by xid, id
                  limit ${limit + 1}) as page on true
     order by xid, id`)
  const { is_trimmed: isTrimmed, is_held_back: isHeldBack, xid: firstXid } = found[0]!
  const rows = firstXid === null ? [] : found.slice(0, limit)
  const places = rows.map(cursorOf)

  return {
    rows: rows.map((row) => feed.parse(row)),
    places,
    next: places.at(-1) ?? after,
    state: isTrimmed ? 'trimmed' : found.length > limit ? 'more' : isHeldBack ? 'held-back' : 'end',
  }
}

/**
 * The place behind every transaction that is over now. What is read from the tables afterwards, or
 * in the same snapshot, contains all that lies before it; what lies behind may be seen twice.
 */
export async function cursorNow(db: Database): Promise<FeedCursor> {
  const { rows } = await db.execute<{ xmin: string }>(
    sql`select pg_snapshot_xmin(pg_current_snapshot()) as xmin`,
  )
  return { xid: BigInt(rows[0]!.xmin) - 1n, id: FEED_END.id }
}

export interface Trim {
  readonly olderThan: Date
  /** Nothing behind this place is touched. */
  readonly through?: FeedCursor
  readonly limit: number
}

/** Takes old rows off the front, never from the middle, and notes how far; returns how many. */
export async function trimFeed<Row>(
  db: Database,
  feed: Feed<Row>,
  { olderThan, through = FEED_END, limit }: Trim,
): Promise<number> {
  const table = sql.identifier(feed.table)
  const { rows } = await db.execute<{ count: number }>(sql`
    with oldest as (
      select xid, id, ${sql.identifier(feed.timeColumn)} as written_at from ${table}
       where (xid, id) <= ${place(through)} and xid < pg_snapshot_xmin(pg_current_snapshot())
       order by xid, id
       limit ${limit}
    ), first_kept as (
      select xid, id from oldest where written_at >= ${olderThan.toISOString()}::timestamptz
       order by xid, id
       limit 1
    ), trimmed as (
      delete from ${table} as feed using oldest
       where feed.id = oldest.id
         and not exists (select 1 from first_kept
                          where (oldest.xid, oldest.id) >= (first_kept.xid, first_kept.id))
      returning feed.xid, feed.id
    ), noted as (
      insert into feed_horizons (feed, xid, id)
      select ${feed.table}, xid, id from trimmed order by xid desc, id desc limit 1
      on conflict (feed) do update set xid = excluded.xid, id = excluded.id
       where (feed_horizons.xid, feed_horizons.id) < (excluded.xid, excluded.id)
    )
    select count(*)::int as count from trimmed`)
  return rows[0]!.count
}

const place = ({ xid, id }: FeedCursor) => sql`(${xid.toString()}::xid8, ${id.toString()}::bigint)`

const cursorOf = (row: Record<string, unknown>): FeedCursor => ({
  xid: BigInt(row['xid'] as string),
  id: BigInt(row['id'] as string),
})

const columnsOf = <Row>({ columns }: Feed<Row>) =>
  sql.join(
    columns.map((column) => sql.identifier(column)),
    sql`, `,
  )

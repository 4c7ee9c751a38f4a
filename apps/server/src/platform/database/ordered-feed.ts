import { sql } from 'drizzle-orm'
import type { Database } from './connect.ts'

/**
 * A place in a feed: a table with `xid` (the writing transaction) and `id`, read in that order.
 *
 * Ids alone give no safe order: the transaction with the lower id may commit last, and a reader past
 * that id would never see its row. Every transaction below the snapshot's xmin has ended, so no row
 * can appear before a cursor that stays below it.
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
  /** The time a row was written; decides when it is old enough to trim. */
  readonly timeColumn: string
  parse(row: Record<string, unknown>): Row
}

/**
 * `more`: read on at once. `held-back`: an open transaction may still write before the rows that
 * remain. `end`: nothing left. `trimmed`: rows after the cursor were deleted.
 */
export type FeedState = 'more' | 'held-back' | 'end' | 'trimmed'

export interface FeedPage<Row> {
  readonly rows: readonly Row[]
  /** One per row. */
  readonly places: readonly FeedCursor[]
  readonly next: FeedCursor
  readonly state: FeedState
}

/**
 * Rows and state come from one snapshot, so trimmed rows and the note of the trim agree. Reads one row
 * more than asked for, to know whether there are more.
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
 * The place after every transaction that has ended. A later read of the tables, or one in the same
 * snapshot, contains everything before it and may contain rows after it.
 */
export async function cursorNow(db: Database): Promise<FeedCursor> {
  const { rows } = await db.execute<{ xmin: string }>(
    sql`select pg_snapshot_xmin(pg_current_snapshot()) as xmin`,
  )
  return { xid: BigInt(rows[0]!.xmin) - 1n, id: FEED_END.id }
}

export interface Trim {
  readonly olderThan: Date
  /** Rows after this place stay. */
  readonly through?: FeedCursor
  readonly limit: number
}

/** Deletes old rows from the front, never from the middle, and records how far. Returns how many. */
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

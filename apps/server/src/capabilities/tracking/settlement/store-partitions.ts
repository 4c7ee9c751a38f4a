import type { Pool } from 'pg'
import { dateOf } from '../intake/event.ts'

export const PARTITIONED = [
  'impressions',
  'views',
  'clicks',
  'progress_events',
  'conversions',
] as const
export type PartitionedTable = (typeof PARTITIONED)[number]

/** Creates missing partitions for these UTC days. Concurrent nodes wait for each other. */
export async function makePartitions(pool: Pool, days: readonly number[]): Promise<number> {
  const { rows } = await pool.query<{ made: boolean }>(
    `select make_day_partition(parent::regclass, date 'epoch' + day) as made
       from unnest($1::text[]) as parent, unnest($2::integer[]) as day
      order by day, parent`,
    [PARTITIONED, days],
  )
  return rows.filter(({ made }) => made).length
}

interface Retention {
  readonly table: PartitionedTable
  readonly firstDayKept: number
}

/** Drops whole days, at most a month per call. */
export async function dropPartitions(pool: Pool, { table, firstDayKept }: Retention) {
  const { rows } = await pool.query<{ dropped: number }>(
    'select drop_day_partitions($1::regclass, $2::date) as dropped',
    [table, dateOf(firstDayKept)],
  )
  return rows[0]!.dropped
}

const TRIM_LIMIT = 50_000

/** A key is needed for as long as its event may be repeated. */
export async function deleteSeenBefore(pool: Pool, before: Date): Promise<number> {
  const { rowCount } = await pool.query(
    `delete from seen_events where seen_key in (
       select seen_key from seen_events where seen_at < $1 order by seen_at limit ${TRIM_LIMIT})`,
    [before.toISOString()],
  )
  return rowCount ?? 0
}

/** Counts of past windows matter to no cap. */
export async function deleteCountsBefore(
  pool: Pool,
  { window, before }: { readonly window: string; readonly before: Date },
): Promise<number> {
  const { rowCount } = await pool.query(
    `delete from frequency_counts where ctid in (
       select ctid from frequency_counts
        where "window" = $1 and window_start < $2 order by window_start limit ${TRIM_LIMIT})`,
    [window, before.toISOString()],
  )
  return rowCount ?? 0
}

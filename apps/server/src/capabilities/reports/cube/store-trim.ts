import { sql } from 'drizzle-orm'
import type { Database } from '../../../platform/database/connect.ts'

const TIME_OF = {
  stats_cube_quarter: 'bucket',
  delivery_stats: 'bucket',
  progress_stats: 'bucket',
  stats_cube_day: 'bucket',
  campaign_stats: 'day',
  advertiser_stats: 'day',
  reach_sketches: 'day',
  banner_stats: 'stat_date',
} as const
export type SumsName = keyof typeof TIME_OF

export const QUARTER_TABLES: readonly SumsName[] = [
  'stats_cube_quarter',
  'delivery_stats',
  'progress_stats',
]
export const DAY_TABLES: readonly SumsName[] = [
  'stats_cube_day',
  'campaign_stats',
  'advertiser_stats',
  'reach_sketches',
  'banner_stats',
]

const TRIMMED_AT_ONCE = 20_000

/** Deletes some rows of UTC days before that of an instant, and returns their number. */
export async function trimSums(db: Database, table: SumsName, before: Date): Promise<number> {
  const day = before.toISOString().slice(0, 10)
  const name = sql.identifier(table)
  const limit =
    TIME_OF[table] === 'bucket'
      ? sql`${day}::date::timestamp at time zone 'UTC'`
      : sql`${day}::date`
  const { rowCount } = await db.execute(sql`
    delete from ${name} where ctid = any (array(
      select ctid from ${name} where ${sql.identifier(TIME_OF[table])} < ${limit} limit ${TRIMMED_AT_ONCE}))`)
  return rowCount ?? 0
}

import { sql } from 'drizzle-orm'
import type { Database } from '../../../platform/database/connect.ts'
import { lockCursor } from './store-cursors.ts'

/**
 * Fills a day of `banner_stats` from the valid traffic in the cube, and returns the number of rows.
 */
export async function rollUpBanners(db: Database, day: string, at: Date): Promise<number> {
  const now = at.toISOString()
  return db.transaction(async (db) => {
    await lockCursor(db, 'tracking')
    const { rowCount } = await db.execute(sql`
      with summed as materialized (
        select banner_id, nullif(placement_id, 0) as placement_id, nullif(campaign_id, 0) as campaign_id,
               sum(impressions) as impressions, sum(clicks) as clicks, div(sum(charged_millis), 1000) as spend
          from stats_cube
         where grain = 'day' and bucket = ${day}::date::timestamp at time zone 'UTC'
           and label = 'valid' and banner_id <> 0
         group by 1, 2, 3
        having sum(impressions) + sum(clicks) > 0
      ), gone as (
        delete from banner_stats b
         where b.stat_date = ${day}::date and not exists (
           select 1 from summed s
            where (s.banner_id, s.placement_id, s.campaign_id) is not distinct from
                  (b.banner_id, b.placement_id, b.campaign_id))
      )
      insert into banner_stats as kept (banner_id, placement_id, campaign_id, stat_date, impressions, clicks,
                                        spend_micros, created_at, updated_at)
      select banner_id, placement_id, campaign_id, ${day}::date, impressions, clicks, spend,
             ${now}::timestamptz, ${now}::timestamptz
        from summed
      on conflict on constraint banner_stats_key do update
         set impressions = excluded.impressions, clicks = excluded.clicks,
             spend_micros = excluded.spend_micros, updated_at = excluded.updated_at`)
    return rowCount ?? 0
  })
}

/** True if the day was rolled up before. A day that is not over was not. */
export async function hasBanners(db: Database, day: string): Promise<boolean> {
  const { rows } = await db.execute(
    sql`select 1 from banner_stats where stat_date = ${day}::date limit 1`,
  )
  return rows.length > 0
}

const DAYS_AT_ONCE = 31

/** Past days with banner events that were never rolled up, newest first. */
async function listUnrolledDays(db: Database, at: Date): Promise<readonly string[]> {
  const { rows } = await db.execute<{ day: string }>(sql`
    with bounds as (
      select (min(bucket) at time zone 'UTC')::date as first from stats_cube where grain = 'day'
    )
    select d::date::text as day
      from bounds, generate_series(first, (${at.toISOString()}::timestamptz at time zone 'UTC')::date - 1,
                                   interval '1 day') as d
     where not exists (select from banner_stats b where b.stat_date = d::date)
       and exists (select from stats_cube c
                    where c.grain = 'day' and c.bucket = d::date::timestamp at time zone 'UTC'
                      and c.label = 'valid' and c.banner_id <> 0 and c.impressions + c.clicks > 0)
     order by d desc limit ${DAYS_AT_ONCE}`)
  return rows.map(({ day }) => day)
}

/** Rolls up the days that no nightly run did, and returns their number. */
export async function rollUpMissed(db: Database, at: Date): Promise<number> {
  const days = await listUnrolledDays(db, at)
  for (const day of days) await rollUpBanners(db, day, at)
  return days.length
}

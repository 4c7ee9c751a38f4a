import { sql } from 'drizzle-orm'
import type { Database } from '../../../platform/database/connect.ts'

export interface Reset {
  readonly campaignKey: bigint
  readonly at: Date
  readonly by: string
}

/**
 * Adds today's spend to limit and allowance; the spend itself stays. Returns the added amount. A
 * day without spend since the last reset stays unchanged.
 */
export async function addAllowance(db: Database, { campaignKey, at, by }: Reset): Promise<bigint> {
  const { rows } = await db.execute<{ micros: string }>(sql`
    with today as materialized (
      select c.id, c.budget_daily_micros as daily,
             (${at.toISOString()}::timestamptz at time zone zone_or_utc(a.time_zone))::date as day
        from campaigns c join advertisers a on a.id = c.advertiser_id
       where c.id = ${campaignKey.toString()}::bigint
    ), spent as materialized (
      select d.owner_id, d.day, t.daily, d.spent_micros - d.allowance_micros as micros
        from today t
        join budget_days d on d.scope = 'campaign' and d.owner_id = t.id and d.day = t.day
       where d.spent_micros > d.allowance_micros
         for update of d
    ), allowed as (
      update budget_days d
         set allowance_micros = d.spent_micros, limit_micros = s.daily + d.spent_micros,
             exhausted_at = null
        from spent s
       where d.scope = 'campaign' and d.owner_id = s.owner_id and d.day = s.day
    ), entered as (
      insert into ledger_entries
             (scope, owner_id, day, entry_id, kind, amount_micros, note, created_at)
      select 'campaign', owner_id, day, nextval('ledger_entry_ids'), 'allowance', micros,
             ${by}::text, ${at.toISOString()}::timestamptz
        from spent
    ), noted as (
      insert into budget_resets (campaign_id, day, allowance_micros, reset_at, reset_by)
      select owner_id, day, micros, ${at.toISOString()}::timestamptz, ${by}::text from spent
    )
    select micros from spent`)
  return BigInt(rows[0]?.micros ?? 0)
}

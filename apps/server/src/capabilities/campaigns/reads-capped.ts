import { sql } from 'drizzle-orm'
import type { Database } from '../../platform/database/connect.ts'

/**
 * Running campaigns that can never show an ad again: their impressions or clicks are used up, or
 * less money is left than their cheapest impression or click costs.
 */
export async function listCappedOut(
  db: Database,
  { limit }: { readonly limit: number },
): Promise<bigint[]> {
  const { rows } = await db.execute<{ id: string }>(sql`
    select c.id
      from campaigns c
      join campaign_totals t on t.campaign_id = c.id
      left join lateral (
        select min(a.bid_micros) as bid_micros
          from ads a
         where a.campaign_id = c.id and a.status = 'active' and a.deleted_at is null
           and c.budget_total_micros is not null
      ) cheapest on true
     where c.status in ('active', 'paused')
       and (t.impressions >= c.impression_cap
            or t.clicks >= c.click_cap
            or c.budget_total_micros - t.spent_micros
               < greatest(1, coalesce(cheapest.bid_micros, c.max_bid_micros)
                             / case c.pricing when 'cpm' then 1000 else 1 end))
     order by c.public_id
     limit ${limit}`)
  return rows.map(({ id }) => BigInt(id))
}

import { sql } from 'drizzle-orm'
import type { Database } from '../../../platform/database/connect.ts'

/** Counts of one campaign, ad set or ad on one UTC day, valid traffic only. */
export interface DayCounts {
  readonly id: string
  readonly day: string
  readonly spendMicros: bigint
  readonly impressions: number
  readonly clicks: number
  readonly contentViews: number
  readonly addToCarts: number
  readonly checkouts: number
  readonly purchases: number
  readonly revenueMicros: bigint
}

const COLUMNS = {
  CAMPAIGN: { table: 'campaigns', key: 'campaign_id' },
  ADSET: { table: 'ad_sets', key: 'ad_set_id' },
  AD: { table: 'ads', key: 'ad_id' },
} as const

export interface DaysQuery {
  readonly level: keyof typeof COLUMNS
  readonly publicIds: readonly string[]
  readonly from: string
  readonly to: string
}

/** Money is rounded down per ad before it is added up, so that ads, ad sets and campaigns agree. */
export async function listDayCounts(
  db: Database,
  { level, publicIds, from, to }: DaysQuery,
): Promise<readonly DayCounts[]> {
  const { table, key } = COLUMNS[level]
  const { rows } = await db.execute(sql`
    with requested as (
      select id, public_id from ${sql.identifier(table)}
       where public_id = any (${`{${publicIds.join(',')}}`}::uuid[])
    ), by_ad as (
      select requested.public_id as id, (s.bucket at time zone 'UTC')::date as day, s.campaign_id, s.ad_set_id, s.ad_id,
             div(sum(s.charged_millis), 1000) as spend, sum(s.impressions) as impressions, sum(s.clicks) as clicks,
             sum(s.content_views) as content_views, sum(s.add_to_carts) as add_to_carts,
             sum(s.checkouts) as checkouts, sum(s.purchases) as purchases, div(sum(s.revenue), 10000) as revenue
        from requested join stats_cube s on s.${sql.identifier(key)} = requested.id
       where s.grain = 'day' and s.label = 'valid'
         and s.bucket >= ${from}::date::timestamp at time zone 'UTC'
         and s.bucket < (${to}::date + 1)::timestamp at time zone 'UTC'
       group by 1, 2, 3, 4, 5
    )
    select id, day::text as day, sum(spend)::text as spend, sum(impressions)::text as impressions,
           sum(clicks)::text as clicks, sum(content_views)::text as content_views,
           sum(add_to_carts)::text as add_to_carts, sum(checkouts)::text as checkouts,
           sum(purchases)::text as purchases, sum(revenue)::text as revenue
      from by_ad group by 1, 2`)
  return rows.map((row) => ({
    id: row['id'] as string,
    day: row['day'] as string,
    spendMicros: BigInt(row['spend'] as string),
    impressions: Number(row['impressions']),
    clicks: Number(row['clicks']),
    contentViews: shares(row['content_views']),
    addToCarts: shares(row['add_to_carts']),
    checkouts: shares(row['checkouts']),
    purchases: shares(row['purchases']),
    revenueMicros: BigInt(row['revenue'] as string),
  }))
}

const shares = (value: unknown) => Number(value) / 10_000

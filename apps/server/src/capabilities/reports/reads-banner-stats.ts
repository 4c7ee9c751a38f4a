import type { BannerStatsQuery } from '@placard/contract/reports'
import { sql, type SQL } from 'drizzle-orm'
import type { Database } from '../../platform/database/connect.ts'
import type { ReportScope } from './report.ts'

export interface BannerStatsRow extends Record<string, unknown> {
  readonly date: string
  readonly bannerId: string
  readonly bannerTitle: string
  readonly placementId: string | null
  readonly campaignId: string | null
  readonly currency: string
  readonly impressions: string
  readonly clicks: string
  readonly spendMicros: string
}

const OWN: Readonly<Record<ReportScope['kind'], (accountId: bigint) => SQL>> = {
  platform: () => sql`true`,
  advertiser: (accountId) => sql`b.account_id = ${accountId.toString()}::bigint`,
  publisher: (accountId) => sql`p.account_id = ${accountId.toString()}::bigint`,
}

const named = (column: SQL, publicId: string | undefined): SQL =>
  publicId === undefined ? sql`true` : sql`${column} = ${publicId}::uuid`

export interface BannerStatsPage extends BannerStatsQuery {
  readonly from: string
  readonly to: string
}

/** Rows of `banner_stats`, newest day first. One more than a page holds if there are more. */
export async function listBannerStats(
  db: Database,
  { from, to, bannerId, placementId, campaignId, limit = 100, offset = 0 }: BannerStatsPage,
  { kind, accountId }: ReportScope,
): Promise<readonly BannerStatsRow[]> {
  const { rows } = await db.execute<BannerStatsRow>(sql`
    select s.stat_date::text as date, b.public_id as "bannerId", b.title as "bannerTitle",
           p.public_id as "placementId", c.public_id as "campaignId", a.currency,
           s.impressions::text as impressions, s.clicks::text as clicks,
           coalesce(s.spend_micros, 0)::text as "spendMicros"
      from banner_stats s
      join banners b on b.id = s.banner_id
      join advertisers a on a.id = b.advertiser_id
      left join placements p on p.id = s.placement_id
      left join campaigns c on c.id = s.campaign_id
     where s.stat_date between ${from}::date and ${to}::date and ${OWN[kind](accountId)}
       and ${named(sql`b.public_id`, bannerId)} and ${named(sql`p.public_id`, placementId)}
       and ${named(sql`c.public_id`, campaignId)}
     order by s.stat_date desc, s.id desc
     limit ${limit + 1} offset ${offset}`)
  return rows
}

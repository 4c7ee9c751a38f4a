import type { Row } from '../../../platform/database/row.ts'
import { sql } from 'drizzle-orm'
import type { Database } from '../../../platform/database/connect.ts'
import type { AdFacts, ApprovalStatus, CampaignFacts } from './matrix.ts'

interface FactsRow extends Omit<CampaignFacts, 'ads'> {
  readonly campaignKey: number
  readonly ads: readonly (AdFacts & { readonly adKey: number })[] | null
}

/** Campaigns as the matrix sees them. Deleted ones are missing. */
export async function listCampaignFacts(
  db: Database,
  { campaigns, now }: { campaigns: readonly number[] | undefined; now: Date },
): Promise<ReadonlyMap<number, CampaignFacts>> {
  const at = now.toISOString()
  const exhausted = (scope: string, owner: ReturnType<typeof sql>) => sql`exists (
    select 1 from budget_days d where d.scope = ${scope} and d.owner_id = ${owner} and d.exhausted_at is not null
       and d.day = (${at}::timestamptz at time zone zone_or_utc(v.time_zone))::date)`
  const { rows } = await db.execute<Row<FactsRow>>(sql`
    select c.id::float8 as "campaignKey", c.status = 'active' as "isActive",
           ${exhausted('campaign', sql`c.id`)} or coalesce(t.exhausted_at is not null, false) as "isExhausted",
           ${exhausted('advertiser', sql`v.id`)} as "isAdvertiserExhausted",
           coalesce(v.deleted_at, o.deleted_at) is not null as "isAdvertiserGone",
           c.budget_daily_micros::float8 as "dailyMicros", c.max_bid_micros::float8 as "maxBidMicros",
           concat_ws(' ', c.ad_product_category, array_to_string(c.categories, ' ')) as wanted,
           array(select distinct s.site_id::float8 from campaign_placements l
                   join slots s on s.placement_id = l.placement_id and s.deleted_at is null
                  where l.campaign_id = c.id and l.is_active order by 1) as sites,
           array(select b.site_id::float8 from advertiser_site_blocks b where b.advertiser_id = v.id order by 1) as "refusedSites",
           (select jsonb_agg(jsonb_build_object('adKey', a.id, 'bannerKey', a.banner_id, 'bidMicros', a.bid_micros,
                   'isActive', a.status = 'active' and e.status = 'active' and b.is_active and b.deleted_at is null))
              from ads a join ad_sets e on e.id = a.ad_set_id join banners b on b.id = a.banner_id
             where a.campaign_id = c.id and a.deleted_at is null and e.deleted_at is null) as ads
      from campaigns c join advertisers v on v.id = c.advertiser_id join accounts o on o.id = v.account_id
      left join campaign_totals t on t.campaign_id = c.id
     where c.deleted_at is null and c.channel = 'onsite'
       and ${campaigns === undefined ? sql`c.status = 'active'` : sql`c.id = any(${sql.param([...campaigns])}::bigint[])`}`)
  return new Map(
    rows.map(({ campaignKey, ads, ...facts }) => [
      campaignKey,
      { ...facts, ads: new Map((ads ?? []).map(({ adKey, ...ad }) => [adKey, ad])) },
    ]),
  )
}

/** The campaigns that changed rows belong to. */
export async function listCampaignsOf(
  db: Database,
  entity: string,
  ids: readonly bigint[],
): Promise<readonly number[]> {
  const keys = sql.param(ids.map(String))
  const where = OWNERS[entity]
  if (where === undefined) return []
  const { rows } = await db.execute(sql`select distinct ${where(sql`any(${keys}::bigint[])`)}`)
  return rows.map((row) => Number(row['key']))
}

type Owner = (keys: ReturnType<typeof sql>) => ReturnType<typeof sql>

const OWNERS: Readonly<Record<string, Owner>> = {
  campaigns: (keys) => sql`id as key from campaigns where id = ${keys}`,
  campaign_placements: (keys) => sql`id as key from campaigns where id = ${keys}`,
  ads: (keys) => sql`campaign_id as key from ads where id = ${keys}`,
  ad_sets: (keys) => sql`campaign_id as key from ad_sets where id = ${keys}`,
  banners: (keys) => sql`campaign_id as key from ads where banner_id = ${keys}`,
  advertisers: (keys) => sql`id as key from campaigns where advertiser_id = ${keys}`,
  advertiser_site_blocks: (keys) => sql`id as key from campaigns where advertiser_id = ${keys}`,
}

export interface ApprovalFacts {
  readonly approvalKey: number
  readonly siteKey: number
  readonly bannerKey: number
  readonly status: ApprovalStatus
}

export async function listApprovals(db: Database, ids: readonly bigint[] | undefined) {
  const { rows } = await db.execute<Row<ApprovalFacts>>(sql`
    select id::float8 as "approvalKey", site_id::float8 as "siteKey", banner_id::float8 as "bannerKey", status
      from creative_approvals
     where ${ids === undefined ? sql`true` : sql`id = any(${sql.param(ids.map(String))}::bigint[])`}`)
  return rows
}

/** Ads that the site's blocklist refuses. */
export async function listBlockedAds(db: Database, siteKey: number): Promise<readonly number[]> {
  const { rows } = await db.execute<{ adKey: number }>(sql`
    select a.id::float8 as "adKey" from blocked_ad_products x
      join campaigns c on true join ads a on a.campaign_id = c.id join banners b on b.id = a.banner_id
     where x.site_id = ${siteKey} and x.ad_product_category in (c.ad_product_category, b.ad_product_category)`)
  return rows.map(({ adKey }) => adKey)
}

/** Campaigns whose budget of today, or whose advertiser's, is used up. */
export async function listExhausted(db: Database, now: Date): Promise<readonly number[]> {
  const at = now.toISOString()
  const { rows } = await db.execute<{ campaignKey: number }>(sql`
    select c.id::float8 as "campaignKey" from budget_days d
      join campaigns c on (d.scope = 'campaign' and d.owner_id = c.id) or (d.scope = 'advertiser' and d.owner_id = c.advertiser_id)
      join advertisers v on v.id = c.advertiser_id
     where d.exhausted_at is not null and d.day = (${at}::timestamptz at time zone zone_or_utc(v.time_zone))::date
    union select campaign_id::float8 from campaign_totals where exhausted_at is not null`)
  return rows.map(({ campaignKey }) => campaignKey)
}

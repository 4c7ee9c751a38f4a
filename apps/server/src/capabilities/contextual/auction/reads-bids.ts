import type { Row } from '../../../platform/database/row.ts'
import { sql } from 'drizzle-orm'
import type { Database } from '../../../platform/database/connect.ts'
import type { SiteBid } from './auction.ts'
import type { ContentOfAdProduct } from '../classify/taxonomy.ts'

type BidRow = Omit<SiteBid, 'contentIds' | 'isCategoryTargeted' | 'cpmMicros'> & {
  readonly bidMicros: number
  readonly maxBidMicros: number
  readonly mayExceed: boolean
  readonly pricing: 'cpm' | 'cpc'
  readonly categories: readonly string[]
  readonly adProduct: string | null
}

const BIDS_MAX = 200_000
/** Clicks per thousand impressions assumed for a click bid without evidence. */
const CLICKS_PER_THOUSAND = 12

/** Every ad booked on a placement of the site, with what may keep it from running there. */
export async function listSiteBids(
  db: Database,
  { siteId, now, contentOf }: { siteId: bigint; now: Date; contentOf: ContentOfAdProduct },
): Promise<readonly SiteBid[]> {
  const at = now.toISOString()
  const { rows } = await db.execute<Row<BidRow>>(sql`
    select a.id::float8 as "adKey", c.id::float8 as "campaignKey", v.id::float8 as "advertiserKey",
           b.id::float8 as "bannerKey", p.id::float8 as "placementKey",
           a.bid_micros::float8 as "bidMicros", c.max_bid_micros::float8 as "maxBidMicros",
           c.may_exceed_max_bid as "mayExceed", c.pricing, c.categories,
           coalesce(c.ad_product_category, b.ad_product_category) as "adProduct",
           p.floor_micros::float8 as "floorMicros",
           not s.approval_required or coalesce(r.status = 'approved', false) as "isApproved",
           c.status <> 'active' or coalesce(c.starts_at > ${at}::timestamptz, false)
             or coalesce(c.ends_at <= ${at}::timestamptz, false) as "isPaused",
           exists (select 1 from advertiser_site_blocks x
                    where x.advertiser_id = v.id and x.site_id = s.id)
             or coalesce(r.status in ('rejected', 'flagged'), false) as "isSiteRefused",
           p.mode = 'direct' or not p.is_active or v.currency <> u.currency
             or not (b.width is null or b.height is null or b.media_variants is not null
                     or (b.width = t.width and b.height = t.height)) as "isMisplaced",
           exists (select 1 from blocked_ad_products x where x.site_id = s.id
                    and x.ad_product_category in (c.ad_product_category, b.ad_product_category)) as "isBlocked",
           exists (select 1 from budget_days d
                    where d.day = (${at}::timestamptz at time zone zone_or_utc(v.time_zone))::date and d.exhausted_at is not null
                      and ((d.scope = 'campaign' and d.owner_id = c.id)
                        or (d.scope = 'advertiser' and d.owner_id = v.id)))
             or coalesce(k.exhausted_at is not null, false) as "isExhausted",
           a.status = 'active' and e.status = 'active' and b.is_active
             and coalesce(b.expires_at > ${at}::timestamptz, true) as "hasCreative",
           exists (select 1 from campaign_targeting_rules x where x.campaign_id = c.id and x.is_active) as "isTargeted"
      from slots t
      join sites s on s.id = t.site_id
      join placements p on p.id = t.placement_id and p.deleted_at is null
      join publishers u on u.id = p.publisher_id
      join campaign_placements l on l.placement_id = p.id and l.is_active
      join campaigns c on c.id = l.campaign_id and c.deleted_at is null and c.channel = 'onsite'
      join advertisers v on v.id = c.advertiser_id and v.deleted_at is null
      join ads a on a.campaign_id = c.id and a.deleted_at is null
      join ad_sets e on e.id = a.ad_set_id and e.deleted_at is null
      join banners b on b.id = a.banner_id and b.deleted_at is null
      left join creative_approvals r on r.site_id = s.id and r.banner_id = b.id
      left join campaign_totals k on k.campaign_id = c.id
     where t.site_id = ${siteId} and t.deleted_at is null
     limit ${BIDS_MAX}`)
  return rows.map((row) => bidOf(row, contentOf))
}

function bidOf(row: BidRow, contentOf: ContentOfAdProduct): SiteBid {
  const { bidMicros, maxBidMicros, mayExceed, pricing, categories, adProduct, ...bid } = row
  const capped = mayExceed || maxBidMicros === 0 ? bidMicros : Math.min(bidMicros, maxBidMicros)
  const isCategoryTargeted = categories.length > 0
  const derived = adProduct === null ? undefined : contentOf(adProduct)
  const about = derived === undefined ? [] : [derived]
  return {
    ...bid,
    cpmMicros: pricing === 'cpc' ? capped * CLICKS_PER_THOUSAND : capped,
    contentIds: isCategoryTargeted ? [...new Set(categories)] : about,
    isCategoryTargeted,
  }
}

const WANTED_MAX = 10_000

/** Content categories and ad products that active campaigns name, without duplicates. */
export async function listWanted(db: Database) {
  const { rows } = await db.execute<
    Row<{ readonly categories: readonly string[]; readonly adProduct: string | null }>
  >(sql`
    select distinct categories, ad_product_category as "adProduct" from campaigns
     where status = 'active' and deleted_at is null and channel = 'onsite' limit ${WANTED_MAX}`)
  return rows
}

export interface BidNames {
  readonly adKey: number
  readonly placementKey: number
  readonly placement: string
  readonly campaignId: string
  readonly campaignName: string
  readonly advertiserName: string
  readonly currency: string
  readonly bannerId: string
  readonly bannerTitle: string
}

/** Names of the campaigns, ads and placements behind bids. */
export async function listBidNames(
  db: Database,
  bids: readonly Pick<SiteBid, 'adKey' | 'placementKey'>[],
): Promise<readonly BidNames[]> {
  const { rows } = await db.execute<Row<BidNames>>(sql`
    select a.id::float8 as "adKey", p.id::float8 as "placementKey", p.slug as placement,
           c.public_id as "campaignId", c.name as "campaignName", v.name as "advertiserName", v.currency,
           b.public_id as "bannerId", b.title as "bannerTitle"
      from unnest(${sql.param(bids.map(({ adKey }) => adKey))}::bigint[],
                  ${sql.param(bids.map(({ placementKey }) => placementKey))}::bigint[]) as n (ad_id, placement_id)
      join ads a on a.id = n.ad_id join placements p on p.id = n.placement_id
      join campaigns c on c.id = a.campaign_id join advertisers v on v.id = c.advertiser_id
      join banners b on b.id = a.banner_id`)
  return rows
}

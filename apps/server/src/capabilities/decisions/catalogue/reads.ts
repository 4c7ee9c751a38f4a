import { type SQL, sql } from 'drizzle-orm'
import type { Database } from '../../../platform/database/connect.ts'
import type { TableRow, TableRows } from './catalogue-rows.ts'
import { SPAN_UNITS } from './applied-rows.ts'

/**
 * How one table of the catalogue is read. `unit` is what the change feed names: the row itself, or
 * the parent of a few rows. `stamp` changes with every write to the row or to the parents it reads;
 * xmin also catches writes that did not raise the version.
 */
interface TableQuery {
  readonly unit: SQL
  readonly stamp: SQL
  readonly columns: SQL
  readonly from: SQL
  readonly where: SQL
}

const always = sql`true`

/**
 * Instants as milliseconds, keys and money as doubles: exact below 2^53, and plain numbers in
 * JavaScript.
 */
const TABLE_QUERIES: { readonly [Table in keyof TableRows]: TableQuery } = {
  advertisers: {
    unit: sql`v.id`,
    stamp: sql`v.xmin`,
    columns: sql`v.public_id as "publicId", v.name, v.domain, v.time_zone as "timeZone",
      v.budget_daily_micros::float8 as "dailyMicros"`,
    from: sql`advertisers v`,
    where: sql`v.deleted_at is null`,
  },
  sites: {
    unit: sql`s.id`,
    stamp: sql`s.xmin, p.time_zone`,
    columns: sql`s.public_id as "publicId", s.domain, s.approval_required as "approvalRequired", s.pacing,
      s.is_active as "isActive", s.domain_state = 'proven' as "isProven", p.time_zone as "timeZone",
      p.account_id::float8 as "accountKey"`,
    from: sql`sites s join publishers p on p.id = s.publisher_id
      join accounts o on o.id = p.account_id`,
    where: sql`coalesce(s.deleted_at, p.deleted_at, o.deleted_at) is null`,
  },
  placements: {
    unit: sql`p.id`,
    stamp: sql`p.xmin, u.currency, t.xmin, s.is_active, s.deleted_at, s.domain_state`,
    columns: sql`p.public_id as "publicId", p.slug, p.type, p.layout_type as "layoutType", p.mode,
      p.rotation, p.max_banners as "maxBanners", p.recommended_width as "recommendedWidth",
      p.recommended_height as "recommendedHeight",
      p.recommended_aspect_ratio as "recommendedAspectRatio", p.formats,
      p.floor_micros::float8 as "floorMicros", p.time_zone as "timeZone",
      p.is_active and (s.id is null or (s.is_active and s.deleted_at is null and s.domain_state = 'proven'))
        as "isActive",
      p.fallback_placeholder_url as "placeholderUrl",
      p.allow_partial_render as "allowPartialRender", u.currency, s.id::float8 as "siteKey",
      t.width as "slotWidth", t.height as "slotHeight",
      u.id::float8 as "publisherKey", u.account_id::float8 as "accountKey"`,
    from: sql`placements p join publishers u on u.id = p.publisher_id
      join accounts o on o.id = u.account_id
      left join slots t on t.placement_id = p.id and t.deleted_at is null
      left join sites s on s.id = t.site_id`,
    where: sql`coalesce(p.deleted_at, u.deleted_at, o.deleted_at) is null`,
  },
  campaigns: {
    unit: sql`c.id`,
    stamp: sql`c.xmin, v.currency, coalesce(t.impressions >= c.impression_cap, false),
      coalesce(t.clicks >= c.click_cap, false)`,
    columns: sql`c.public_id as "publicId", c.advertiser_id::float8 as "advertiserKey", c.status,
      c.source, v.is_house as "isHouse", c.contract_ref as "contractRef", c.pricing, v.currency, c.max_bid_micros::float8 as "maxBidMicros",
      c.may_exceed_max_bid as "mayExceedMax", c.target_cpa_micros::float8 as "targetMicros", c.pacing_strategy as strategy,
      c.priority, c.categories, c.runs_on_unknown_pages as "runsOnUnknownPages",
      c.ad_product_category as "adProductCategory", c.exclusion_labels as "exclusionLabels", extract(epoch from c.starts_at)::float8 * 1000 as "startsAtMs",
      extract(epoch from c.ends_at)::float8 * 1000 as "endsAtMs",
      c.budget_total_micros::float8 as "totalMicros",
      c.budget_daily_micros::float8 as "dailyMicros",
      coalesce(t.impressions >= c.impression_cap, false) as "impressionCapReached",
      coalesce(t.clicks >= c.click_cap, false) as "clickCapReached"`,
    from: sql`campaigns c join advertisers v on v.id = c.advertiser_id
      join accounts o on o.id = v.account_id left join campaign_totals t on t.campaign_id = c.id`,
    where: sql`coalesce(c.deleted_at, v.deleted_at, o.deleted_at) is null
      and c.channel = 'onsite'`,
  },
  ads: {
    unit: sql`a.id`,
    stamp: sql`a.xmin, s.status`,
    columns: sql`a.public_id as "publicId", a.campaign_id::float8 as "campaignKey",
      a.banner_id::float8 as "bannerKey", a.bid_micros::float8 as "bidMicros",
      a.status = 'active' and s.status = 'active' as "isActive"`,
    from: sql`ads a join ad_sets s on s.id = a.ad_set_id`,
    where: sql`coalesce(a.deleted_at, s.deleted_at) is null`,
  },
  banners: {
    unit: sql`b.id`,
    stamp: sql`b.xmin`,
    columns: sql`b.public_id as "publicId", b.advertiser_id::float8 as "advertiserKey", b.format,
      b.is_active as "isActive", b.schedule_status as "scheduleStatus",
      b.schedule_timezone as "timeZone", b.recurrence_rule as "recurrenceRule",
      b.recurrence_window_start::text as "windowStart", b.recurrence_window_end::text as "windowEnd",
      extract(epoch from b.publish_at)::float8 * 1000 as "publishAtMs",
      extract(epoch from b.expires_at)::float8 * 1000 as "expiresAtMs", b.width, b.height,
      b.ad_product_category as "adProductCategory", b.priority,
      b.is_evergreen_fallback and v.is_house as "evergreenFallback",
      v.house_publisher_id::float8 as "housePublisherKey", b.description, b.headline, b.subheadline,
      b.primary_image_url as "imageUrl", b.primary_image_alt as "imageAlt",
      b.mobile_image_url as "mobileImageUrl", b.media_variants as variants,
      b.video_url as "videoUrl", b.video_files as "videoFiles",
      b.video_skip_after_ms as "videoSkipAfterMs", b.vast_url as "vastUrl",
      b.ad_verifications as "adVerifications", b.html, b.fallback_placeholder_url as "placeholderUrl", b.cta_label as "ctaLabel", b.cta_url as "ctaUrl",
      b.cta_open_new_tab as "ctaOpenNewTab", b.bg_color as "bgColor", b.utm_source as "utmSource",
      b.utm_medium as "utmMedium", b.utm_campaign as "utmCampaign", b.utm_content as "utmContent"`,
    from: sql`banners b join advertisers v on v.id = b.advertiser_id
      join accounts o on o.id = v.account_id`,
    where: sql`coalesce(b.deleted_at, v.deleted_at, o.deleted_at) is null`,
  },
  campaign_placements: {
    unit: sql`l.campaign_id`,
    stamp: sql`l.xmin`,
    columns: sql`l.placement_id::float8 as "placementKey", l.is_active as "isActive"`,
    from: sql`campaign_placements l`,
    where: always,
  },
  banner_assignments: {
    unit: sql`a.campaign_id`,
    stamp: sql`a.xmin`,
    columns: sql`a.id::float8 as key, a.placement_id::float8 as "placementKey",
      a.banner_id::float8 as "bannerKey", a.is_active as "isActive",
      a.display_order as "displayOrder", a.weight, a.is_fallback as "isFallback",
      a.fallback_priority as "fallbackPriority", a.override_headline as headline,
      a.override_subheadline as subheadline, a.override_cta_label as "ctaLabel",
      a.override_cta_url as "ctaUrl", a.transition_duration_ms as "transitionDurationMs"`,
    from: sql`banner_assignments a`,
    where: always,
  },
  campaign_targeting_rules: {
    unit: sql`r.campaign_id`,
    stamp: sql`r.xmin`,
    columns: sql`r.id::float8 as key, r.rule_type as type, r.operator, r.value,
      r.is_active as "isActive"`,
    from: sql`campaign_targeting_rules r`,
    where: always,
  },
  frequency_caps: {
    unit: sql`f.id`,
    stamp: sql`f.xmin`,
    columns: sql`f.ad_id::float8 as "adKey", f.campaign_id::float8 as "campaignKey",
      f.advertiser_id::float8 as "advertiserKey", f.max_impressions_per_user as "impressionsMax",
      f."window"`,
    from: sql`frequency_caps f`,
    where: always,
  },
  advertiser_site_blocks: {
    unit: sql`k.advertiser_id`,
    stamp: sql`k.xmin`,
    columns: sql`k.site_id::float8 as "siteKey"`,
    from: sql`advertiser_site_blocks k`,
    where: always,
  },
  site_ad_product_blocks: {
    unit: sql`k.site_id`,
    stamp: sql`k.ad_product_category`,
    columns: sql`k.ad_product_category as category`,
    from: sql`blocked_ad_products k`,
    where: always,
  },
  creative_approvals: {
    unit: sql`a.id`,
    stamp: sql`a.xmin`,
    columns: sql`a.site_id::float8 as "siteKey", a.banner_id::float8 as "bannerKey"`,
    from: sql`creative_approvals a`,
    where: sql`a.status = 'approved'`,
  },
}

/** Tables without an applier of their own, or whose changes reach into rows of another table. */
const DEPENDENTS: readonly Dependent[] = [
  { parent: 'publishers', table: 'sites', of: (ids) => children(ids, 'sites', 'publisher_id') },
  {
    parent: 'publishers',
    table: 'placements',
    of: (ids) => children(ids, 'placements', 'publisher_id'),
  },
  {
    parent: 'sites',
    table: 'placements',
    of: (ids) => sql`select placement_id::float8 as unit from slots where site_id = any(${ids})`,
  },
  {
    parent: 'slots',
    table: 'placements',
    of: (ids) => sql`select placement_id::float8 as unit from slots where id = any(${ids})`,
  },
  { parent: 'ad_sets', table: 'ads', of: (ids) => children(ids, 'ads', 'ad_set_id') },
  {
    parent: 'advertisers',
    table: 'campaigns',
    of: (ids) => children(ids, 'campaigns', 'advertiser_id'),
  },
  {
    parent: 'advertisers',
    table: 'banners',
    of: (ids) => children(ids, 'banners', 'advertiser_id'),
  },
]

interface Dependent {
  readonly parent: string
  readonly table: keyof TableRows
  of(ids: SQL): SQL
}

const children = (ids: SQL, table: string, parent: string) =>
  sql`select id::float8 as unit from ${sql.identifier(table)} where ${sql.identifier(parent)} = any(${ids})`

const idList = (units: readonly number[]) => sql`${`{${units.join()}}`}::bigint[]`

/** Units of other tables whose rows include values of these parents. */
export async function findDependents(
  db: Database,
  parent: string,
  units: readonly number[],
): Promise<readonly { readonly table: keyof TableRows; readonly units: readonly number[] }[]> {
  const found = []
  for (const { table, of } of DEPENDENTS.filter((one) => one.parent === parent)) {
    const { rows } = await db.execute<{ unit: number }>(of(idList(units)))
    found.push({ table, units: rows.map(({ unit }) => unit) })
  }
  return found
}

/** Current rows of these units. A deleted unit has none. */
export async function listRows<Table extends keyof TableRows>(
  db: Database,
  table: Table,
  units: readonly number[],
): Promise<readonly TableRow<Table>[]> {
  const { unit, where } = TABLE_QUERIES[table]
  const { rows } = await db.execute(
    sql`${selectRows(table)} where ${unit} = any(${idList(units)}) and ${where}`,
  )
  return rows as unknown as TableRow<Table>[]
}

/** Rows per page: at start nothing waits; later, requests run between two pages. */
const LOAD_PAGE_ROWS = 5_000
const STAMP_PAGE_ROWS = 500

/**
 * All rows of a table, page by page. `db` must be a transaction: all pages come from its snapshot.
 */
export function pagesOfRows<Table extends keyof TableRows>(
  db: Database,
  table: Table,
): AsyncGenerator<readonly TableRow<Table>[]> {
  const query = sql`${selectRows(table)} where ${TABLE_QUERIES[table].where}`
  return pagesOf<TableRow<Table>>(db, query, { name: table, pageRows: LOAD_PAGE_ROWS })
}

/** Sums of stamps by span of units. PostgreSQL adds them up, so few rows are sent. */
export function pagesOfSums(
  db: Database,
  table: keyof TableRows,
): AsyncGenerator<readonly Summed[]> {
  const { unit, stamp, from, where } = TABLE_QUERIES[table]
  const query = sql`select (${unit} / ${sql.raw(String(SPAN_UNITS))})::float8 as span,
    sum(${stampOf(stamp)})::float8 as sum from ${from} where ${where} group by 1`
  return pagesOf<Summed>(db, query, { name: table, pageRows: STAMP_PAGE_ROWS })
}

/** The stamp of every row in these spans, to compare with the applied ones. */
export function pagesOfStamps(
  db: Database,
  table: keyof TableRows,
  spans: readonly number[],
): AsyncGenerator<readonly Stamped[]> {
  const { unit, from, where } = TABLE_QUERIES[table]
  const query = sql`select ${stamped(table)} from ${from}
    where ${where} and ${unit} / ${sql.raw(String(SPAN_UNITS))} = any(${idList(spans)})`
  return pagesOf<Stamped>(db, query, { name: table, pageRows: STAMP_PAGE_ROWS })
}

interface Summed {
  readonly span: number
  readonly sum: number
}

interface Stamped {
  readonly unit: number
  readonly stamp: number
}

const selectRows = (table: keyof TableRows) => {
  const { columns, from } = TABLE_QUERIES[table]
  return sql`select ${stamped(table)}, ${columns} from ${from}`
}

const stamped = (table: keyof TableRows) => {
  const { unit, stamp } = TABLE_QUERIES[table]
  return sql`${unit}::float8 as unit, ${stampOf(stamp)} as stamp`
}

const stampOf = (stamp: SQL) => sql`hashtext(concat_ws(',', ${stamp}))`

async function* pagesOf<Row>(
  db: Database,
  query: SQL,
  { name, pageRows }: { readonly name: string; readonly pageRows: number },
): AsyncGenerator<Row[]> {
  const cursor = sql.identifier(`all_${name}`)
  await db.execute(sql`declare ${cursor} no scroll cursor for ${query}`)
  for (;;) {
    const { rows } = await db.execute(sql`fetch ${sql.raw(String(pageRows))} from ${cursor}`)
    yield rows as unknown as Row[]
    if (rows.length < pageRows) break
  }
  await db.execute(sql`close ${cursor}`)
}

/** Plans cursors for reading all rows. By default PostgreSQL optimises for the first tenth. */
export async function planForAllRows(db: Database): Promise<void> {
  await db.execute(sql`set local cursor_tuple_fraction = 1`)
}

export async function countAds(db: Database): Promise<number> {
  const { rows } = await db.execute<{ count: number }>(
    sql`select count(*)::float8 as count from ads where deleted_at is null`,
  )
  return rows[0]!.count
}

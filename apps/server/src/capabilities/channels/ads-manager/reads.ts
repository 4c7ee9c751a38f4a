import { sql, type SQL } from 'drizzle-orm'
import type { Database } from '../../../platform/database/connect.ts'
import type { Level, StatCounts } from '../providers/stat.ts'
import { countsFrom } from '../sync/store-sync.ts'

export interface ListQuery {
  readonly scope: { readonly isPlatform: boolean; readonly accountId: bigint }
  readonly from: string
  readonly to: string
  readonly after: string | undefined
  readonly limit: number
  readonly filters: Readonly<Record<string, unknown>>
}

export interface ListedThing {
  readonly publicId: string
  readonly currency: string
  readonly counts: StatCounts
  readonly fields: Readonly<Record<string, unknown>>
}

const FROM: Readonly<Record<Level, SQL>> = {
  CAMPAIGN: sql`campaigns t
    left join channel_connections f on f.id = t.connection_id
    left join sellpages p on p.id = t.sellpage_id`,
  ADSET: sql`ad_sets t join campaigns c on c.id = t.campaign_id`,
  AD: sql`ads t join campaigns c on c.id = t.campaign_id join ad_sets s on s.id = t.ad_set_id`,
}

const FIELDS: Readonly<Record<Level, SQL>> = {
  CAMPAIGN: sql`t.channel, f.public_id as "connectionId", p.public_id as "sellpageId",
    t.budget_daily_micros::text as "budgetDailyMicros", t.budget_total_micros::text as "budgetTotalMicros"`,
  ADSET: sql`c.public_id as "campaignId"`,
  AD: sql`c.public_id as "campaignId", s.public_id as "adSetId"`,
}

const ADVERTISER: Readonly<Record<Level, SQL>> = {
  CAMPAIGN: sql`t.advertiser_id`,
  ADSET: sql`c.advertiser_id`,
  AD: sql`c.advertiser_id`,
}

/** The column that each filter compares. */
const FILTERS: Readonly<Record<string, (value: unknown) => SQL>> = {
  status: (value) => sql`t.status = ${value}`,
  channel: (value) => sql`t.channel = ${value}`,
  connectionId: (value) => sql`f.public_id = ${value}::uuid`,
  sellpageId: (value) => sql`p.public_id = ${value}::uuid`,
  campaignId: (value) => sql`c.public_id = ${value}::uuid`,
  adSetId: (value) => sql`s.public_id = ${value}::uuid`,
  search: (value) => sql`strpos(lower(t.name), lower(${value})) > 0`,
  delivery: (value) => (value === 'delivering' ? sql`d.impressions > 0` : sql`d.impressions = 0`),
}

const SUMS = sql`
  coalesce(sum(spend_micros), 0)::bigint as spend_micros, coalesce(sum(impressions), 0)::bigint as impressions,
  coalesce(sum(link_clicks), 0)::bigint as link_clicks, coalesce(sum(content_views), 0) as content_views,
  coalesce(sum(add_to_cart), 0) as add_to_cart, coalesce(sum(checkout_initiated), 0) as checkout_initiated,
  coalesce(sum(purchases), 0) as purchases, coalesce(sum(purchase_value_micros), 0)::bigint as purchase_value_micros`

/** Things of a level with their sums over the range. */
function things(level: Level, { scope, from, to, filters }: ListQuery): SQL {
  const conditions = Object.entries(filters).flatMap(([name, value]) =>
    value === undefined ? [] : [FILTERS[name]!(value)],
  )
  const own = scope.isPlatform ? [] : [sql`t.account_id = ${String(scope.accountId)}::bigint`]
  return sql`
    select t.public_id as "publicId", t.name, t.status, t.external_id as "externalId", a.currency,
           ${FIELDS[level]}, d.*
      from ${FROM[level]}
      join advertisers a on a.id = ${ADVERTISER[level]}
     cross join lateral (
       select ${SUMS} from ad_stats_daily s
        where s.entity_id = t.id and s.entity_type = ${level}
          and s.stat_date between ${from}::date and ${to}::date) d
     where ${sql.join([sql`t.deleted_at is null`, ...own, ...conditions], sql` and `)}`
}

/** Newest first. */
export async function listThings(
  db: Database,
  level: Level,
  query: ListQuery,
): Promise<readonly ListedThing[]> {
  const { rows } = await db.execute(sql`
    select * from (${things(level, query)}) found
     where ${query.after ?? null}::uuid is null or "publicId" < ${query.after ?? null}::uuid
     order by "publicId" desc limit ${query.limit}`)
  return rows.map((row) => ({
    publicId: row['publicId'] as string,
    currency: row['currency'] as string,
    counts: countsFrom(row),
    fields: row,
  }))
}

export interface Summary {
  readonly currency: string
  readonly rows: number
  readonly counts: StatCounts
}

export async function sumThings(
  db: Database,
  level: Level,
  query: ListQuery,
): Promise<readonly Summary[]> {
  const { rows } = await db.execute(sql`
    select currency, count(*)::int as rows, ${SUMS} from (${things(level, query)}) found
     group by currency order by currency`)
  return rows.map((row) => ({
    currency: row['currency'] as string,
    rows: row['rows'] as number,
    counts: countsFrom(row),
  }))
}

export async function isVisible(
  db: Database,
  parent: { readonly table: 'campaigns' | 'ad_sets'; readonly publicId: string },
  scope: ListQuery['scope'],
): Promise<boolean> {
  const { rows } = await db.execute(sql`
    select 1 from ${sql.identifier(parent.table)}
     where public_id = ${parent.publicId} and deleted_at is null
       and (${scope.isPlatform}::boolean or account_id = ${String(scope.accountId)}::bigint)`)
  return rows.length === 1
}

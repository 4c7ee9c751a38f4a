import type { Row } from '../../../platform/database/row.ts'
import { sql, type SQL } from 'drizzle-orm'
import { plainArray } from '../../../platform/database/arrays.ts'
import type { Database } from '../../../platform/database/connect.ts'
import type {
  AdSource,
  Level,
  ProviderName,
  RawStatRow,
  StatCounts,
  StatEntity,
} from '../providers/stat.ts'
import { deriveStats } from '../providers/stat.ts'

export interface EligibleQuery {
  /** The first day of the request. */
  readonly from: string
  readonly providers: readonly ProviderName[]
  readonly now: Date
  readonly after: string
  readonly limit: number
}

/**
 * A running or paused campaign, or an ended one that still ran within the range, because
 * conversions come late.
 */
const isSynced = (
  from: string,
): SQL => sql`c.deleted_at is null and (c.status in ('active', 'paused')
  or c.status = 'ended' and c.updated_at >= ${from}::date::timestamp at time zone 'UTC')`

/** Advertisers with a campaign to sync, in an active ad account that may be called now. */
export async function listEligible(db: Database, query: EligibleQuery) {
  const { rows } = await db.execute<Row<{ readonly key: string; readonly id: string }>>(sql`
    select a.id::text as key, a.public_id as id
      from advertisers a
     where a.id > ${query.after}::bigint and a.deleted_at is null
       and exists (
         select 1 from campaigns c
           join channel_connections f on f.id = c.connection_id
          where c.advertiser_id = a.id and ${isSynced(query.from)}
            and f.connection_type = 'AD_ACCOUNT' and f.is_active and f.deleted_at is null
            and f.provider = any (${plainArray(query.providers)}::text[])
            and (f.rests_until is null or f.rests_until <= ${query.now.toISOString()}::timestamptz))
     order by a.id
     limit ${query.limit}`)
  return rows
}

export interface SyncedEntity extends StatEntity {
  readonly key: string
}

/** One ad account, and the things to request figures for. */
export interface SyncedConnection {
  readonly key: string
  readonly provider: ProviderName
  readonly externalId: string | undefined
  readonly sealedCredentials: string | undefined
  /** The account wants no calls before then. */
  readonly restsUntil: Date | undefined
  readonly currency: string
  readonly entities: readonly SyncedEntity[]
}

const THINGS: Readonly<Record<Level, SQL>> = {
  CAMPAIGN: sql`(select id as thing_id, public_id as thing, external_id as outside, id as campaign_id, 0 as ads
                   from campaigns)`,
  ADSET: sql`(select id, public_id, external_id, campaign_id, 0 from ad_sets where deleted_at is null)`,
  AD: sql`(select x.id, x.public_id, x.external_id, x.campaign_id,
                  (select count(*)::int from ads y where y.ad_set_id = x.ad_set_id and y.deleted_at is null)
             from ads x join ad_sets s on s.id = x.ad_set_id
            where x.deleted_at is null and s.deleted_at is null)`,
}

export interface EntityQuery {
  readonly advertiserId: string
  readonly level: Level
  readonly from: string
  readonly providers: readonly ProviderName[]
  readonly now: Date
}

/** What to sync for an advertiser on a level, by ad account. */
export async function listConnections(
  db: Database,
  { advertiserId, level, from, providers, now }: EntityQuery,
): Promise<readonly SyncedConnection[]> {
  const { rows } = await db.execute<SyncedRow>(sql`
    select f.id::text as connection, f.provider, f.external_id as account, f.sealed_credentials as sealed,
           case when f.rests_until > ${now.toISOString()}::timestamptz then f.rests_until::text end as rests, a.currency, e.thing_id::text as key, e.thing as id,
           e.outside, e.ads, c.budget_daily_micros as daily, c.budget_total_micros as total,
           (select count(*)::int from ad_sets s where s.campaign_id = c.id and s.deleted_at is null) as ad_sets
      from advertisers a
      join campaigns c on c.advertiser_id = a.id and ${isSynced(from)}
      join channel_connections f on f.id = c.connection_id
      join ${THINGS[level]} as e (thing_id, thing, outside, campaign_id, ads) on e.campaign_id = c.id
     where a.public_id = ${advertiserId} and a.deleted_at is null
       and f.connection_type = 'AD_ACCOUNT' and f.is_active and f.deleted_at is null
       and f.provider = any (${plainArray(providers)}::text[])
     order by f.id, e.thing_id`)
  const byConnection = Map.groupBy(rows, ({ connection }) => connection)
  return [...byConnection.values()].map((members) => connectionFrom(members[0]!, members))
}

type SyncedRow = {
  connection: string
  provider: ProviderName
  account: string | null
  sealed: string | null
  rests: string | null
  currency: string
  key: string
  id: string
  outside: string | null
  daily: string | null
  total: string | null
  ad_sets: number
  ads: number
}

const connectionFrom = (row: SyncedRow, members: readonly SyncedRow[]): SyncedConnection => ({
  key: row.connection,
  provider: row.provider,
  externalId: row.account ?? undefined,
  sealedCredentials: row.sealed ?? undefined,
  restsUntil: row.rests === null ? undefined : new Date(row.rests),
  currency: row.currency,
  entities: members.map(entityFrom),
})

const entityFrom = (row: SyncedRow): SyncedEntity => ({
  key: row.key,
  id: row.id,
  externalId: row.outside ?? undefined,
  budget: {
    dailyMicros: row.daily === null ? undefined : BigInt(row.daily),
    totalMicros: row.total === null ? undefined : BigInt(row.total),
    adSets: row.ad_sets,
    ads: row.ads,
  },
})

export async function findAdvertiserKey(db: Database, publicId: string) {
  const { rows } = await db.execute<{ key: string }>(
    sql`select id::text as key from advertisers where public_id = ${publicId}`,
  )
  return rows[0]?.key
}

/** One sync of an advertiser's level writes at a time, so that the last answer stays the last. */
export async function lockLevel(db: Database, advertiserKey: string, level: Level): Promise<void> {
  await db.execute(
    sql`select pg_advisory_xact_lock(hashtextextended(${`channels ${level} ${advertiserKey}`}, 0))`,
  )
}

export interface Written {
  readonly advertiserKey: string
  readonly level: Level
  readonly provider: ProviderName
  readonly adSource: AdSource
  readonly entities: readonly SyncedEntity[]
}

const COUNTS = sql`spend_micros, impressions, link_clicks, content_views, add_to_cart, checkout_initiated,
  purchases, purchase_value_micros`
const DERIVED = sql`cpm, ctr, cpc, cost_per_purchase, roas`
const TYPED = sql`spend_micros bigint, impressions bigint, link_clicks bigint, content_views numeric,
  add_to_cart numeric, checkout_initiated numeric, purchases numeric, purchase_value_micros bigint,
  cpm numeric, ctr numeric, cpc numeric, cost_per_purchase numeric, roas numeric`

const columnsOf = (counts: StatCounts) => {
  const { cpm, ctr, cpc, costPerPurchase, roas } = deriveStats(counts)
  return {
    spend_micros: String(counts.spendMicros),
    impressions: counts.impressions,
    link_clicks: counts.linkClicks,
    content_views: counts.contentViews,
    add_to_cart: counts.addToCart,
    checkout_initiated: counts.checkoutInitiated,
    purchases: counts.purchases,
    purchase_value_micros: String(counts.purchaseValueMicros),
    cpm,
    ctr,
    cpc,
    cost_per_purchase: costPerPurchase,
    roas,
  }
}

const RAW_ROWS_MAX = 5_000

/** Stores a provider's rows unchanged. */
export async function insertRaw(db: Database, written: Written, reported: readonly RawStatRow[]) {
  const keys = new Map(written.entities.map(({ id, key }) => [id, key]))
  for (let at = 0; at < reported.length; at += RAW_ROWS_MAX) {
    await insertRawPart(db, { written, keys, reported: reported.slice(at, at + RAW_ROWS_MAX) })
  }
}

interface RawPart {
  readonly written: Written
  readonly keys: ReadonlyMap<string, string>
  readonly reported: readonly RawStatRow[]
}

async function insertRawPart(db: Database, { written, keys, reported }: RawPart): Promise<void> {
  const { advertiserKey, level, provider } = written
  const rows = reported.map((row) => ({
    entity_id: keys.get(row.entityId),
    external_entity_id: row.externalEntityId,
    fetched_at: row.fetchedAt.toISOString(),
    date_start: row.dateStart,
    date_stop: row.dateStop,
    ...columnsOf(row),
  }))
  await db.execute(sql`
    insert into ad_stats_raw (advertiser_id, entity_type, provider, entity_id, external_entity_id, fetched_at,
                              date_start, date_stop, ${COUNTS}, ${DERIVED})
    select ${advertiserKey}::bigint, ${level}::text, ${provider}::text, entity_id, external_entity_id, fetched_at,
           date_start, date_stop, ${COUNTS}, ${DERIVED}
      from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb)
        as r (entity_id bigint, external_entity_id text, fetched_at timestamptz, date_start date, date_stop date,
              ${TYPED})`)
}

const SUMMED = sql`coalesce(sum(spend_micros), 0)::bigint as spend_micros,
  coalesce(sum(impressions), 0)::bigint as impressions, coalesce(sum(link_clicks), 0)::bigint as link_clicks,
  coalesce(sum(content_views), 0) as content_views, coalesce(sum(add_to_cart), 0) as add_to_cart,
  coalesce(sum(checkout_initiated), 0) as checkout_initiated, coalesce(sum(purchases), 0) as purchases,
  coalesce(sum(purchase_value_micros), 0)::bigint as purchase_value_micros`

/** How the answers of one day become its figures. */
const DAY_OF: Readonly<Record<'latest' | 'sum', (which: SQL) => SQL>> = {
  latest: (which) => sql`
    select ${COUNTS}, fetched_at from ad_stats_raw r where ${which} order by fetched_at desc, id desc limit 1`,
  sum: (which) => sql`
    select ${SUMMED}, max(fetched_at) as fetched_at from ad_stats_raw r where ${which} having count(*) > 0`,
}

export interface Range {
  readonly from: string
  readonly to: string
}

/** Computes the days from all stored answers about them. */
export async function rollUpDays(
  db: Database,
  written: Written,
  { from, to, days }: Range & { readonly days: 'latest' | 'sum' },
): Promise<number> {
  const { advertiserKey, level, provider, adSource, entities } = written
  const which = sql`r.entity_id = e.id and r.entity_type = ${level} and r.date_start = d.day::date
    and r.provider = ${provider}`
  const { rows } = await db.execute(sql`
    select e.id::text as key, d.day::date::text as day, told.*, told.fetched_at::text as fetched
      from unnest(${plainArray(entities.map(({ key }) => key))}::bigint[]) as e (id)
     cross join generate_series(${from}::date, ${to}::date, interval '1 day') as d (day)
     cross join lateral (${DAY_OF[days](which)}) told`)
  const found = rows.map((row) => ({
    entity_id: row['key'],
    stat_date: row['day'],
    fetched_at: row['fetched'],
    ...columnsOf(countsFrom(row)),
  }))
  await db.execute(sql`
    insert into ad_stats_daily (advertiser_id, entity_type, ad_source, entity_id, stat_date, fetched_at,
                                ${COUNTS}, ${DERIVED})
    select ${advertiserKey}::bigint, ${level}::text, ${adSource}::text, entity_id, stat_date, fetched_at,
           ${COUNTS}, ${DERIVED}
      from jsonb_to_recordset(${JSON.stringify(found)}::jsonb)
        as r (entity_id bigint, stat_date date, fetched_at timestamptz, ${TYPED})
    on conflict (advertiser_id, entity_type, entity_id, stat_date) do update set
      (ad_source, fetched_at, ${COUNTS}, ${DERIVED}) =
      (excluded.ad_source, excluded.fetched_at, ${excluded(COUNT_NAMES)}, ${excluded(DERIVED_NAMES)})`)
  return found.length
}

const COUNT_NAMES = [
  'spend_micros',
  'impressions',
  'link_clicks',
  'content_views',
  'add_to_cart',
  'checkout_initiated',
  'purchases',
  'purchase_value_micros',
]
const DERIVED_NAMES = ['cpm', 'ctr', 'cpc', 'cost_per_purchase', 'roas']
const excluded = (names: readonly string[]) =>
  sql.raw(names.map((name) => `excluded.${name}`).join(', '))

/** Counts as a query returns them. */
export const countsFrom = (row: Record<string, unknown>): StatCounts => ({
  spendMicros: BigInt(row['spend_micros'] as string),
  impressions: Number(row['impressions']),
  linkClicks: Number(row['link_clicks']),
  contentViews: Number(row['content_views']),
  addToCart: Number(row['add_to_cart']),
  checkoutInitiated: Number(row['checkout_initiated']),
  purchases: Number(row['purchases']),
  purchaseValueMicros: BigInt(row['purchase_value_micros'] as string),
})

const TRIMMED_AT_ONCE = 20_000

/** Deletes some raw answers about days before one, and returns their number. The days stay. */
export async function trimRaw(db: Database, before: string): Promise<number> {
  const { rowCount } = await db.execute(sql`
    delete from ad_stats_raw where id in (
      select id from ad_stats_raw
       where fetched_at < ${before}::date::timestamp at time zone 'UTC' and date_stop < ${before}::date
       limit ${TRIMMED_AT_ONCE})`)
  return rowCount ?? 0
}

import { NO_CURRENCY } from '@placard/money'
import { sql, type SQL } from 'drizzle-orm'
import type { Database } from '../../platform/database/connect.ts'
import { type FeedCursor, readFeed } from '../../platform/database/ordered-feed.ts'
import { type Batch, settledFeed } from '../tracking/index.ts'
import { batchesWhere, conversionPlaces } from './reads-happened.ts'

/** Where the sums are read from. */
export type StatsSource = 'tracking' | 'conversions'

const BATCHES_MAX = 400
const EVENTS_PER_STEP = 50_000
const CONVERSIONS_PER_STEP = 5_000

/** Adds what was settled since the last step; returns how many events, and whether there is more. */
export async function addSettled(db: Database): Promise<{ events: number; hasMore: boolean }> {
  return db.transaction(async (db) => {
    const after = await lockCursor(db, 'tracking')
    const page = await readFeed(db, settledFeed, { after, limit: BATCHES_MAX })
    const taken = countToTake(page.rows)
    if (taken === 0) return { events: 0, hasMore: false }
    const batches = page.rows.slice(0, taken)
    await addToSums(db, quartersOf({ settled: settledRows(batchesWhere(batches)) }))
    await moveCursor(db, 'tracking', page.places[taken - 1]!)
    const events = batches.reduce((sum, { rows }) => sum + rows, 0)
    return { events, hasMore: taken < page.rows.length || page.state === 'more' }
  })
}

function countToTake(batches: readonly Batch[]): number {
  let events = 0
  const last = batches.findIndex(({ rows }) => (events += rows) >= EVENTS_PER_STEP)
  return last === -1 ? batches.length : last + 1
}

/** The same for conversions. */
export async function addConverted(db: Database): Promise<{ events: number; hasMore: boolean }> {
  return db.transaction(async (db) => {
    const after = await lockCursor(db, 'conversions')
    const query = { after, limit: CONVERSIONS_PER_STEP }
    const page = await readFeed(db, conversionPlaces, query)
    const last = page.places.at(-1)
    if (!last) return { events: 0, hasMore: false }
    const { xid, id } = after
    const converted = convertedRows(sql`(c.xid, c.id) > (${`${xid}`}::xid8, ${`${id}`}::bigint)
      and (c.xid, c.id) <= (${`${last.xid}`}::xid8, ${`${last.id}`}::bigint)`)
    await addToSums(db, quartersOf({ converted }))
    await moveCursor(db, 'conversions', last)
    return { events: page.rows.length, hasMore: page.state === 'more' }
  })
}

/** Held until the transaction ends: sums are added, or a day worked out anew, one after the other. */
async function lockCursor(db: Database, source: StatsSource): Promise<FeedCursor> {
  const { rows } = await db.execute(
    sql`select xid, id from stats_cursors where source = ${source} for update`,
  )
  return { xid: BigInt(rows[0]!['xid'] as string), id: BigInt(rows[0]!['id'] as string) }
}

async function moveCursor(db: Database, source: StatsSource, { xid, id }: FeedCursor) {
  await db.execute(sql`
    update stats_cursors set xid = ${`${xid}`}::xid8, id = ${`${id}`}::bigint, moved_at = now()
     where source = ${source}`)
}

/**
 * A UTC day once more, from what happened: as if it had never been added up. Settlement of the day
 * waits meanwhile. What is settled but not added yet is left to be added.
 */
export async function rebuildDay(db: Database, day: string): Promise<void> {
  await db.transaction(async (db) => {
    await db.execute(
      sql.raw(
        `set local statement_timeout = '${REBUILD_TIME}'; set local work_mem = '${REBUILD_MEMORY}';
         set local enable_mergejoin = off`,
      ),
    )
    const settled = await lockCursor(db, 'tracking')
    const converted = await lockCursor(db, 'conversions')
    await db.execute(
      sql`select pg_advisory_xact_lock(hashtextextended(${`placard-stats ${day}`}, 0))`,
    )
    const happened = convertedOn(day, converted)
    const quarters = quartersOf({
      settled: settledRows(settledOn(day, settled)),
      ...((await hasConverted(db, happened)) && { converted: convertedRows(happened) }),
    })
    await rebuildSums(db, day, quarters)
    await rebuildDelivery(db, day)
    await db.execute(sql`delete from stats_rebuilds where day = ${day}::date`)
  })
}

/** More than ordinary statements get: a day can have many millions of events. Sorting them to join is slow. */
const REBUILD_TIME = '30min'
const REBUILD_MEMORY = '128MB'

/** A click may come 30 days after its decision, any event a day late. */
const DECISION_DAYS = 32

const settledOn = (day: string, { xid, id }: FeedCursor): SQL => sql`
  e.decision_day between ${day}::date - ${DECISION_DAYS}::integer and ${day}::date + 1
  and ${happenedOn(day, sql`e.occurred_at`)}
  and not exists (
    select 1 from settled_batches b
     where b.id = e.batch_id and (b.xid, b.id) > (${`${xid}`}::xid8, ${`${id}`}::bigint))`

/** Most days have few conversions and many have none: then there is less to add up. */
async function hasConverted(db: Database, where: SQL): Promise<boolean> {
  const { rows } = await db.execute(sql`select 1 from conversions c where ${where} limit 1`)
  return rows.length > 0
}

const convertedOn = (day: string, { xid, id }: FeedCursor): SQL => sql`
  ${happenedOn(day, sql`c.occurred_at`)}
  and (c.xid, c.id) <= (${`${xid}`}::xid8, ${`${id}`}::bigint)`

const happenedOn = (day: string, column: SQL): SQL => sql`
  ${column} >= ${day}::date::timestamp at time zone 'UTC'
  and ${column} < (${day}::date + 1)::timestamp at time zone 'UTC'`

/** All three tables are worked out from the quarters, so that events are read once. */
async function rebuildSums(db: Database, day: string, quarters: SQL): Promise<void> {
  await db.execute(sql`create temporary table right_quarters on commit drop as ${quarters}`)
  await db.execute(sql`analyze right_quarters`)
  await db.execute(sql`
    create temporary table right_days on commit drop as
    select date_trunc('day', bucket, 'UTC') as bucket, ${KEYS}, ${SUMS} from right_quarters
     group by 1, ${KEYS}`)
  await correct(db, {
    table: 'stats_cube_quarter',
    constants: { grain: 'quarter' },
    keys: ['bucket', ...KEY_COLUMNS],
    sums: SUM_COLUMNS,
    right: sql`select * from right_quarters`,
    where: happenedOn(day, sql`bucket`),
  })
  await correct(db, {
    table: 'stats_cube_day',
    constants: { grain: 'day' },
    keys: ['bucket', ...KEY_COLUMNS],
    sums: SUM_COLUMNS,
    right: sql`select * from right_days`,
    where: happenedOn(day, sql`bucket`),
  })
  await correct(db, {
    table: 'campaign_stats',
    keys: ['day', ...CAMPAIGN_KEYS],
    sums: SUM_COLUMNS,
    right: sql`select ${day}::date as day, ${columnsOf(CAMPAIGN_KEYS)}, ${SUMS} from right_days
                group by ${columnsOf(CAMPAIGN_KEYS)}`,
    where: sql`day = ${day}::date`,
  })
}

const CAMPAIGN_KEYS = ['label', 'campaign_id', 'advertiser_id', 'currency']
const columnsOf = (names: readonly string[]): SQL => sql.raw(names.join(', '))

interface Correction {
  readonly table: string
  readonly constants?: Readonly<Record<string, string>>
  readonly keys: readonly string[]
  readonly sums: readonly string[]
  readonly right: SQL
  /** The rows that the right ones take the place of. */
  readonly where: SQL
}

/** Makes the rows what is right; rows that are right already are not touched. */
async function correct(db: Database, correction: Correction): Promise<void> {
  const { table, constants = {}, keys, sums, right, where } = correction
  const name = sql.identifier(table)
  const of = (alias: string) => sql.raw(sums.map((sum) => `${alias}.${sum}`).join(', '))
  await db.execute(sql`
    create temporary table wrong on commit drop as
    select ${columnsOf(keys)}, ${of('r')}, r.${columnsOf([sums[0]!])} is not null as is_right
      from (${right}) r
      full join (select ${columnsOf([...keys, ...sums])} from ${name} where ${where}) k
     using (${columnsOf(keys)})
     where (${of('r')}) is distinct from (${of('k')})`)
  const isSame = sql.raw(keys.map((key) => `t.${key} = wrong.${key}`).join(' and '))
  await db.execute(sql`delete from ${name} t using wrong where ${isSame}`)
  const extra = Object.entries(constants)
  await db.execute(sql`
    insert into ${name} (${columnsOf([...extra.map(([column]) => column), ...keys, ...sums])})
    select ${sql.raw(extra.map(([, value]) => `'${value}', `).join(''))}${columnsOf([...keys, ...sums])}
      from wrong where is_right`)
  await db.execute(sql`drop table wrong`)
}

/** Repeats are counted where they are met and nowhere kept: their sums stay as they are. */
async function rebuildDelivery(db: Database, day: string): Promise<void> {
  const part = (table: string, counts: string) => sql`
    select ${QUARTER(sql`e.occurred_at`)} as bucket,
           case when e.ad_id is not null then 'ad'
                when e.assignment_id is not null then 'assignment' else 'banner' end as source,
           coalesce(e.ad_id, e.assignment_id, e.banner_id, 0) as winner_id,
           coalesce(e.placement_id, 0) as placement_id, e.label, ${sql.raw(counts)},
           (e.billing = 'over-delivery')::integer as over_delivered, e.charged_millis
      from ${sql.identifier(table)} e
     where e.decision_day between ${day}::date - ${DECISION_DAYS}::integer and ${day}::date + 1
       and ${happenedOn(day, sql`e.occurred_at`)}`
  const keys = ['bucket', 'source', 'winner_id', 'placement_id', 'label']
  const sums = SUM_COLUMNS.slice(0, DELIVERY_SUMS)
  await correct(db, {
    table: 'delivery_stats',
    keys,
    sums,
    right: sql`
      select ${columnsOf(keys)}, ${sumsOf(sums)}
        from (${part('impressions', '1 as impressions, 0 as views, 0 as clicks')}
              union all ${part('views', '0, 1, 0')} union all ${part('clicks', '0, 0, 1')}) e
       group by ${columnsOf(keys)}`,
    where: sql`${happenedOn(day, sql`bucket`)} and label <> 'duplicate'`,
  })
}

const QUARTER = (column: SQL): SQL =>
  sql`date_bin('15 minutes', ${column}, timestamptz '2000-01-01 00:00:00Z')`

/** What is told of an event itself; the ad set and the currency follow from the ad and the advertiser. */
const EVENT_KEYS = [
  'campaign_id',
  'ad_id',
  'banner_id',
  'placement_id',
  'site_id',
  'country',
  'device',
  'label',
  'budget_day',
  'advertiser_id',
]
const KEY_COLUMNS = [...EVENT_KEYS, 'ad_set_id', 'currency']
const KEYS = sql.raw(KEY_COLUMNS.join(', '))
const SUM_COLUMNS = [
  'impressions',
  'views',
  'clicks',
  'over_delivered',
  'charged_millis',
  'content_views',
  'add_to_carts',
  'checkouts',
  'purchases',
  'revenue',
]
const COLUMNS = sql.raw(SUM_COLUMNS.join(', '))
/** The first of them count deliveries, in whole numbers. */
const DELIVERY_SUMS = 5
const sumsOf = (columns: readonly string[]): SQL =>
  sql.raw(
    columns
      .map((column) =>
        SUM_COLUMNS.indexOf(column) < DELIVERY_SUMS
          ? `sum(${column})::bigint as ${column}`
          : `sum(${column})::numeric as ${column}`,
      )
      .join(', '),
  )
const SUMS = sumsOf(SUM_COLUMNS)
const NO_CONVERSIONS = sql.raw(
  SUM_COLUMNS.slice(DELIVERY_SUMS)
    .map((column) => `0::numeric as ${column}`)
    .join(', '),
)
const ADDED = sql.raw(
  SUM_COLUMNS.map((column) => `${column} = kept.${column} + excluded.${column}`).join(', '),
)

interface Happened {
  readonly settled?: SQL
  readonly converted?: SQL
}

/** Added up by quarter and everything that is told of an event; then what follows from that. */
function quartersOf({ settled, converted }: Happened): SQL {
  const rows = [settled, converted].filter((part) => part !== undefined)
  const keys = columnsOf(EVENT_KEYS)
  const sums = converted
    ? SUMS
    : sql`${sumsOf(SUM_COLUMNS.slice(0, DELIVERY_SUMS))}, ${NO_CONVERSIONS}`
  return sql`
    select bucket, ${sql.raw(EVENT_KEYS.map((key) => `q.${key}`).join(', '))},
           coalesce(ads.ad_set_id, 0) as ad_set_id,
           coalesce(advertisers.currency, ${NO_CURRENCY}) as currency, ${COLUMNS}
      from (select ${QUARTER(sql`occurred_at`)} as bucket, ${keys}, ${sums}
              from (${sql.join(rows, sql` union all `)}) happened
             group by 1, ${keys}) q
      left join ads on ads.id = q.ad_id
      left join advertisers on advertisers.id = q.advertiser_id`
}

/** Adds once to all sums: first to quarters, then what they add up to, so that events are read once. */
async function addToSums(db: Database, quarters: SQL): Promise<void> {
  await db.execute(sql`
    with quarters as materialized (
      ${quarters}
    ), days as materialized (
      select date_trunc('day', bucket, 'UTC') as bucket, ${KEYS}, ${SUMS} from quarters
       group by 1, ${KEYS}
    ), quarters_added as (
      insert into stats_cube as kept (grain, bucket, ${KEYS}, ${COLUMNS})
      select 'quarter', bucket, ${KEYS}, ${COLUMNS} from quarters
      on conflict (grain, bucket, ${KEYS}) do update set ${ADDED}
    ), days_added as (
      insert into stats_cube as kept (grain, bucket, ${KEYS}, ${COLUMNS})
      select 'day', bucket, ${KEYS}, ${COLUMNS} from days
      on conflict (grain, bucket, ${KEYS}) do update set ${ADDED}
    )
    insert into campaign_stats as kept (label, day, campaign_id, advertiser_id, currency, ${COLUMNS})
    select label, (bucket at time zone 'UTC')::date, campaign_id, advertiser_id, currency, ${SUMS}
      from days group by 1, 2, 3, 4, 5
    on conflict (label, day, campaign_id, advertiser_id, currency) do update set ${ADDED}`)
}

/** Impressions, views and clicks as rows of the cube, one by one. */
function settledRows(where: SQL): SQL {
  const part = (table: string, counts: string) => sql`
    select e.occurred_at, coalesce(e.campaign_id, 0) as campaign_id, coalesce(e.ad_id, 0) as ad_id,
           coalesce(e.banner_id, 0) as banner_id, coalesce(e.placement_id, 0) as placement_id,
           coalesce(e.site_id, 0) as site_id, coalesce(e.country_code, '') as country,
           coalesce(e.device_type, '') as device, e.label, e.budget_day,
           coalesce(e.advertiser_id, 0) as advertiser_id, ${sql.raw(counts)},
           (e.billing = 'over-delivery')::integer as over_delivered, e.charged_millis,
           0 as content_views, 0 as add_to_carts, 0 as checkouts, 0 as purchases, 0 as revenue
      from ${sql.identifier(table)} e
     where ${where}`
  return sql`${part('impressions', '1 as impressions, 0 as views, 0 as clicks')}
    union all ${part('views', '0, 1, 0')}
    union all ${part('clicks', '0, 0, 1')}`
}

const share = (kind: string, name: string) =>
  sql.raw(`case when c.kind = '${kind}' then coalesce(credit.share, 10000) else 0 end as ${name}`)

/** A conversion in as many parts as have a share in it; whole, with no campaign, if nobody has. */
function convertedRows(where: SQL): SQL {
  return sql`
    select c.occurred_at, coalesce(credit.campaign_id, 0) as campaign_id,
           coalesce(credit.ad_id, 0) as ad_id, coalesce(credit.banner_id, 0) as banner_id,
           coalesce(credit.placement_id, 0) as placement_id, 0 as site_id, '' as country, '' as device,
           c.label, (c.occurred_at at time zone coalesce(advertisers.time_zone, 'UTC'))::date as budget_day,
           c.advertiser_id,
           0 as impressions, 0 as views, 0 as clicks, 0 as over_delivered, 0 as charged_millis,
           ${share('content_view', 'content_views')}, ${share('add_to_cart', 'add_to_carts')},
           ${share('checkout', 'checkouts')}, ${share('purchase', 'purchases')},
           case when c.kind = 'purchase' and coalesce(c.currency = advertisers.currency, true)
                then coalesce(c.value_micros, 0)::numeric * coalesce(credit.share, 10000)
                else 0 end as revenue
      from conversions c
      left join conversion_credits credit on credit.conversion_id = c.event_id
      left join advertisers on advertisers.id = c.advertiser_id
     where ${where}`
}

/** Overwrites a day of `banner_stats` with what the cube says of valid traffic; returns how many rows. */
export async function rollUpBanners(db: Database, day: string, at: Date): Promise<number> {
  const now = at.toISOString()
  return db.transaction(async (db) => {
    await lockCursor(db, 'tracking')
    const { rowCount } = await db.execute(sql`
      insert into banner_stats as kept (banner_id, placement_id, campaign_id, stat_date, impressions, clicks,
                                        spend_micros, created_at, updated_at)
      select banner_id, nullif(placement_id, 0), nullif(campaign_id, 0), ${day}::date,
             sum(impressions), sum(clicks), div(sum(charged_millis), 1000),
             ${now}::timestamptz, ${now}::timestamptz
        from stats_cube
       where grain = 'day' and bucket = ${day}::date::timestamp at time zone 'UTC'
         and label = 'valid' and banner_id <> 0
       group by banner_id, placement_id, campaign_id
      having sum(impressions) + sum(clicks) > 0
      on conflict on constraint banner_stats_key do update
         set impressions = excluded.impressions, clicks = excluded.clicks,
             spend_micros = excluded.spend_micros, updated_at = excluded.updated_at`)
    return rowCount ?? 0
  })
}

import { NO_CURRENCY } from '@placard/money'
import { sql, type SQL } from 'drizzle-orm'
import type { Feed, FeedCursor } from '../../../platform/database/ordered-feed.ts'
import type { Batch } from '../../tracking/index.ts'

export const conversionPlaces: Feed<null> = {
  table: 'conversions',
  columns: ['event_id'],
  timeColumn: 'received_at',
  parse: () => null,
}

/** Days come first, so that PostgreSQL skips partitions without these batches. */
export function batchesWhere(batches: readonly Batch[]): SQL {
  const days = new Set(batches.flatMap(({ days }) => days.slice(1, -1).split(',')))
  const ids = batches.map(({ id }) => BigInt(id))
  const lowest = ids.reduce((a, b) => (a < b ? a : b))
  const highest = ids.reduce((a, b) => (a > b ? a : b))
  return sql`e.decision_day = any (${`{${[...days].join(',')}}`}::date[])
    and e.batch_id between ${`${lowest}`}::bigint and ${`${highest}`}::bigint
    and e.batch_id = any (${`{${ids.join(',')}}`}::bigint[])`
}

export const columnsOf = (names: readonly string[]): SQL => sql.raw(names.join(', '))

/** A click may come 30 days after its decision, any event a day late. */
export const DECISION_DAYS = 32

export const settledOn = (day: string, { xid, id }: FeedCursor): SQL => sql`
  e.decision_day between ${day}::date - ${DECISION_DAYS}::integer and ${day}::date + 1
  and ${occurredOn(day, sql`e.occurred_at`)}
  and not exists (
    select 1 from settled_batches b
     where b.id = e.batch_id and (b.xid, b.id) > (${`${xid}`}::xid8, ${`${id}`}::bigint))`

export const convertedOn = (day: string, { xid, id }: FeedCursor): SQL => sql`
  ${occurredOn(day, sql`c.occurred_at`)}
  and (c.xid, c.id) <= (${`${xid}`}::xid8, ${`${id}`}::bigint)`

export const occurredOn = (day: string, column: SQL): SQL => sql`
  ${column} >= ${day}::date::timestamp at time zone 'UTC'
  and ${column} < (${day}::date + 1)::timestamp at time zone 'UTC'`

export const QUARTER = (column: SQL): SQL =>
  sql`date_bin('15 minutes', ${column}, timestamptz '2000-01-01 00:00:00Z')`

/** Keys of the event itself. Ad set and currency follow from its ad and advertiser. */
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
export const KEY_COLUMNS = [...EVENT_KEYS, 'ad_set_id', 'currency']
export const KEYS = sql.raw(KEY_COLUMNS.join(', '))
/** Columns of delivery: counts, then money. */
export const DELIVERY_COLUMNS = [
  'impressions',
  'views',
  'clicks',
  'over_delivered',
  'charged_millis',
]
/** Fractions, because a conversion may be shared. */
const CONVERSION_COLUMNS = ['content_views', 'add_to_carts', 'checkouts', 'purchases', 'revenue']
/** How far films were watched, and the event that reports each step. */
const FILM_EVENTS = {
  video_starts: 'start',
  first_quartiles: 'firstQuartile',
  midpoints: 'midpoint',
  third_quartiles: 'thirdQuartile',
  video_completes: 'complete',
} as const
const FILM_COLUMNS = Object.keys(FILM_EVENTS)
export const SUM_COLUMNS = [...DELIVERY_COLUMNS, ...CONVERSION_COLUMNS, ...FILM_COLUMNS]
export const COLUMNS = sql.raw(SUM_COLUMNS.join(', '))
export const sumsOf = (columns: readonly string[]): SQL =>
  sql.raw(
    columns
      .map((column) => {
        const type = CONVERSION_COLUMNS.includes(column) ? 'numeric' : 'bigint'
        return `sum(${column})::${type} as ${column}`
      })
      .join(', '),
  )
export const SUMS = sumsOf(SUM_COLUMNS)
const none = (columns: readonly string[], type: string): SQL =>
  sql.raw(columns.map((column) => `0::${type} as ${column}`).join(', '))
const NO_DELIVERIES = none(DELIVERY_COLUMNS, 'integer')
const NO_CONVERSIONS = none(CONVERSION_COLUMNS, 'numeric')
const NO_FILMS = none(FILM_COLUMNS, 'integer')
export const ADDED = sql.raw(
  SUM_COLUMNS.map((column) => `${column} = kept.${column} + excluded.${column}`).join(', '),
)

interface EventSources {
  readonly settled?: SQL
  readonly converted?: SQL
}

/** Adds up by quarter-hour and all keys of the event, then joins what follows from those keys. */
export function quartersOf({ settled, converted }: EventSources): SQL {
  const rows = [settled, converted].filter((part) => part !== undefined)
  const keys = columnsOf(EVENT_KEYS)
  const sums = converted
    ? SUMS
    : sql`${sumsOf([...DELIVERY_COLUMNS, ...FILM_COLUMNS])}, ${NO_CONVERSIONS}`
  return sql`
    select bucket, ${sql.raw(EVENT_KEYS.map((key) => `q.${key}`).join(', '))},
           coalesce(ads.ad_set_id, 0) as ad_set_id,
           coalesce(advertisers.currency, ${NO_CURRENCY}) as currency, ${COLUMNS}
      from (select ${QUARTER(sql`occurred_at`)} as bucket, ${keys}, ${sums}
              from (${sql.join(rows, sql` union all `)}) events
             group by 1, ${keys}) q
      left join ads on ads.id = q.ad_id
      left join advertisers on advertisers.id = q.advertiser_id`
}

/** The same rows one by one, with all keys of a quarter-hour. */
export function looseQuarters({ settled, converted }: EventSources): SQL {
  const rows = [settled, converted].filter((part) => part !== undefined)
  return sql`
    select ${QUARTER(sql`events.occurred_at`)} as bucket, ${sql.raw(EVENT_KEYS.map((key) => `events.${key}`).join(', '))},
           coalesce(ads.ad_set_id, 0) as ad_set_id,
           coalesce(advertisers.currency, ${NO_CURRENCY}) as currency, ${COLUMNS}
      from (${sql.join(rows, sql` union all `)}) events
      left join ads on ads.id = events.ad_id
      left join advertisers on advertisers.id = events.advertiser_id`
}

const KEYS_OF_EVENT = sql`
  coalesce(e.campaign_id, 0) as campaign_id, coalesce(e.ad_id, 0) as ad_id,
  coalesce(e.banner_id, 0) as banner_id, coalesce(e.placement_id, 0) as placement_id,
  coalesce(e.site_id, 0) as site_id, coalesce(e.country_code, '') as country,
  coalesce(e.device_type, '') as device, e.label, e.budget_day,
  coalesce(e.advertiser_id, 0) as advertiser_id`

/**
 * Impressions, views and clicks as rows of the cube, one by one. Steps of films are added up by
 * quarter-hour.
 */
export function settledRows(where: SQL): SQL {
  const part = (table: string, counts: string) => sql`
    select e.occurred_at, ${KEYS_OF_EVENT}, ${sql.raw(counts)},
           (e.billing = 'over-delivery')::integer as over_delivered, e.charged_millis,
           ${NO_CONVERSIONS}, ${NO_FILMS}
      from ${sql.identifier(table)} e
     where ${where}`
  return sql`${part('impressions', '1 as impressions, 0 as views, 0 as clicks')}
    union all ${part('views', '0, 1, 0')}
    union all ${part('clicks', '0, 0, 1')}
    union all ${filmRows(where)}`
}

const FILM_COUNTS = sql.raw(
  Object.entries(FILM_EVENTS)
    .map(([column, name]) => `count(*) filter (where e.name = '${name}') as ${column}`)
    .join(', '),
)
const FILM_NAMES = sql.raw(`('${Object.values(FILM_EVENTS).join("', '")}')`)

/** A film has five steps per impression. Adding them up here leaves fewer rows to sort later. */
const filmRows = (where: SQL): SQL => sql`
  select ${QUARTER(sql`e.occurred_at`)} as occurred_at, ${KEYS_OF_EVENT}, ${NO_DELIVERIES},
         ${NO_CONVERSIONS}, ${FILM_COUNTS}
    from progress_events e
   where e.name in ${FILM_NAMES} and ${where}
   group by 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11`

const share = (kind: string, name: string) =>
  sql.raw(`case when c.kind = '${kind}' then coalesce(credit.share, 10000) else 0 end as ${name}`)

/** One row per campaign that shares a conversion. One whole row without a campaign if none does. */
export function convertedRows(where: SQL): SQL {
  return sql`
    select c.occurred_at, coalesce(credit.campaign_id, 0) as campaign_id,
           coalesce(credit.ad_id, 0) as ad_id, coalesce(credit.banner_id, 0) as banner_id,
           coalesce(credit.placement_id, 0) as placement_id, 0 as site_id, '' as country, '' as device,
           c.label, (c.occurred_at at time zone zone_or_utc(advertisers.time_zone))::date as budget_day,
           c.advertiser_id,
           ${NO_DELIVERIES},
           ${share('content_view', 'content_views')}, ${share('add_to_cart', 'add_to_carts')},
           ${share('checkout', 'checkouts')}, ${share('purchase', 'purchases')},
           case when c.kind = 'purchase' and coalesce(c.currency = advertisers.currency, true)
                then coalesce(c.value_micros, 0)::numeric * coalesce(credit.share, 10000)
                else 0 end as revenue, ${NO_FILMS}
      from conversions c
      left join conversion_credits credit on credit.conversion_id = c.event_id
      left join advertisers on advertisers.id = c.advertiser_id
     where ${where}`
}

import type { Row } from '../../../platform/database/row.ts'
import { sql } from 'drizzle-orm'
import type { Database } from '../../../platform/database/connect.ts'
import type { Feed } from '../../../platform/database/ordered-feed.ts'
import type { Batch } from '../../tracking/index.ts'
import type { ConversionRow, ServedRow, SpendRow, TrackedRow } from './payloads.ts'

export const auctionFeed: Feed<Batch> = {
  table: 'auction_batches',
  columns: ['auctions', 'decided_days'],
  timeColumn: 'written_at',
  parse: ({ id, auctions, decided_days }) => ({
    id: id as string,
    rows: auctions as number,
    days: decided_days as string,
  }),
}

/** The partition and the id of a conversion. */
export interface ConversionPlace {
  readonly eventId: string
  readonly day: string
}

export const conversionFeed: Feed<ConversionPlace> = {
  table: 'conversions',
  columns: ['event_id', 'decision_day'],
  timeColumn: 'received_at',
  parse: ({ event_id, decision_day }) => ({
    eventId: event_id as string,
    day: decision_day as string,
  }),
}

const EVENT_TABLES = { impression: 'impressions', click: 'clicks' } as const

/** Events of one kind, in the order in which they happened. */
export async function listTracked(
  db: Database,
  kind: TrackedRow['kind'],
  batches: readonly Batch[],
): Promise<TrackedRow[]> {
  const { rows } = await db.execute<Row<TrackedRow>>(sql`
    select ${kind}::text as kind, e.batch_id, e.event_id, e.decision_id, e.user_key, e.device_type,
           e.country_code, e.label, e.billing, e.pricing, e.charge_micros, e.occurred_at,
           ads.public_id as ad, banners.public_id as banner, campaigns.public_id as campaign,
           advertisers.public_id as advertiser, placements.public_id as placement
      from ${sql.identifier(EVENT_TABLES[kind])} e
      left join ads on ads.id = e.ad_id
      left join banners on banners.id = e.banner_id
      left join campaigns on campaigns.id = e.campaign_id
      left join advertisers on advertisers.id = e.advertiser_id
      left join placements on placements.id = e.placement_id
     where ${inBatches(batches, sql`e.decision_day`)}
     order by e.occurred_at, e.event_id`)
  return rows
}

/** Budget days that these batches charged, each with the last of them. */
export async function listSpend(db: Database, batches: readonly Batch[]): Promise<SpendRow[]> {
  const { rows } = await db.execute<Row<SpendRow>>(sql`
    with charged as (
      select e.batch_id, e.campaign_id, e.budget_day from impressions e
       where ${inBatches(batches, sql`e.decision_day`)} and e.billing = 'charged'
      union all
      select e.batch_id, e.campaign_id, e.budget_day from clicks e
       where ${inBatches(batches, sql`e.decision_day`)} and e.billing = 'charged'
    ), touched as (
      select campaign_id, budget_day, max(batch_id) as batch_id from charged group by 1, 2
    )
    select touched.batch_id, touched.budget_day::text as day,
           touched.budget_day::timestamp at time zone zone_or_utc(advertisers.time_zone) as day_start,
           campaigns.public_id as campaign, advertisers.public_id as advertiser,
           advertisers.currency, advertisers.time_zone,
           budget_days.limit_micros, budget_days.spent_micros, settled_batches.settled_at
      from touched
      join settled_batches on settled_batches.id = touched.batch_id
      join campaigns on campaigns.id = touched.campaign_id
      join advertisers on advertisers.id = campaigns.advertiser_id
      join budget_days on budget_days.scope = 'campaign'
                      and budget_days.owner_id = touched.campaign_id
                      and budget_days.day = touched.budget_day
     order by touched.batch_id, campaigns.id, day`)
  return rows
}

/**
 * Every winner of the auctions, in the order of the decisions. `record.ts` has the format of a
 * record.
 */
export async function listServed(db: Database, batches: readonly Batch[]): Promise<ServedRow[]> {
  const { rows } = await db.execute<Row<ServedRow>>(sql`
    select a.batch_id, a.id, w.place, w.winner ->> 0 as source, a.user_key, a.placement_type,
           a.currency, a.auction_time, w.winner ->> 11 as final_price_micros,
           round((w.winner ->> 9)::numeric)::text as winning_ecpm_micros,
           ads.public_id as ad, banners.public_id as banner, campaigns.public_id as campaign,
           placements.public_id as placement
      from auctions a
     cross join lateral jsonb_array_elements(a.winners) with ordinality as w (winner, place)
      left join ads on w.winner ->> 0 = 'auction' and ads.id = (w.winner ->> 1)::bigint
      left join banners on banners.id = (w.winner ->> 2)::bigint
      left join campaigns on campaigns.id = (w.winner ->> 3)::bigint
      left join placements on placements.id = a.placement_id
     where ${inBatches(batches, sql`a.decided_on`)}
     order by a.auction_time, a.id, w.place`)
  return rows
}

export async function listConversions(
  db: Database,
  places: readonly ConversionPlace[],
): Promise<ConversionRow[]> {
  if (places.length === 0) return []
  const days = `{${[...new Set(places.map(({ day }) => day))].join(',')}}`
  const ids = `{${places.map(({ eventId }) => eventId).join(',')}}`
  const { rows } = await db.execute<Row<ConversionRow>>(sql`
    select c.event_id, c.kind, c.way, c.order_id, c.value_micros, c.currency, c.user_key, c.label,
           c.model, c.occurred_at, advertisers.public_id as advertiser, (
             select coalesce(jsonb_agg(jsonb_build_object(
                      'campaignId', campaigns.public_id, 'adId', ads.public_id,
                      'bannerId', banners.public_id, 'touch', credit.touch, 'share', credit.share)
                    order by credit.place), '[]')
               from conversion_credits credit
               left join campaigns on campaigns.id = credit.campaign_id
               left join ads on ads.id = credit.ad_id
               left join banners on banners.id = credit.banner_id
              where credit.conversion_id = c.event_id) as credits
      from conversions c
      left join advertisers on advertisers.id = c.advertiser_id
     where c.decision_day = any (${days}::date[]) and c.event_id = any (${ids}::uuid[])
     order by c.id`)
  return rows
}

/** Days come first, so that PostgreSQL skips partitions without these batches. */
function inBatches(batches: readonly Batch[], day: ReturnType<typeof sql>) {
  const days = [...new Set(batches.flatMap(({ days }) => days.slice(1, -1).split(',')))]
  const ids = batches.map(({ id }) => id)
  return sql`${day} = any (${`{${days.filter(Boolean).join(',')}}`}::date[])
    and batch_id = any (${`{${ids.join(',')}}`}::bigint[])`
}

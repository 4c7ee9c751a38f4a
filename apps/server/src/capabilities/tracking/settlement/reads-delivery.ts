import type { Pool } from 'pg'
import type { ConversionKind } from '../conversions/conversion.ts'

export interface DeliveryQuery {
  readonly campaignKey: number
  /** In whole quarter-hours, from `from` up to but excluding `to`. */
  readonly from: Date
  readonly to: Date
}

export interface LabelCounts {
  readonly label: string
  readonly impressions: number
  readonly views: number
  readonly clicks: number
  readonly overDelivered: number
  readonly chargedMillis: string
}

/** A campaign's deliveries by label, from the sums that settlement adds up. */
export async function sumDelivery(pool: Pool, query: DeliveryQuery): Promise<LabelCounts[]> {
  const { rows } = await pool.query<LabelCounts>(
    `with own as (
       select 'ad' as source, id as winner_id from ads where campaign_id = $1
       union all
       select 'assignment', id from banner_assignments where campaign_id = $1
     )
     select label, sum(impressions)::float8 as impressions, sum(views)::float8 as views,
            sum(clicks)::float8 as clicks, sum(over_delivered)::float8 as "overDelivered",
            sum(charged_millis)::text as "chargedMillis"
       from own join delivery_stats using (source, winner_id)
      where bucket >= $2 and bucket < $3
      group by label order by label`,
    [query.campaignKey, query.from.toISOString(), query.to.toISOString()],
  )
  return rows
}

export interface ProgressCount {
  readonly name: string
  readonly events: number
}

/** A campaign's valid progress by name, from the sums that settlement adds up. */
export async function sumProgress(pool: Pool, query: DeliveryQuery): Promise<ProgressCount[]> {
  const { rows } = await pool.query<ProgressCount>(
    `select name, sum(events)::float8 as events from progress_stats
      where campaign_id = $1 and bucket >= $2 and bucket < $3 and label = 'valid'
      group by name having sum(events) > 0
      order by events desc, name
      limit ${PROGRESS_NAMES_MAX}`,
    [query.campaignKey, query.from.toISOString(), query.to.toISOString()],
  )
  return rows
}

/** Codes and numbers come from callers. */
const PROGRESS_NAMES_MAX = 1_000

export interface ConversionCounts {
  readonly kind: ConversionKind
  /** Ten-thousandths, because several campaigns can share a conversion. */
  readonly shares: number
  readonly conversions: number
}

export async function countConversions(
  pool: Pool,
  query: DeliveryQuery,
): Promise<ConversionCounts[]> {
  const { rows } = await pool.query<ConversionCounts>(
    `select v.kind, sum(c.share)::float8 as shares, count(distinct v.event_id)::float8 as conversions
       from conversion_credits c
       join conversions v on v.event_id = c.conversion_id
      where c.campaign_id = $1 and c.credited_at >= $2 and c.credited_at < $3
      group by v.kind order by v.kind`,
    [query.campaignKey, query.from.toISOString(), query.to.toISOString()],
  )
  return rows
}

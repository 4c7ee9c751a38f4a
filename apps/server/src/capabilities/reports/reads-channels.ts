import { sql, type SQL } from 'drizzle-orm'
import type { ChannelLevel } from './report.ts'

interface Days {
  readonly from: string
  readonly to: string
}

const SUMS = sql`impressions, views, clicks, over_delivered, charged_millis, content_views,
  add_to_carts, checkouts, purchases, revenue, video_starts, first_quartiles, midpoints,
  third_quartiles, video_completes`

/** Our own sums and those of other channels by UTC day, as one table of the requested level. */
export const channelSums = (days: Days, level: ChannelLevel): SQL =>
  sql`(${ownSums(days, level)} union all ${otherSums(days, level)}) channel_sums`

function ownSums({ from, to }: Days, level: ChannelLevel): SQL {
  if (level === 'CAMPAIGN') {
    return sql`
      select 'onsite'::text as channel, label, day, advertiser_id, campaign_id,
             null::bigint as ad_set_id, null::bigint as ad_id, currency, ${SUMS}
        from campaign_stats where day between ${from}::date and ${to}::date`
  }
  return sql`
    select 'onsite'::text as channel, label, (bucket at time zone 'UTC')::date as day, advertiser_id,
           campaign_id, ad_set_id, ad_id, currency, ${SUMS}
      from stats_cube_day
     where bucket >= ${from}::date::timestamp at time zone 'UTC'
       and bucket < (${to}::date + 1)::timestamp at time zone 'UTC'`
}

/** The entities above those of a level, up to the campaign. */
const ENTITIES: Readonly<Record<ChannelLevel, SQL>> = {
  CAMPAIGN: sql`(select id, id as campaign_id, null::bigint as ad_set_id, null::bigint as ad_id
    from campaigns)`,
  ADSET: sql`(select id, campaign_id, id as ad_set_id, null::bigint as ad_id from ad_sets)`,
  AD: sql`(select id, campaign_id, ad_set_id, id as ad_id from ads)`,
}

/**
 * Conversions and revenue in ten-thousandths, money in thousandths of micros, as in our own sums.
 */
const otherSums = ({ from, to }: Days, level: ChannelLevel): SQL => sql`
  select lower(s.ad_source), 'valid', s.stat_date, s.advertiser_id, e.campaign_id, e.ad_set_id, e.ad_id,
         a.currency, s.impressions, 0, s.link_clicks, 0, s.spend_micros * 1000,
         round(s.content_views * 10000), round(s.add_to_cart * 10000),
         round(s.checkout_initiated * 10000), round(s.purchases * 10000),
         s.purchase_value_micros * 10000::numeric, 0, 0, 0, 0, 0
    from ad_stats_daily s
    join ${ENTITIES[level]} e on e.id = s.entity_id
    join advertisers a on a.id = s.advertiser_id
   where s.entity_type = ${level} and s.ad_source <> 'ONSITE'
     and s.stat_date between ${from}::date and ${to}::date`

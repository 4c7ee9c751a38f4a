import { sql } from 'drizzle-orm'
import type { Database } from '../../../platform/database/connect.ts'
import { deriveSellpageStats, type StatCounts } from '../providers/stat.ts'
import { countsFrom, type Range } from './store-sync.ts'

/** Adds up campaign days by sellpage, and drops days that no campaign reports any more. */
export async function rollUpSellpages(
  db: Database,
  advertiserKey: string,
  { from, to }: Range,
): Promise<number> {
  const { rows } = await db.execute(sql`
    select c.sellpage_id::text as sellpage, d.stat_date::text as day, d.ad_source,
           sum(d.spend_micros)::bigint as spend_micros, sum(d.impressions)::bigint as impressions,
           sum(d.link_clicks)::bigint as link_clicks, sum(d.content_views) as content_views,
           sum(d.add_to_cart) as add_to_cart, sum(d.checkout_initiated) as checkout_initiated,
           sum(d.purchases) as purchases, sum(d.purchase_value_micros)::bigint as purchase_value_micros
      from ad_stats_daily d join campaigns c on c.id = d.entity_id
     where d.advertiser_id = ${advertiserKey}::bigint and d.entity_type = 'CAMPAIGN'
       and d.stat_date between ${from}::date and ${to}::date and c.sellpage_id is not null
     group by 1, 2, 3`)
  const found = rows.map((row) => ({
    sellpage_id: row['sellpage'],
    stat_date: row['day'],
    ad_source: row['ad_source'],
    ...columnsOf(countsFrom(row)),
  }))
  await db.execute(sql`
    delete from sellpage_stats_daily
     where advertiser_id = ${advertiserKey}::bigint and stat_date between ${from}::date and ${to}::date`)
  if (found.length === 0) return 0
  await db.execute(sql`
    insert into sellpage_stats_daily
    select ${advertiserKey}::bigint, r.*
      from jsonb_to_recordset(${JSON.stringify(found)}::jsonb) as r (
        sellpage_id bigint, stat_date date, ad_source text, ad_spend_micros bigint, impressions bigint,
        link_clicks bigint, content_views numeric, add_to_cart numeric, checkout_initiated numeric,
        purchases numeric, purchase_value_micros bigint, orders_count numeric, revenue_micros bigint,
        cpm numeric, ctr numeric, cost_per_purchase numeric, roas numeric, cr1 numeric, cr2 numeric,
        cr3 numeric)`)
  return found.length
}

const columnsOf = (counts: StatCounts) => {
  const { cpm, ctr, costPerPurchase, roas, cr1, cr2, cr3 } = deriveSellpageStats(counts)
  return {
    ad_spend_micros: String(counts.spendMicros),
    impressions: counts.impressions,
    link_clicks: counts.linkClicks,
    content_views: counts.contentViews,
    add_to_cart: counts.addToCart,
    checkout_initiated: counts.checkoutInitiated,
    purchases: counts.purchases,
    purchase_value_micros: String(counts.purchaseValueMicros),
    // No other event has orders or revenue.
    orders_count: counts.purchases,
    revenue_micros: String(counts.purchaseValueMicros),
    cpm,
    ctr,
    cost_per_purchase: costPerPurchase,
    roas,
    cr1,
    cr2,
    cr3,
  }
}

import type { Pool } from 'pg'

export const ADVERTISERS = 1_000
export const CAMPAIGNS = 10_000
const EVENTS_PER_BATCH = 500
/** The day whose events are summed. */
export const DAY = '2026-06-01'

export async function addCatalogue(pool: Pool): Promise<void> {
  await pool.query(`
    insert into accounts (public_id, kind, name, created_at, updated_at)
      values (gen_random_uuid(), 'advertiser', 'bench', now(), now());
    insert into advertisers (public_id, account_id, name, currency, created_at, updated_at)
      select gen_random_uuid(), 1, 'a', 'EUR', now(), now() from generate_series(1, ${ADVERTISERS});
    insert into campaigns (public_id, account_id, advertiser_id, name, created_at, updated_at)
      select gen_random_uuid(), 1, 1 + i % ${ADVERTISERS}, 'Campaign ' || i, now(), now()
        from generate_series(0, ${CAMPAIGNS - 1}) as i;
    select make_day_partition(parent::regclass, date '${DAY}' + shift)
      from unnest(array['impressions', 'views', 'clicks', 'conversions']) as parent, generate_series(-1, 1) as shift`)
}

/** Settled impressions of one day for 10,000 campaigns, more for popular ones. */
export async function addEvents(pool: Pool, events: number): Promise<void> {
  await pool.query(
    `insert into settled_batches (id, node, events, decision_days, settled_at)
     select batch, 'bench', ${EVENTS_PER_BATCH}, array[date '${DAY}'], now()
       from generate_series(1, $1::integer / ${EVENTS_PER_BATCH}) as batch`,
    [events],
  )
  await pool.query(
    `insert into impressions (decision_day, event_id, batch_id, position, budget_day, ad_id, banner_id,
       campaign_id, advertiser_id, placement_id, site_id, device_type, country_code, occurred_at, received_at,
       clock, label, pricing, charge_micros, charged_millis, billing)
     select date '${DAY}', gen_random_uuid(), 1 + n / ${EVENTS_PER_BATCH}, 0, date '${DAY}', campaign, campaign,
            campaign, 1 + (campaign - 1) % ${ADVERTISERS}, 1 + n % 3, 1, (array['mobile', 'desktop'])[1 + n % 2],
            (array['DE', 'FR', 'IN', 'US'])[1 + (n / 7) % 4],
            timestamptz '${DAY} 00:00:00Z' + n * interval '1 day' / $1,
            now(), 'on-time', case when n % 20 = 0 then 'bot' else 'valid' end, 'cpm', 1000000,
            case when n % 20 = 0 then 0 else 1000000 end, case when n % 20 = 0 then 'invalid' else 'charged' end
       from (select n, 1 + floor(${CAMPAIGNS} * random() * random() * random())::integer as campaign
               from generate_series(0, $1::integer - 1) as n) drawn`,
    [events],
  )
  await pool.query('vacuum analyze impressions')
}

/** Days of sums, with a row for each campaign and day. */
export async function addCampaignDays(pool: Pool, days: number): Promise<void> {
  await pool.query(
    `insert into campaign_stats (label, day, campaign_id, advertiser_id, currency, impressions, clicks, charged_millis)
     select 'valid', date '2026-01-01' + day, campaign, 1 + (campaign - 1) % ${ADVERTISERS}, 'EUR',
            1000 + campaign % 100, campaign % 10, 1000000
       from generate_series(0, $1::integer - 1) as day, generate_series(1, ${CAMPAIGNS}) as campaign
     on conflict do nothing`,
    [days],
  )
  await pool.query(`
    insert into advertiser_stats (label, day, advertiser_id, currency, impressions, clicks, charged_millis)
    select label, day, advertiser_id, currency, sum(impressions), sum(clicks), sum(charged_millis)
      from campaign_stats group by 1, 2, 3, 4
    on conflict do nothing`)
  await pool.query('vacuum analyze campaign_stats, advertiser_stats')
}

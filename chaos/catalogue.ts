import pg from 'pg'

const ADVERTISERS = 10
const CAMPAIGNS = 100
/** Number of campaigns whose budgets the load uses up. */
const POOR = 20
const POOR_DAILY_MICROS = 150_000
const POOR_TOTAL_MICROS = 200_000

export const PLACEMENT = 'chaos'
/** Cap on impressions per reader, for each capped ad. */
export const CAP_MAX = 3
const AUCTIONED = 9
/** The last ad has no cap, so that every reader can see one. */
const CAPPED = 8

/** Advertisers and campaigns with large and small budgets, and campaigns for the readers' decisions. */
export async function addCatalogue(url: string): Promise<void> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  await client.query(SEALED)
  await client.query(SHOWN)
  await client.end()
}

const SEALED = `
  insert into accounts (public_id, kind, name, created_at, updated_at)
    values (gen_random_uuid(), 'advertiser', 'chaos', now(), now());
  insert into advertisers (public_id, account_id, name, currency, budget_daily_micros, created_at, updated_at)
    select gen_random_uuid(), (select max(id) from accounts), 'a' || i, 'EUR', case when i = 0 then 2000000 end, now(), now()
      from generate_series(0, ${ADVERTISERS - 1}) as i;
  insert into campaigns (public_id, account_id, advertiser_id, name, budget_daily_micros, budget_total_micros, created_at, updated_at)
    select gen_random_uuid(), (select max(id) from accounts),
           (select min(id) from advertisers where name = 'a' || i % ${ADVERTISERS}), 'c' || i,
           case when i < ${POOR} then ${POOR_DAILY_MICROS} else 1e14 end,
           case when i < ${POOR} then ${POOR_TOTAL_MICROS} end, now(), now()
      from generate_series(0, ${CAMPAIGNS - 1}) as i`

/**
 * The ads with the highest bids have small budgets: per day, in total, or of their advertiser. Each pays
 * 5,000 to 10,000 micros per impression.
 */
const SHOWN = `
  insert into accounts (public_id, kind, name, created_at, updated_at)
    values (gen_random_uuid(), 'publisher', 'chaos', now(), now());
  insert into publishers (public_id, account_id, name, currency, created_at, updated_at)
    select gen_random_uuid(), max(id), 'chaos', 'EUR', now(), now() from accounts;
  insert into placements (public_id, account_id, publisher_id, slug, label, type, layout_type, mode, floor_micros, created_at, updated_at)
    select gen_random_uuid(), account_id, id, '${PLACEMENT}', 'chaos', 'feed', 'inline_card', 'auction', 5000000, now(), now()
      from publishers where name = 'chaos';
  insert into advertisers (public_id, account_id, name, currency, budget_daily_micros, created_at, updated_at)
    select gen_random_uuid(), (select id from accounts where name = 'chaos' and kind = 'advertiser'), 'd' || i, 'EUR',
           case when i = 0 then 3000000 end, now(), now()
      from generate_series(0, 2) as i;
  insert into campaigns (public_id, account_id, advertiser_id, name, source, status, max_bid_micros, pacing_strategy,
                         budget_daily_micros, budget_total_micros, created_at, updated_at)
    select gen_random_uuid(), a.account_id, a.id, 'd' || i, 'sponsored', 'active', 20000000, 'Accelerated',
           case i when 0 then 1500000 when 1 then 2500000 else 1e12 end,
           case i when 2 then 2000000 end, now(), now()
      from generate_series(0, ${AUCTIONED - 1}) as i join advertisers a on a.name = 'd' || i % 3;
  insert into campaign_placements (campaign_id, placement_id, created_at)
    select c.id, p.id, now() from campaigns c, placements p where c.name ~ '^d[0-9]+$';
  insert into banners (public_id, account_id, advertiser_id, title, source, primary_image_url, cta_url, created_at, updated_at)
    select gen_random_uuid(), account_id, advertiser_id, name, 'sponsored', 'https://cdn.example/chaos.png', 'https://shop.example/', now(), now()
      from campaigns where name ~ '^d[0-9]+$';
  insert into ad_sets (public_id, account_id, campaign_id, name, created_at, updated_at)
    select gen_random_uuid(), account_id, id, name, now(), now() from campaigns where name ~ '^d[0-9]+$';
  insert into ads (public_id, account_id, campaign_id, ad_set_id, banner_id, name, bid_micros, created_at, updated_at)
    select gen_random_uuid(), c.account_id, c.id, s.id, b.id, c.name, 15000000 - substr(c.name, 2)::integer * 1000000, now(), now()
      from campaigns c join ad_sets s on s.campaign_id = c.id join banners b on b.title = c.name;
  insert into frequency_caps (public_id, account_id, ad_id, max_impressions_per_user, "window", created_at, updated_at)
    select gen_random_uuid(), account_id, id, ${CAP_MAX}, 'Lifetime', now(), now()
      from ads where substr(name, 2)::integer < ${CAPPED}`

export interface CampaignKeys {
  readonly campaignKey: number
  readonly advertiserKey: number
}

/** Campaigns whose links the load seals itself. */
export async function listCampaigns(url: string): Promise<readonly CampaignKeys[]> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  const { rows } = await client.query(
    `select c.id::integer as "campaignKey", c.advertiser_id::integer as "advertiserKey"
       from campaigns c join advertisers a on a.id = c.advertiser_id
      where c.name ~ '^c[0-9]+$' and a.name ~ '^a[0-9]+$' order by c.id`,
  )
  await client.end()
  return rows
}

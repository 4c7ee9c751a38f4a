import { NO_CURRENCY } from '@placard/money'
import { sql } from 'drizzle-orm'
import type { Database } from '../../platform/database/connect.ts'

/**
 * Adds a batch, its note for those who follow, and its sums in one statement: all or none. A row
 * that is there already is left out, so that a batch whose answer was lost can be sent again. Returns
 * how many were new.
 *
 * The publisher's currency, else the buyer's, is looked up only where the row does not name it. Types
 * that no placement can have are summed as one, because anybody can invent them. Sums are added in
 * order of their key, so that nodes never wait for each other in a circle.
 */
export async function addAuctions(db: Database, rows: readonly string[]): Promise<number> {
  const { rows: summed } = await db.execute(sql`
    with batch as materialized (
      select nextval('auction_batch_ids') as id
    ), added as (
      insert into auctions (
        batch_id, id, decided_on, auction_time, kind, placement_type, placement_id, site_id, user_key,
        currency, context, bids, bid_count, winners, winning_ad_id, winning_campaign_id, final_price_micros,
        winning_ecpm_micros, floor_micros, empty_reason, seed, index_version, duration_micros)
      select (select id from batch), r.id, (r.at at time zone 'UTC')::date, r.at, r.kind, r.type, r.placement, r.site, r.user,
        coalesce(r.currency, ${currencyOfPlacement}, ${currencyOfCampaign}, ${NO_CURRENCY}),
        r.context, r.bids, r."bidCount", r.winners, r.ad, r.campaign, r.price, r.ecpm, r.floor, r.empty,
        r.seed, r.version, r.duration
      from jsonb_to_recordset(${`[${rows.join(',')}]`}::jsonb) as r (
        id uuid, at timestamptz, kind text, type text, placement bigint, site bigint, "user" text,
        currency text, context jsonb, bids jsonb, "bidCount" integer, winners jsonb, ad bigint,
        campaign bigint, price bigint, ecpm bigint, floor bigint, empty text, seed text, version bigint,
        duration integer)
      on conflict do nothing
      returning batch_id, decided_on, auction_time, placement_type, currency, bid_count, winners,
        winning_ecpm_micros
    ), noted as (
      insert into auction_batches (id, auctions, decided_days)
      select batch_id, count(*), array_agg(distinct decided_on) from added group by 1
    ), summed as (
      insert into auction_statistics as kept
        (bucket, placement_type, currency, auctions, won, priced, bids, winning_ecpm_micros)
      select date_bin('15 minutes', auction_time, timestamptz '2000-01-01 00:00:00Z'),
        case when placement_type in ('feed', 'story', 'banner') then placement_type else 'other' end,
        currency, count(*), count(*) filter (where winners <> '[]'), count(winning_ecpm_micros),
        sum(bid_count), coalesce(sum(winning_ecpm_micros), 0)
      from added group by 1, 2, 3 order by 1, 2, 3
      on conflict (bucket, placement_type, currency) do update set
        auctions = kept.auctions + excluded.auctions,
        won = kept.won + excluded.won,
        priced = kept.priced + excluded.priced,
        bids = kept.bids + excluded.bids,
        winning_ecpm_micros = kept.winning_ecpm_micros + excluded.winning_ecpm_micros
    )
    select count(*)::int as added from added`)
  return summed[0]!['added'] as number
}

const currencyOfPlacement = sql`(
  select p.currency from placements l join publishers p on p.id = l.publisher_id
   where l.id = r.placement)`
const currencyOfCampaign = sql`(
  select a.currency from campaigns c join advertisers a on a.id = c.advertiser_id
   where c.id = r.campaign)`

/** What is left of the records names nobody, nor what was said of the user. */
export async function eraseUserFromAuctions(db: Database, userKey: string): Promise<number> {
  const { rowCount } = await db.execute(sql`
    update auctions
       set user_key = null, context = context - 'segments' - 'lastPurchaseDaysAgo' - 'isNewVisitor'
     where user_key = ${userKey}`)
  return rowCount ?? 0
}

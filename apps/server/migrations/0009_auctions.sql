-- Every decision, with or without an ad, by UTC day. The program creates partitions ahead and drops old ones. There
-- is no default partition, because it could never be split.
create table auctions (
  id uuid not null,
  decided_on date not null,
  auction_time timestamptz not null,
  kind text not null check (kind in ('slug', 'auction', 'page')),
  placement_type text not null check (length(placement_type) <= 50),
  placement_id bigint,
  site_id bigint,
  user_key text,
  currency text not null,
  context jsonb not null,
  -- [ad, campaign, score], best first.
  bids jsonb not null,
  bid_count integer not null check (bid_count >= 0),
  -- [source, key, banner, campaign, advertiser, pricing, bid, charge, cost, score, second, price, ctr, quality].
  winners jsonb not null,
  winning_ad_id bigint,
  winning_campaign_id bigint,
  final_price_micros bigint,
  winning_ecpm_micros bigint,
  floor_micros bigint not null,
  empty_reason text,
  seed text not null,
  index_version bigint not null,
  duration_micros integer not null,
  primary key (decided_on, id),
  check (decided_on = (auction_time at time zone 'UTC')::date)
) partition by range (decided_on);
create index auctions_auction_time_idx on auctions (auction_time, id);
-- The user comes first, so that the index also finds all auctions of a user.
create index auctions_user_key_placement_type_idx on auctions (user_key, placement_type)
  where user_key is not null;

-- Written in the statement that adds the auctions. A type without a placement is 'other'.
create table auction_statistics (
  bucket timestamptz not null,
  placement_type text not null,
  currency text not null,
  auctions bigint not null,
  won bigint not null,
  priced bigint not null,
  bids bigint not null,
  winning_ecpm_micros numeric not null,
  primary key (bucket, placement_type, currency)
);

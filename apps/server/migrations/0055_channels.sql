-- Ad accounts on other platforms, through which campaigns are synced.
create table channel_connections (
  id bigint generated always as identity primary key,
  public_id uuid not null unique,
  account_id bigint not null references accounts (id),
  advertiser_id bigint not null references advertisers (id),
  name text not null,
  connection_type text not null check (connection_type in ('AD_ACCOUNT', 'PAGE', 'PIXEL', 'CONVERSION')),
  provider text not null check (provider in ('mock', 'onsite', 'meta')),
  external_id text,
  -- Encrypted: the database alone does not open it.
  sealed_credentials text,
  has_credentials boolean not null generated always as (sealed_credentials is not null) stored,
  is_active boolean not null default true,
  failing_since timestamptz,
  failure text,
  -- Until then, the platform wants no calls.
  rests_until timestamptz,
  version integer not null default 1,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  deleted_at timestamptz
);
create index channel_connections_account_id_idx on channel_connections (account_id, public_id);
create index channel_connections_advertiser_id_idx on channel_connections (advertiser_id, public_id);

alter table campaigns add column connection_id bigint references channel_connections (id);
create index campaigns_connection_id_idx on campaigns (connection_id) where connection_id is not null;

-- Every answer of a provider, unchanged. Rows are added and never changed. A conversion may be shared between ads, so
-- parts are counted.
create table ad_stats_raw (
  id bigint generated always as identity primary key,
  advertiser_id bigint not null,
  entity_type text not null check (entity_type in ('CAMPAIGN', 'ADSET', 'AD')),
  entity_id bigint not null,
  external_entity_id text not null,
  provider text not null,
  fetched_at timestamptz not null,
  date_start date not null,
  date_stop date not null,
  spend_micros bigint not null check (spend_micros >= 0),
  impressions bigint not null check (impressions >= 0),
  link_clicks bigint not null check (link_clicks >= 0),
  content_views numeric(20, 4) not null check (content_views >= 0),
  add_to_cart numeric(20, 4) not null check (add_to_cart >= 0),
  checkout_initiated numeric(20, 4) not null check (checkout_initiated >= 0),
  purchases numeric(20, 4) not null check (purchases >= 0),
  purchase_value_micros bigint not null check (purchase_value_micros >= 0),
  cpm numeric(20, 4) not null,
  ctr numeric(20, 4) not null,
  cpc numeric(20, 4) not null,
  cost_per_purchase numeric(20, 2) not null,
  roas numeric(20, 4) not null
);
create index ad_stats_raw_entity_idx on ad_stats_raw (entity_id, entity_type, date_start, fetched_at desc, id desc);

create table ad_stats_daily (
  advertiser_id bigint not null,
  entity_type text not null check (entity_type in ('CAMPAIGN', 'ADSET', 'AD')),
  entity_id bigint not null,
  stat_date date not null,
  ad_source text not null check (ad_source in ('META', 'ONSITE')),
  fetched_at timestamptz not null,
  spend_micros bigint not null,
  impressions bigint not null,
  link_clicks bigint not null,
  content_views numeric(20, 4) not null,
  add_to_cart numeric(20, 4) not null,
  checkout_initiated numeric(20, 4) not null,
  purchases numeric(20, 4) not null,
  purchase_value_micros bigint not null,
  cpm numeric(20, 4) not null,
  ctr numeric(20, 4) not null,
  cpc numeric(20, 4) not null,
  cost_per_purchase numeric(20, 2) not null,
  roas numeric(20, 4) not null,
  constraint uq_ad_stats_daily primary key (advertiser_id, entity_type, entity_id, stat_date)
) with (fillfactor = 80);
create index ad_stats_daily_entity_idx on ad_stats_daily (entity_id, entity_type, stat_date);

create table sellpage_stats_daily (
  advertiser_id bigint not null,
  sellpage_id bigint not null,
  stat_date date not null,
  ad_source text not null check (ad_source in ('META', 'ONSITE')),
  ad_spend_micros bigint not null,
  impressions bigint not null,
  link_clicks bigint not null,
  content_views numeric(20, 4) not null,
  add_to_cart numeric(20, 4) not null,
  checkout_initiated numeric(20, 4) not null,
  purchases numeric(20, 4) not null,
  purchase_value_micros bigint not null,
  orders_count numeric(20, 4) not null,
  revenue_micros bigint not null,
  cpm numeric(20, 4) not null,
  ctr numeric(20, 4) not null,
  cost_per_purchase numeric(20, 2) not null,
  roas numeric(20, 4) not null,
  cr1 numeric(20, 4) not null,
  cr2 numeric(20, 4) not null,
  cr3 numeric(20, 4) not null,
  constraint uq_sellpage_stats_daily primary key (advertiser_id, sellpage_id, stat_date, ad_source)
) with (fillfactor = 80);

create table sellpages (
  id bigint generated always as identity primary key,
  public_id uuid not null unique,
  account_id bigint not null references accounts (id),
  advertiser_id bigint not null references advertisers (id),
  name text not null,
  url text not null,
  version integer not null default 1,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  deleted_at timestamptz
);
create index sellpages_account_id_idx on sellpages (account_id, public_id);

-- One campaign table for every channel, and for direct and auction delivery.
create table campaigns (
  id bigint generated always as identity primary key,
  public_id uuid not null unique,
  account_id bigint not null references accounts (id),
  advertiser_id bigint not null references advertisers (id),
  sellpage_id bigint references sellpages (id),
  name text not null,
  description text,
  source text not null default 'internal' check (source in ('internal', 'sponsored', 'affiliate', 'system')),
  status text not null default 'draft'
    check (status in ('draft', 'scheduled', 'active', 'paused', 'ended', 'cancelled')),
  channel text not null default 'onsite' check (channel in ('onsite', 'meta')),
  objective text not null default 'awareness'
    check (objective in ('awareness', 'traffic', 'engagement', 'conversions', 'sales')),
  pricing text not null default 'cpm' check (pricing in ('cpm', 'cpc')),
  max_bid_micros bigint not null default 0 check (max_bid_micros >= 0),
  may_exceed_max_bid boolean not null default false,
  pacing_strategy text not null default 'Smooth' check (pacing_strategy in ('Smooth', 'Accelerated')),
  categories text[] not null default '{}',
  ad_product_category text,
  external_id text,
  starts_at timestamptz,
  ends_at timestamptz,
  budget_total_micros bigint check (budget_total_micros > 0),
  budget_daily_micros bigint check (budget_daily_micros > 0),
  impression_cap integer check (impression_cap > 0),
  click_cap integer check (click_cap > 0),
  contract_ref text,
  priority integer not null default 0 check (priority >= 0),
  created_by bigint references users (id) on delete set null,
  version integer not null default 1,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  deleted_at timestamptz,
  constraint campaigns_flight_check check (starts_at < ends_at)
);
create index campaigns_account_id_idx on campaigns (account_id, public_id);
create index campaigns_advertiser_id_idx on campaigns (advertiser_id, public_id);
create index campaigns_status_idx on campaigns (status, public_id);
create index campaigns_channel_idx on campaigns (channel, public_id);
create index campaigns_objective_idx on campaigns (objective, public_id);
create index campaigns_pricing_idx on campaigns (pricing, public_id);
create index campaigns_source_idx on campaigns (source, public_id);
create index campaigns_name_idx on campaigns (name, public_id);
create index campaigns_priority_idx on campaigns (priority, public_id);
create index campaigns_updated_at_idx on campaigns (updated_at, public_id);
create index campaigns_starts_at_idx on campaigns (starts_at, public_id);
create index campaigns_search_idx on campaigns using gin (to_tsvector('simple', name));
create unique index campaigns_external_id_key on campaigns (external_id, advertiser_id, channel);

create table ad_sets (
  id bigint generated always as identity primary key,
  public_id uuid not null unique,
  account_id bigint not null references accounts (id),
  campaign_id bigint not null references campaigns (id),
  name text not null,
  status text not null default 'active' check (status in ('active', 'paused', 'ended')),
  external_id text,
  version integer not null default 1,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  deleted_at timestamptz
);
create index ad_sets_account_id_idx on ad_sets (account_id, public_id);
create index ad_sets_campaign_id_idx on ad_sets (campaign_id, public_id);

create table ads (
  id bigint generated always as identity primary key,
  public_id uuid not null unique,
  account_id bigint not null references accounts (id),
  campaign_id bigint not null references campaigns (id),
  ad_set_id bigint not null references ad_sets (id),
  banner_id bigint not null references banners (id),
  name text not null,
  status text not null default 'active' check (status in ('active', 'paused', 'ended')),
  bid_micros bigint not null check (bid_micros > 0),
  external_id text,
  version integer not null default 1,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  deleted_at timestamptz
);
create index ads_account_id_idx on ads (account_id, public_id);
create index ads_campaign_id_idx on ads (campaign_id, public_id);
create index ads_ad_set_id_idx on ads (ad_set_id, public_id);
create index ads_banner_id_idx on ads (banner_id, public_id);

create table campaign_placements (
  campaign_id bigint not null references campaigns (id),
  placement_id bigint not null references placements (id),
  is_active boolean not null default true,
  version integer not null default 1,
  created_at timestamptz not null,
  primary key (campaign_id, placement_id)
);
create index campaign_placements_placement_id_idx on campaign_placements (placement_id);

create table banner_assignments (
  -- Names the row inside the decision index, which knows single numbers only.
  id bigint generated always as identity unique,
  campaign_id bigint not null,
  placement_id bigint not null,
  banner_id bigint not null references banners (id),
  display_order integer not null default 0 check (display_order >= 0),
  weight integer not null default 100 check (weight between 0 and 1000000),
  is_fallback boolean not null default false,
  fallback_priority integer check (fallback_priority >= 0),
  is_active boolean not null default true,
  override_cta_label text,
  override_cta_url text,
  override_headline text,
  override_subheadline text,
  transition_duration_ms integer check (transition_duration_ms >= 0),
  version integer not null default 1,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (campaign_id, placement_id, banner_id),
  foreign key (campaign_id, placement_id)
    references campaign_placements (campaign_id, placement_id) on delete cascade
);
create index banner_assignments_placement_id_idx on banner_assignments (placement_id);
create index banner_assignments_banner_id_idx on banner_assignments (banner_id);

create table campaign_targeting_rules (
  id bigint generated always as identity primary key,
  public_id uuid not null unique,
  account_id bigint not null references accounts (id),
  campaign_id bigint not null references campaigns (id),
  rule_type text not null check (rule_type in (
    'device', 'country', 'user_segment', 'login_state', 'language', 'hour_of_day', 'day_of_week',
    'new_visitor', 'referrer_domain')),
  operator text not null,
  value jsonb not null,
  is_active boolean not null default true,
  version integer not null default 1,
  created_at timestamptz not null,
  updated_at timestamptz not null
);
create index campaign_targeting_rules_account_id_idx on campaign_targeting_rules (account_id, public_id);
create index campaign_targeting_rules_campaign_id_idx on campaign_targeting_rules (campaign_id, public_id);

select feed_changes_of('campaigns', 'id');
select feed_changes_of('ad_sets', 'id');
select feed_changes_of('ads', 'id');
select feed_changes_of('campaign_placements', 'campaign_id');
select feed_changes_of('banner_assignments', 'campaign_id');
select feed_changes_of('campaign_targeting_rules', 'campaign_id');

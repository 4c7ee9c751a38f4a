create table accounts (
  id bigint not null generated always as identity,
  public_id uuid not null,
  account_id bigint not null generated always as (id) stored,
  kind text not null,
  name text not null,
  version integer not null default 1,
  created_at timestamp with time zone not null,
  updated_at timestamp with time zone not null,
  deleted_at timestamp with time zone,
  requires_factor boolean not null default false
);

create table ad_product_lines (
  ancestor text not null,
  ad_product text not null
);

create table ad_sets (
  id bigint not null generated always as identity,
  public_id uuid not null,
  account_id bigint not null,
  campaign_id bigint not null,
  name text not null,
  status text not null default 'active'::text,
  external_id text,
  version integer not null default 1,
  created_at timestamp with time zone not null,
  updated_at timestamp with time zone not null,
  deleted_at timestamp with time zone
);

create table ad_stats_daily (
  advertiser_id bigint not null,
  entity_type text not null,
  entity_id bigint not null,
  stat_date date not null,
  ad_source text not null,
  fetched_at timestamp with time zone not null,
  spend_micros bigint not null,
  impressions bigint not null,
  link_clicks bigint not null,
  content_views numeric(20,4) not null,
  add_to_cart numeric(20,4) not null,
  checkout_initiated numeric(20,4) not null,
  purchases numeric(20,4) not null,
  purchase_value_micros bigint not null,
  cpm numeric(20,4) not null,
  ctr numeric(20,4) not null,
  cpc numeric(20,4) not null,
  cost_per_purchase numeric(20,2) not null,
  roas numeric(20,4) not null
);

create table ad_stats_raw (
  id bigint not null generated always as identity,
  advertiser_id bigint not null,
  entity_type text not null,
  entity_id bigint not null,
  external_entity_id text not null,
  provider text not null,
  fetched_at timestamp with time zone not null,
  date_start date not null,
  date_stop date not null,
  spend_micros bigint not null,
  impressions bigint not null,
  link_clicks bigint not null,
  content_views numeric(20,4) not null,
  add_to_cart numeric(20,4) not null,
  checkout_initiated numeric(20,4) not null,
  purchases numeric(20,4) not null,
  purchase_value_micros bigint not null,
  cpm numeric(20,4) not null,
  ctr numeric(20,4) not null,
  cpc numeric(20,4) not null,
  cost_per_purchase numeric(20,2) not null,
  roas numeric(20,4) not null
);

create table ads (
  id bigint not null generated always as identity,
  public_id uuid not null,
  account_id bigint not null,
  campaign_id bigint not null,
  ad_set_id bigint not null,
  banner_id bigint not null,
  name text not null,
  status text not null default 'active'::text,
  bid_micros bigint not null,
  external_id text,
  version integer not null default 1,
  created_at timestamp with time zone not null,
  updated_at timestamp with time zone not null,
  deleted_at timestamp with time zone
);

create table advertiser_site_blocks (
  advertiser_id bigint not null,
  site_id bigint not null,
  created_at timestamp with time zone not null
);

create table advertiser_stats (
  label text not null,
  day date not null,
  advertiser_id bigint not null,
  currency text not null,
  impressions bigint not null default 0,
  views bigint not null default 0,
  clicks bigint not null default 0,
  over_delivered bigint not null default 0,
  charged_millis bigint not null default 0,
  content_views numeric not null default 0,
  add_to_carts numeric not null default 0,
  checkouts numeric not null default 0,
  purchases numeric not null default 0,
  revenue numeric not null default 0,
  video_starts bigint not null default 0,
  first_quartiles bigint not null default 0,
  midpoints bigint not null default 0,
  third_quartiles bigint not null default 0,
  video_completes bigint not null default 0
);

create table advertisers (
  id bigint not null generated always as identity,
  public_id uuid not null,
  account_id bigint not null,
  name text not null,
  contact text,
  currency text not null,
  time_zone text not null default 'UTC'::text,
  budget_daily_micros bigint,
  is_house boolean not null default false,
  version integer not null default 1,
  created_at timestamp with time zone not null,
  updated_at timestamp with time zone not null,
  deleted_at timestamp with time zone,
  house_publisher_id bigint,
  conversion_value_max_micros bigint,
  domain text
);

create table api_keys (
  id bigint not null generated always as identity,
  public_id uuid not null,
  account_id bigint not null,
  name text not null,
  key_start text not null,
  key_hash bytea not null,
  scopes text[] not null,
  created_by bigint,
  created_at timestamp with time zone not null,
  expires_at timestamp with time zone,
  last_used_at timestamp with time zone,
  revoked_at timestamp with time zone
);

create table assets (
  id bigint not null generated always as identity,
  public_id uuid not null,
  account_id bigint not null,
  file_name text not null,
  file_path text not null generated always as ((('/api/v1/assets/'::text || (public_id)::text) || '/file'::text)) stored,
  content_type text not null,
  byte_count integer not null,
  width integer,
  height integer,
  sha256 bytea not null,
  version integer not null default 1,
  created_at timestamp with time zone not null,
  updated_at timestamp with time zone not null,
  deleted_at timestamp with time zone,
  duration_ms integer,
  bitrate_kbps integer generated always as ((LEAST((((byte_count)::bigint * 8) / duration_ms), (1000000)::bigint))::integer) stored
);

create table auction_batches (
  id bigint not null,
  xid xid8 not null default pg_current_xact_id(),
  auctions integer not null,
  decided_days date[] not null,
  written_at timestamp with time zone not null default now()
);

create table auction_statistics (
  bucket timestamp with time zone not null,
  placement_type text not null,
  currency text not null,
  auctions bigint not null,
  won bigint not null,
  priced bigint not null,
  bids bigint not null,
  winning_ecpm_micros numeric not null
);

create table auctions (
  id uuid not null,
  decided_on date not null,
  auction_time timestamp with time zone not null,
  kind text not null,
  placement_type text not null,
  placement_id bigint,
  site_id bigint,
  user_key text,
  currency text not null,
  context jsonb not null,
  bids jsonb not null,
  bid_count integer not null,
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
  batch_id bigint,
  session_key text,
  address_key text,
  asked jsonb
);

create table audit_log (
  id bigint not null generated always as identity,
  public_id uuid not null,
  occurred_at timestamp with time zone not null,
  account_id bigint,
  actor_kind text not null,
  actor_id uuid,
  actor_name text not null,
  action text not null,
  entity text not null,
  entity_id text not null,
  before jsonb,
  after jsonb,
  request_id text
);

create table banner_assignments (
  id bigint not null generated always as identity,
  campaign_id bigint not null,
  placement_id bigint not null,
  banner_id bigint not null,
  display_order integer not null default 0,
  weight integer not null default 100,
  is_fallback boolean not null default false,
  fallback_priority integer,
  is_active boolean not null default true,
  override_cta_label text,
  override_cta_url text,
  override_headline text,
  override_subheadline text,
  transition_duration_ms integer,
  version integer not null default 1,
  created_at timestamp with time zone not null,
  updated_at timestamp with time zone not null
);

create table banner_stats (
  id bigint not null generated always as identity,
  banner_id bigint not null,
  placement_id bigint,
  campaign_id bigint,
  stat_date date not null,
  impressions bigint not null default 0,
  clicks bigint not null default 0,
  spend_micros bigint,
  created_at timestamp with time zone not null,
  updated_at timestamp with time zone not null
);

create table banners (
  id bigint not null generated always as identity,
  public_id uuid not null,
  account_id bigint not null,
  advertiser_id bigint not null,
  title text not null,
  description text,
  source text not null default 'sponsored'::text,
  format text not null default 'single_image'::text,
  is_active boolean not null default true,
  primary_image_url text not null,
  primary_image_alt text,
  mobile_image_url text,
  video_url text,
  html text,
  media_variants jsonb,
  width integer,
  height integer,
  headline text,
  subheadline text,
  cta_label text,
  cta_url text,
  cta_open_new_tab boolean not null default false,
  utm_source text,
  utm_medium text,
  utm_campaign text,
  utm_content text,
  brand_id bigint,
  category_id bigint,
  product_id bigint,
  seo_id bigint,
  ad_product_category text,
  tags text[] not null default '{}'::text[],
  bg_color text,
  priority integer not null default 0,
  publish_at timestamp with time zone,
  expires_at timestamp with time zone,
  schedule_timezone text not null default 'UTC'::text,
  recurrence_rule text,
  recurrence_window_start time without time zone,
  recurrence_window_end time without time zone,
  schedule_status text not null default 'evergreen'::text,
  is_evergreen_fallback boolean not null default false,
  fallback_placeholder_url text,
  created_by bigint,
  version integer not null default 1,
  created_at timestamp with time zone not null,
  updated_at timestamp with time zone not null,
  deleted_at timestamp with time zone,
  video_duration_ms integer,
  video_renditions jsonb,
  video_skip_after_ms integer,
  video_files jsonb,
  vast_url text,
  ad_verifications jsonb,
  template_id bigint,
  template_values jsonb
);

create table bid_agent_days (
  campaign_id bigint not null,
  day date not null,
  auctions integer not null,
  sampled_share double precision not null,
  delivered_share double precision not null,
  records bytea not null,
  spent_micros bigint,
  conversion_rates bytea
);

create table bid_agent_windows (
  campaign_id bigint not null,
  day date not null,
  "window" smallint not null,
  starts_at timestamp with time zone not null,
  requests integer not null,
  wins integer not null,
  clicks integer not null,
  value double precision not null,
  expected_micros bigint not null,
  charged_micros bigint not null,
  base text not null,
  trial text,
  share double precision not null,
  base_multiplier double precision not null,
  trial_multiplier double precision not null,
  base_lift double precision not null default 1,
  trial_lift double precision not null default 1
);

create table bid_agents (
  campaign_id bigint not null,
  aim text not null,
  base text not null,
  trial text,
  share double precision not null,
  judged integer not null,
  base_multiplier double precision not null,
  trial_multiplier double precision not null,
  plan jsonb,
  skills jsonb,
  version integer not null,
  stepped_at timestamp with time zone,
  judged_at timestamp with time zone,
  updated_at timestamp with time zone not null,
  base_lift double precision not null default 1,
  trial_lift double precision not null default 1,
  brake_day date,
  brake_micros bigint
);

create table bid_judgements (
  id bigint not null generated always as identity,
  campaign_id bigint not null,
  judged_at timestamp with time zone not null,
  policy text not null,
  base text not null,
  verdict text not null,
  days integer not null,
  gain double precision,
  low double precision,
  high double precision,
  move text not null,
  share_before double precision not null,
  share_after double precision not null,
  words text not null,
  minutes integer,
  live_gain double precision,
  live_low double precision,
  live_high double precision
);

create table brands (
  id bigint not null generated always as identity,
  public_id uuid not null,
  name text not null,
  external_id text,
  version integer not null default 1,
  created_at timestamp with time zone not null,
  updated_at timestamp with time zone not null
);

create table budget_days (
  scope text not null,
  owner_id bigint not null,
  day date not null,
  limit_micros bigint,
  allowance_micros bigint not null default 0,
  spent_micros bigint not null default 0,
  remainder_millis smallint not null default 0,
  exhausted_at timestamp with time zone,
  leased_micros bigint not null default 0
);

create table budget_leases (
  campaign_id bigint not null,
  day date not null,
  node text not null,
  advertiser_id bigint not null,
  fence bigint not null,
  amount_micros bigint not null
);

create table budget_resets (
  id bigint not null generated always as identity,
  campaign_id bigint not null,
  day date not null,
  allowance_micros bigint not null,
  reset_at timestamp with time zone not null,
  reset_by text not null
);

create table campaign_delivery (
  campaign_id bigint not null,
  state text not null,
  code text,
  text text not null,
  checked_at timestamp with time zone not null
);

create table campaign_drafts (
  id bigint not null generated always as identity,
  public_id uuid not null,
  account_id bigint not null,
  version integer not null default 1,
  saved_by text not null,
  form jsonb not null,
  created_at timestamp with time zone not null,
  updated_at timestamp with time zone not null
);

create table campaign_placements (
  campaign_id bigint not null,
  placement_id bigint not null,
  is_active boolean not null default true,
  version integer not null default 1,
  created_at timestamp with time zone not null
);

create table campaign_stats (
  label text not null,
  day date not null,
  campaign_id bigint not null,
  advertiser_id bigint not null,
  currency text not null,
  impressions bigint not null default 0,
  views bigint not null default 0,
  clicks bigint not null default 0,
  over_delivered bigint not null default 0,
  charged_millis bigint not null default 0,
  content_views numeric not null default 0,
  add_to_carts numeric not null default 0,
  checkouts numeric not null default 0,
  purchases numeric not null default 0,
  revenue numeric not null default 0,
  video_starts bigint not null default 0,
  first_quartiles bigint not null default 0,
  midpoints bigint not null default 0,
  third_quartiles bigint not null default 0,
  video_completes bigint not null default 0
);

create table campaign_targeting_rules (
  id bigint not null generated always as identity,
  public_id uuid not null,
  account_id bigint not null,
  campaign_id bigint not null,
  rule_type text not null,
  operator text not null,
  value jsonb not null,
  is_active boolean not null default true,
  version integer not null default 1,
  created_at timestamp with time zone not null,
  updated_at timestamp with time zone not null
);

create table campaign_totals (
  campaign_id bigint not null,
  limit_micros bigint,
  spent_micros bigint not null default 0,
  remainder_millis smallint not null default 0,
  impressions bigint not null default 0,
  clicks bigint not null default 0,
  exhausted_at timestamp with time zone,
  leased_micros bigint not null default 0
);

create table campaigns (
  id bigint not null generated always as identity,
  public_id uuid not null,
  account_id bigint not null,
  advertiser_id bigint not null,
  sellpage_id bigint,
  name text not null,
  description text,
  source text not null default 'sponsored'::text,
  status text not null default 'draft'::text,
  channel text not null default 'onsite'::text,
  objective text not null default 'awareness'::text,
  pricing text not null default 'cpm'::text,
  max_bid_micros bigint not null default 0,
  may_exceed_max_bid boolean not null default false,
  pacing_strategy text not null default 'Smooth'::text,
  categories text[] not null default '{}'::text[],
  ad_product_category text,
  external_id text,
  starts_at timestamp with time zone,
  ends_at timestamp with time zone,
  budget_total_micros bigint,
  budget_daily_micros bigint,
  impression_cap integer,
  click_cap integer,
  contract_ref text,
  priority integer not null default 0,
  created_by bigint,
  version integer not null default 1,
  created_at timestamp with time zone not null,
  updated_at timestamp with time zone not null,
  deleted_at timestamp with time zone,
  connection_id bigint,
  runs_on_unknown_pages boolean not null default false,
  target_cpa_micros bigint,
  placement_wishes text,
  exclusion_labels text[] not null default '{}'::text[]
);

create table categories (
  id bigint not null generated always as identity,
  public_id uuid not null,
  name text not null,
  external_id text,
  version integer not null default 1,
  created_at timestamp with time zone not null,
  updated_at timestamp with time zone not null
);

create table change_set_rows (
  change_set_id bigint not null,
  "position" integer not null,
  entity text not null,
  entity_id uuid not null,
  name text not null,
  currency text,
  change jsonb not null,
  version integer not null,
  outcome text not null default 'waiting'::text,
  reason text,
  before jsonb,
  after jsonb
);

create table change_sets (
  id bigint not null generated always as identity,
  public_id uuid not null,
  version integer not null default 1,
  created_at timestamp with time zone not null,
  updated_at timestamp with time zone not null,
  account_id bigint not null,
  title text not null,
  state text not null default 'checking'::text,
  author_kind text not null,
  author_id uuid not null,
  author_name text not null,
  published_at timestamp with time zone,
  undone_at timestamp with time zone
);

create table changes (
  id bigint not null generated always as identity,
  xid xid8 not null default pg_current_xact_id(),
  entity text not null,
  entity_id bigint not null,
  operation text not null,
  changed_at timestamp with time zone not null default now()
);

create table channel_alerts (
  id bigint not null generated always as identity,
  public_id uuid not null,
  account_id bigint not null,
  advertiser_id bigint not null,
  campaign_id bigint,
  connection_id bigint,
  kind text not null,
  reason text not null,
  opened_at timestamp with time zone not null,
  closed_at timestamp with time zone
);

create table channel_backfills (
  id bigint not null generated always as identity,
  public_id uuid not null,
  account_id bigint not null,
  advertiser_id bigint not null,
  date_from date not null,
  date_to date not null,
  status text not null default 'waiting'::text,
  days_done integer not null default 0,
  days_total integer not null generated always as (((date_to - date_from) + 1)) stored,
  failures integer not null default 0,
  failure text,
  version integer not null default 1,
  created_at timestamp with time zone not null,
  updated_at timestamp with time zone not null,
  steps_done integer not null default 0,
  waits_until timestamp with time zone
);

create table channel_connections (
  id bigint not null generated always as identity,
  public_id uuid not null,
  account_id bigint not null,
  advertiser_id bigint not null,
  name text not null,
  connection_type text not null,
  provider text not null,
  external_id text,
  sealed_credentials text,
  has_credentials boolean not null generated always as ((sealed_credentials IS NOT NULL)) stored,
  is_active boolean not null default true,
  failing_since timestamp with time zone,
  failure text,
  rests_until timestamp with time zone,
  version integer not null default 1,
  created_at timestamp with time zone not null,
  updated_at timestamp with time zone not null,
  deleted_at timestamp with time zone,
  levels jsonb not null default '{}'::jsonb
);

create table channel_syncs (
  public_id uuid not null,
  advertiser_id bigint not null,
  level text not null,
  day date not null,
  state text not null default 'waiting'::text,
  attempt integer not null default 1,
  due_at timestamp with time zone not null,
  requested_at timestamp with time zone not null,
  started_at timestamp with time zone,
  finished_at timestamp with time zone,
  failure text,
  raw_inserted integer,
  daily_upserted integer,
  sellpage_upserted integer
);

create table channel_ticks (
  only_one boolean not null default true,
  ticked_at timestamp with time zone not null
);

create table clicks (
  decision_day date not null,
  event_id uuid not null,
  batch_id bigint not null,
  decision_id uuid,
  "position" smallint not null,
  budget_day date not null,
  ad_id bigint,
  assignment_id bigint,
  banner_id bigint,
  campaign_id bigint,
  advertiser_id bigint,
  placement_id bigint,
  site_id bigint,
  user_key text,
  session_id text,
  device_type text,
  country_code text,
  page_url text,
  destination_url text,
  occurred_at timestamp with time zone not null,
  received_at timestamp with time zone not null,
  clock text not null,
  label text not null,
  pricing text not null,
  charge_micros bigint not null,
  charged_millis bigint not null,
  billing text not null,
  page_key bigint
);

create table consent_counts (
  day date not null,
  account_id bigint not null,
  signal text not null,
  requests bigint not null
);

create table contextual_cursors (
  source text not null,
  xid xid8 not null,
  id bigint not null
);

create table conversion_credits (
  conversion_id uuid not null,
  place smallint not null,
  decision_day date not null,
  touch text not null,
  touch_event_id uuid not null,
  touched_at timestamp with time zone not null,
  ad_id bigint,
  assignment_id bigint,
  banner_id bigint,
  campaign_id bigint,
  placement_id bigint,
  share smallint not null,
  credited_at timestamp with time zone not null,
  kind text
);

create table conversion_orders (
  advertiser_id bigint not null,
  order_id text not null,
  event_id uuid not null,
  received_at timestamp with time zone not null
);

create table conversions (
  decision_day date not null,
  event_id uuid not null,
  decision_id uuid,
  advertiser_id bigint not null,
  kind text not null,
  way text not null,
  order_id text,
  value_micros bigint,
  currency text,
  user_key text,
  occurred_at timestamp with time zone not null,
  received_at timestamp with time zone not null,
  clock text not null,
  label text not null,
  model text not null,
  id bigint not null default nextval('conversion_ids'::regclass),
  xid xid8 not null default pg_current_xact_id()
);

create table country_observation (
  user_id text not null,
  device_session_id text not null,
  observed_country text not null,
  hour timestamp with time zone not null,
  observations integer not null,
  slots smallint not null,
  first_seen_at timestamp with time zone not null,
  last_seen_at timestamp with time zone not null
);

create table creative_approvals (
  id bigint not null generated always as identity,
  public_id uuid not null,
  account_id bigint not null,
  site_id bigint not null,
  banner_id bigint not null,
  banner_account_id bigint not null,
  status text not null default 'pending'::text,
  reason text,
  decided_by bigint,
  decided_at timestamp with time zone,
  version integer not null default 1,
  created_at timestamp with time zone not null,
  updated_at timestamp with time zone not null
);

create table creative_minutes (
  banner_id bigint not null,
  minute timestamp with time zone not null,
  impressions integer not null default 0,
  clicks integer not null default 0
);

create table creative_templates (
  id bigint not null generated always as identity,
  public_id uuid not null,
  name text not null,
  description text,
  html text not null,
  fields jsonb not null default '[]'::jsonb,
  version integer not null default 1,
  created_at timestamp with time zone not null,
  updated_at timestamp with time zone not null
);

create table ctr_models (
  id bigint not null generated always as identity,
  evidence text not null,
  version integer not null,
  lessons bigint not null,
  verdict text not null,
  figures jsonb not null,
  state jsonb not null,
  weights bytea not null,
  xid xid8 not null,
  batch_id bigint not null,
  updated_at timestamp with time zone not null
);

create table declared_country_version (
  id bigint not null generated always as identity,
  user_id text not null,
  version_no integer not null,
  country text,
  previous_country text,
  state text not null,
  actor_type text not null,
  actor_id text not null,
  reason_code text not null,
  comment text,
  idempotency_key text,
  recorded_at timestamp with time zone not null,
  applied_at timestamp with time zone,
  last_error text
);

create table delivery_checker (
  id smallint not null default 1,
  node text not null,
  until timestamp with time zone not null
);

create table delivery_stats (
  bucket timestamp with time zone not null,
  source text not null,
  winner_id bigint not null,
  placement_id bigint not null,
  label text not null,
  impressions bigint not null default 0,
  views bigint not null default 0,
  clicks bigint not null default 0,
  over_delivered bigint not null default 0,
  charged_millis bigint not null default 0
);

create table device_session_country_score (
  user_id text not null,
  device_session_id text not null,
  observed_country text not null,
  score double precision not null,
  habit double precision not null,
  scored_at timestamp with time zone not null,
  first_seen_at timestamp with time zone not null,
  last_seen_at timestamp with time zone not null,
  recent_ms double precision[] not null
);

create table device_session_profile (
  user_id text not null,
  device_session_id text not null,
  usual_connection_country text,
  first_seen_at timestamp with time zone not null,
  last_seen_at timestamp with time zone not null,
  active_days_before integer not null,
  active_days integer not null
);

create table device_sessions (
  id bigint not null generated always as identity,
  public_id uuid not null,
  user_id bigint not null,
  device_name text not null,
  created_at timestamp with time zone not null,
  last_seen_at timestamp with time zone not null,
  expires_at timestamp with time zone not null,
  revoked_at timestamp with time zone,
  blocked_at timestamp with time zone,
  reason_code text,
  factor_proof text,
  proven_at timestamp with time zone,
  identity_provider_id bigint,
  ends_at timestamp with time zone,
  unblocked_at timestamp with time zone
);

create table event_inbox (
  id bigint not null generated always as identity,
  noted_at timestamp with time zone not null default now(),
  events text not null,
  is_early boolean not null default false
);

create table external_identities (
  id bigint not null generated always as identity,
  public_id uuid not null,
  user_id bigint not null,
  identity_provider_id bigint not null,
  issuer text not null,
  subject text not null,
  email text not null,
  created_at timestamp with time zone not null,
  last_used_at timestamp with time zone
);

create table factor_challenges (
  session_id bigint not null,
  purpose text not null,
  challenge text not null,
  expires_at timestamp with time zone not null
);

create table feed_horizons (
  feed text not null,
  xid xid8 not null,
  id bigint not null
);

create table first_steps (
  only_one boolean not null default true,
  put_aside_at timestamp with time zone,
  mail_id uuid,
  mail_asked_at timestamp with time zone,
  mail_accepted_at timestamp with time zone,
  mail_failure text
);

create table first_visits (
  user_key text not null,
  account_id bigint not null,
  first_at timestamp with time zone not null,
  seen_on date not null
);

create table forgotten_users (
  user_key text not null,
  asked_at timestamp with time zone not null
);

create table frequency_caps (
  id bigint not null generated always as identity,
  public_id uuid not null,
  account_id bigint not null,
  ad_id bigint,
  campaign_id bigint,
  advertiser_id bigint,
  max_impressions_per_user integer not null,
  "window" text not null,
  version integer not null default 1,
  created_at timestamp with time zone not null,
  updated_at timestamp with time zone not null
);

create table frequency_counts (
  user_key text not null,
  scope text not null,
  target_id bigint not null,
  "window" text not null,
  window_start timestamp with time zone not null,
  impressions integer not null
);

create table geo_decision (
  id bigint not null generated always as identity,
  user_id text not null,
  about text not null,
  block_action_id uuid,
  verdict text not null,
  reason_code text not null,
  comment text,
  actor_type text not null,
  actor_id text not null,
  decided_at timestamp with time zone not null,
  device_session_id uuid
);

create table geo_review_rule (
  only_one boolean not null default true,
  rule text not null,
  applied_at timestamp with time zone not null
);

create table identity_providers (
  id bigint not null generated always as identity,
  public_id uuid not null,
  version integer not null default 1,
  created_at timestamp with time zone not null,
  updated_at timestamp with time zone not null,
  deleted_at timestamp with time zone,
  slug text not null,
  name text not null,
  issuer text not null,
  client_id text not null,
  sealed_client_secret text not null,
  scopes text[] not null default '{}'::text[],
  groups_claim text not null default 'groups'::text,
  email_verified_claim text not null default 'email_verified'::text,
  email_domains text[] not null,
  rules jsonb not null default '[]'::jsonb,
  links_users boolean not null default false,
  trusts_factor boolean not null default false,
  factor_acr text[] not null default '{}'::text[],
  session_hours integer not null default 12,
  is_active boolean not null default true
);

create table impressions (
  decision_day date not null,
  event_id uuid not null,
  batch_id bigint not null,
  decision_id uuid,
  "position" smallint not null,
  budget_day date not null,
  ad_id bigint,
  assignment_id bigint,
  banner_id bigint,
  campaign_id bigint,
  advertiser_id bigint,
  placement_id bigint,
  site_id bigint,
  user_key text,
  session_id text,
  device_type text,
  country_code text,
  page_url text,
  referrer_url text,
  occurred_at timestamp with time zone not null,
  received_at timestamp with time zone not null,
  clock text not null,
  label text not null,
  pricing text not null,
  charge_micros bigint not null,
  charged_millis bigint not null,
  billing text not null,
  page_key bigint
);

create table job_orders (
  id uuid not null,
  job text not null,
  dedupe_key text,
  payload jsonb not null,
  enqueued_at timestamp with time zone not null,
  due_at timestamp with time zone not null,
  relay_after timestamp with time zone not null default now(),
  is_relayed boolean not null default false
);

create table job_schedules (
  job text not null,
  cron text not null,
  payload jsonb not null,
  last_due_at timestamp with time zone not null
);

create table kept_answers (
  caller text not null,
  key text not null,
  fingerprint bytea not null,
  status integer not null,
  headers jsonb not null,
  body jsonb,
  created_at timestamp with time zone not null
);

create table lease_holders (
  node text not null,
  fence bigint not null,
  expires_at timestamp with time zone not null
);

create table ledger_entries (
  scope text not null,
  owner_id bigint not null,
  day date not null,
  entry_id bigint not null,
  kind text not null,
  amount_micros bigint not null,
  note text,
  created_at timestamp with time zone not null,
  leased_micros bigint not null default 0
);

create table ledger_proofs (
  id bigint not null generated always as identity,
  proved_at timestamp with time zone not null,
  budget_days integer not null,
  difference_micros numeric not null,
  faults jsonb not null
);

create table migrations (
  name text not null,
  minimum_program_version integer not null,
  applied_at timestamp with time zone not null default now()
);

create table nodes (
  id uuid not null,
  role text not null,
  version text not null,
  started_at timestamp with time zone not null,
  last_seen_at timestamp with time zone not null,
  facts jsonb not null
);

create table notices (
  id bigint not null generated always as identity,
  public_id uuid not null,
  account_id bigint not null,
  recipient_id bigint not null,
  way text not null,
  topic text not null,
  told_key text not null,
  subject text not null,
  words text not null,
  data jsonb not null default '{}'::jsonb,
  attachment_name text,
  attachment bytea,
  status text not null default 'waiting'::text,
  attempts integer not null default 0,
  due_at timestamp with time zone not null,
  last_error text,
  created_at timestamp with time zone not null,
  finished_at timestamp with time zone
);

create table observation_queue (
  id bigint not null generated always as identity,
  user_id text not null,
  device_session_id text not null,
  ip_address bytea,
  state text not null default 'accepted'::text,
  attempts integer not null default 0,
  available_at timestamp with time zone not null,
  last_error text,
  created_at timestamp with time zone not null,
  settled_at timestamp with time zone
);

create table outbox (
  id bigint not null generated always as identity,
  xid xid8 not null default pg_current_xact_id(),
  event_id uuid not null,
  type text not null,
  subject text not null,
  data jsonb not null,
  occurred_at timestamp with time zone not null
);

create table outbox_cursors (
  sink text not null,
  xid xid8 not null,
  id bigint not null,
  updated_at timestamp with time zone not null default now(),
  source text not null default 'outbox'::text
);

create table page_categories (
  page_id bigint not null,
  category_id text not null,
  confidence double precision not null
);

create table page_examples (
  id bigint not null generated always as identity,
  page_id bigint,
  site_id bigint not null,
  category_ids text[] not null,
  title text not null,
  body text not null,
  created_by bigint,
  created_at timestamp with time zone not null
);

create table pages (
  id bigint not null generated always as identity,
  public_id uuid not null,
  account_id bigint not null,
  site_id bigint not null,
  url text not null,
  depth integer not null default 0,
  state text not null default 'waiting'::text,
  fault text,
  title text not null default ''::text,
  body text not null default ''::text,
  content_hash text,
  etag text,
  last_modified text,
  fetched_at timestamp with time zone,
  classified_at timestamp with time zone,
  classifier text,
  corrected_at timestamp with time zone,
  created_at timestamp with time zone not null,
  updated_at timestamp with time zone not null,
  key bigint not null generated always as (((('x'::text || "left"(md5(url), 16)))::bit(64))::bigint) stored
);

create table pending_sign_ins (
  id bigint not null generated always as identity,
  token_hash bytea not null,
  user_id bigint,
  challenge text,
  expires_at timestamp with time zone not null,
  identity_provider_id bigint
);

create table placements (
  id bigint not null generated always as identity,
  public_id uuid not null,
  account_id bigint not null,
  publisher_id bigint not null,
  slug text not null,
  label text not null,
  type text not null default 'banner'::text,
  layout_type text not null,
  mode text not null default 'direct'::text,
  rotation text not null default 'ordered'::text,
  page_context text,
  max_banners integer not null default 1,
  recommended_width integer,
  recommended_height integer,
  recommended_aspect_ratio text,
  formats text[] not null default '{}'::text[],
  floor_micros bigint not null default 0,
  time_zone text not null default 'UTC'::text,
  notes text,
  is_active boolean not null default true,
  sort_order integer not null default 0,
  fallback_placeholder_url text,
  allow_partial_render boolean not null default false,
  version integer not null default 1,
  created_at timestamp with time zone not null,
  updated_at timestamp with time zone not null,
  deleted_at timestamp with time zone,
  is_offered boolean not null default false
);

create table products (
  id bigint not null generated always as identity,
  public_id uuid not null,
  name text not null,
  external_id text,
  version integer not null default 1,
  created_at timestamp with time zone not null,
  updated_at timestamp with time zone not null
);

create table progress_events (
  decision_day date not null,
  decision_id uuid not null,
  "position" smallint not null,
  name text not null,
  batch_id bigint not null,
  budget_day date not null,
  ad_id bigint,
  assignment_id bigint,
  banner_id bigint,
  campaign_id bigint,
  advertiser_id bigint,
  placement_id bigint,
  site_id bigint,
  device_type text,
  country_code text,
  occurred_at timestamp with time zone not null,
  label text not null
);

create table progress_stats (
  bucket timestamp with time zone not null,
  campaign_id bigint not null,
  banner_id bigint not null,
  name text not null,
  label text not null,
  events bigint not null default 0
);

create table proposals (
  id bigint not null generated always as identity,
  public_id uuid not null,
  version integer not null default 1,
  created_at timestamp with time zone not null,
  updated_at timestamp with time zone not null,
  account_id bigint not null,
  entity text not null,
  entity_id uuid not null,
  entity_name text not null,
  changes jsonb not null,
  status text not null default 'pending'::text,
  proposed_by text not null,
  decided_by text,
  decided_at timestamp with time zone,
  reason text
);

create table publishers (
  id bigint not null generated always as identity,
  public_id uuid not null,
  account_id bigint not null,
  name text not null,
  currency text not null,
  time_zone text not null default 'UTC'::text,
  version integer not null default 1,
  created_at timestamp with time zone not null,
  updated_at timestamp with time zone not null,
  deleted_at timestamp with time zone,
  is_default boolean not null default false,
  domain text,
  is_confidential boolean not null default false
);

create table quarantined_events (
  event_id uuid not null,
  reason text not null,
  detail text not null,
  event text not null,
  received_at timestamp with time zone not null,
  quarantined_at timestamp with time zone not null
);

create table ranker_scores (
  category_id text not null,
  site_id bigint not null,
  impressions double precision not null default 0,
  clicks double precision not null default 0,
  revenue double precision not null default 0,
  scored_at timestamp with time zone not null
);

create table reach_sketches (
  level text not null,
  subject_id bigint not null,
  currency text not null,
  day date not null,
  sketch bytea not null
);

create table recipient_links (
  id bigint not null generated always as identity,
  account_id bigint not null,
  recipient_id bigint,
  address text not null,
  token_hash bytea not null,
  created_at timestamp with time zone not null,
  expires_at timestamp with time zone not null,
  used_at timestamp with time zone
);

create table recipients (
  id bigint not null generated always as identity,
  public_id uuid not null,
  version integer not null default 1,
  created_at timestamp with time zone not null,
  updated_at timestamp with time zone not null,
  account_id bigint not null,
  name text not null,
  mail_to text[] not null default '{}'::text[],
  webhook_url text,
  topics text[] not null default '{}'::text[],
  is_active boolean not null default true,
  sealed_secret text not null,
  confirmed_mail text[] not null default '{}'::text[],
  confirmed_webhook text
);

create table recovery_codes (
  id bigint not null generated always as identity,
  user_id bigint not null,
  code_hash bytea not null,
  used_at timestamp with time zone
);

create table refresh_tokens (
  id bigint not null generated always as identity,
  session_id bigint not null,
  token_hash bytea not null,
  expires_at timestamp with time zone not null,
  used_at timestamp with time zone,
  is_cookie boolean not null default false
);

create table report_exports (
  id bigint not null generated always as identity,
  public_id uuid not null,
  version integer not null default 1,
  created_at timestamp with time zone not null,
  updated_at timestamp with time zone not null,
  account_id bigint not null,
  question jsonb not null,
  format text not null,
  recipient_id bigint,
  status text not null default 'waiting'::text,
  attempts integer not null default 0,
  row_count integer not null default 0,
  byte_count bigint not null default 0,
  is_cut boolean not null default false,
  failure text,
  finished_at timestamp with time zone,
  expires_at timestamp with time zone not null
);

create table rescores (
  id bigint not null generated always as identity,
  public_id uuid not null,
  from_at timestamp with time zone not null,
  to_at timestamp with time zone not null,
  label text not null,
  rule jsonb not null,
  filter jsonb not null,
  note text not null,
  ordered_at timestamp with time zone not null,
  ordered_by text not null,
  events bigint not null default 0,
  credited_millis bigint not null default 0,
  done_at timestamp with time zone,
  tried_at timestamp with time zone
);

create table saved_reports (
  id bigint not null generated always as identity,
  public_id uuid not null,
  version integer not null default 1,
  created_at timestamp with time zone not null,
  updated_at timestamp with time zone not null,
  account_id bigint not null,
  name text not null,
  question jsonb not null,
  time_zone text not null default 'UTC'::text,
  format text not null default 'csv'::text,
  recipient_id bigint,
  every text,
  at_hour integer not null default 6,
  next_due_at timestamp with time zone,
  last_sent_at timestamp with time zone,
  failures integer not null default 0,
  failure text
);

create table seen_events (
  seen_key uuid not null,
  seen_at timestamp with time zone not null
);

create table sellpage_stats_daily (
  advertiser_id bigint not null,
  sellpage_id bigint not null,
  stat_date date not null,
  ad_source text not null,
  ad_spend_micros bigint not null,
  impressions bigint not null,
  link_clicks bigint not null,
  content_views numeric(20,4) not null,
  add_to_cart numeric(20,4) not null,
  checkout_initiated numeric(20,4) not null,
  purchases numeric(20,4) not null,
  purchase_value_micros bigint not null,
  orders_count numeric(20,4) not null,
  revenue_micros bigint not null,
  cpm numeric(20,4) not null,
  ctr numeric(20,4) not null,
  cost_per_purchase numeric(20,2) not null,
  roas numeric(20,4) not null,
  cr1 numeric(20,4) not null,
  cr2 numeric(20,4) not null,
  cr3 numeric(20,4) not null
);

create table sellpages (
  id bigint not null generated always as identity,
  public_id uuid not null,
  account_id bigint not null,
  advertiser_id bigint not null,
  name text not null,
  url text not null,
  version integer not null default 1,
  created_at timestamp with time zone not null,
  updated_at timestamp with time zone not null,
  deleted_at timestamp with time zone
);

create table seo_records (
  id bigint not null generated always as identity,
  public_id uuid not null,
  name text not null,
  external_id text,
  version integer not null default 1,
  created_at timestamp with time zone not null,
  updated_at timestamp with time zone not null
);

create table serve_index (
  page_id bigint not null,
  site_id bigint not null,
  url text not null,
  version bigint not null default nextval('serve_index_versions'::regclass),
  classified_at timestamp with time zone not null,
  auctioned_at timestamp with time zone not null,
  expires_at timestamp with time zone not null,
  candidates jsonb not null,
  has_lost boolean not null default false,
  categories jsonb not null default '{}'::jsonb
);

create table session_block_action (
  id bigint not null generated always as identity,
  public_id uuid not null,
  user_id text not null,
  device_session_id text not null,
  reason_code text not null,
  evidence jsonb not null,
  state text not null,
  attempts integer not null default 0,
  available_at timestamp with time zone not null,
  last_error text,
  actor_type text not null,
  actor_id text not null,
  created_at timestamp with time zone not null,
  updated_at timestamp with time zone not null
);

create table set_aside_rows (
  id bigint not null generated always as identity,
  reader text not null,
  entity text not null,
  entity_id bigint not null,
  reason text not null,
  since timestamp with time zone not null,
  seen_at timestamp with time zone not null
);

create table settled_batches (
  id bigint not null default nextval('ledger_entry_ids'::regclass),
  xid xid8 not null default pg_current_xact_id(),
  node text not null,
  events integer not null,
  decision_days date[] not null,
  settled_at timestamp with time zone not null,
  paid_days date[]
);

create table sign_in_factors (
  id bigint not null generated always as identity,
  public_id uuid not null,
  user_id bigint not null,
  kind text not null,
  name text not null,
  created_at timestamp with time zone not null,
  last_used_at timestamp with time zone,
  sealed_secret text,
  last_step bigint,
  credential_id text,
  public_key bytea,
  counter bigint,
  transports text[]
);

create table sign_in_limits (
  subject bytea not null,
  window_started_at timestamp with time zone not null,
  tries integer not null
);

create table sign_in_links (
  id bigint not null generated always as identity,
  user_id bigint not null,
  kind text not null,
  token_hash bytea not null,
  new_email text,
  change_id uuid,
  created_at timestamp with time zone not null,
  expires_at timestamp with time zone not null,
  used_at timestamp with time zone
);

create table site_ad_product_blocks (
  site_id bigint not null,
  ad_product_category text not null,
  created_at timestamp with time zone not null
);

create table site_crawls (
  site_id bigint not null,
  started_at timestamp with time zone not null,
  finished_at timestamp with time zone,
  pages_read integer not null default 0,
  fault text
);

create table site_domain_checks (
  site_id bigint not null,
  ordered_at timestamp with time zone,
  checked_at timestamp with time zone,
  next_at timestamp with time zone,
  looks integer not null default 0,
  failing_since timestamp with time zone,
  faults text[] not null default '{}'::text[]
);

create table sites (
  id bigint not null generated always as identity,
  public_id uuid not null,
  account_id bigint not null,
  publisher_id bigint not null,
  name text not null,
  domain text not null,
  seed_url text,
  crawl_cron text,
  crawl_depth integer not null default 2,
  crawl_page_limit integer not null default 500,
  pacing jsonb not null default '{}'::jsonb,
  approval_required boolean not null default true,
  keep_url_queries boolean not null default false,
  is_active boolean not null default true,
  version integer not null default 1,
  created_at timestamp with time zone not null,
  updated_at timestamp with time zone not null,
  deleted_at timestamp with time zone,
  domain_token text not null default replace((gen_random_uuid())::text, '-'::text, ''::text),
  domain_proven_at timestamp with time zone,
  domain_proven_by text,
  domain_state text not null generated always as (
CASE
    WHEN (domain_proven_at IS NULL) THEN 'unproven'::text
    ELSE 'proven'::text
END) stored,
  ads_txt_lines text[] not null default '{}'::text[]
);

create table slots (
  id bigint not null generated always as identity,
  public_id uuid not null,
  account_id bigint not null,
  site_id bigint not null,
  placement_id bigint not null,
  name text not null,
  width integer not null,
  height integer not null,
  version integer not null default 1,
  created_at timestamp with time zone not null,
  updated_at timestamp with time zone not null,
  deleted_at timestamp with time zone
);

create table stats_cube (
  grain text not null,
  bucket timestamp with time zone not null,
  advertiser_id bigint not null,
  campaign_id bigint not null,
  ad_set_id bigint not null,
  ad_id bigint not null,
  banner_id bigint not null,
  placement_id bigint not null,
  site_id bigint not null,
  country text not null,
  device text not null,
  label text not null,
  budget_day date not null,
  currency text not null,
  impressions bigint not null default 0,
  views bigint not null default 0,
  clicks bigint not null default 0,
  over_delivered bigint not null default 0,
  charged_millis bigint not null default 0,
  content_views numeric not null default 0,
  add_to_carts numeric not null default 0,
  checkouts numeric not null default 0,
  purchases numeric not null default 0,
  revenue numeric not null default 0,
  video_starts bigint not null default 0,
  first_quartiles bigint not null default 0,
  midpoints bigint not null default 0,
  third_quartiles bigint not null default 0,
  video_completes bigint not null default 0
);

create table stats_cursors (
  source text not null,
  xid xid8 not null,
  id bigint not null,
  moved_at timestamp with time zone not null default now()
);

create table stats_rebuilds (
  day date not null,
  requested_at timestamp with time zone not null
);

create table switches (
  id bigint not null generated always as identity,
  name text not null,
  is_on boolean not null,
  note text not null default ''::text,
  version integer not null default 1,
  updated_at timestamp with time zone not null,
  updated_by uuid
);

create table user_review_state (
  user_id text not null,
  country_review_recommended boolean not null default false,
  reason_code text,
  since timestamp with time zone,
  evidence jsonb,
  snoozed_until timestamp with time zone,
  transition_seq integer not null default 0,
  last_evaluated_at timestamp with time zone,
  declared_country text,
  declared_country_known_at timestamp with time zone,
  first_seen_at timestamp with time zone,
  last_seen_at timestamp with time zone,
  active_days integer not null default 0,
  slots_by_day smallint[] not null default '{}'::smallint[],
  declared_country_ask_at timestamp with time zone
);

create table user_segments (
  id bigint not null generated always as identity,
  user_key text not null,
  segments text[] not null,
  updated_at timestamp with time zone not null,
  account_id bigint,
  purchased_at timestamp with time zone
);

create table users (
  id bigint not null generated always as identity,
  public_id uuid not null,
  account_id bigint not null,
  email text not null,
  display_name text not null,
  role text not null,
  password_hash text not null,
  is_active boolean not null default true,
  declared_country text,
  version integer not null default 1,
  created_at timestamp with time zone not null,
  updated_at timestamp with time zone not null,
  deleted_at timestamp with time zone,
  search_text text not null generated always as (((((display_name || ' '::text) || translate(email, '@.-_+'::text, '     '::text)) || ' '::text) || translate((public_id)::text, '-'::text, ' '::text))) stored,
  has_factor boolean not null default false,
  signs_in_by text not null default 'password'::text
);

create table views (
  decision_day date not null,
  event_id uuid not null,
  batch_id bigint not null,
  decision_id uuid,
  "position" smallint not null,
  budget_day date not null,
  ad_id bigint,
  assignment_id bigint,
  banner_id bigint,
  campaign_id bigint,
  advertiser_id bigint,
  placement_id bigint,
  site_id bigint,
  user_key text,
  session_id text,
  device_type text,
  country_code text,
  page_url text,
  referrer_url text,
  occurred_at timestamp with time zone not null,
  received_at timestamp with time zone not null,
  clock text not null,
  label text not null,
  pricing text not null,
  charge_micros bigint not null,
  charged_millis bigint not null,
  billing text not null,
  page_key bigint
);

create table waiting_conversions (
  id bigint not null generated always as identity,
  note_id bigint not null,
  conversion jsonb not null,
  shown jsonb,
  received_at timestamp with time zone not null
);

create table webhook_deliveries (
  id bigint not null generated always as identity,
  public_id uuid not null,
  webhook_endpoint_id bigint not null,
  event_id uuid not null,
  event_type text not null,
  subject text not null,
  body text not null,
  status text not null default 'pending'::text,
  attempts integer not null default 0,
  due_at timestamp with time zone not null,
  last_status integer,
  last_error text,
  occurred_at timestamp with time zone not null,
  created_at timestamp with time zone not null,
  finished_at timestamp with time zone
);

create table webhook_endpoints (
  id bigint not null generated always as identity,
  public_id uuid not null,
  version integer not null default 1,
  created_at timestamp with time zone not null,
  updated_at timestamp with time zone not null,
  name text not null,
  url text not null,
  event_types text[] not null,
  is_active boolean not null default true,
  failing_since timestamp with time zone,
  rest_reason text,
  sealed_secret text not null
);

alter table accounts add constraint accounts_kind_check CHECK ((kind = ANY (ARRAY['platform'::text, 'advertiser'::text, 'publisher'::text])));
alter table accounts add constraint accounts_pkey PRIMARY KEY (id);
alter table accounts add constraint accounts_public_id_key UNIQUE (public_id);
alter table ad_product_lines add constraint ad_product_lines_pkey PRIMARY KEY (ancestor, ad_product);
alter table ad_sets add constraint ad_sets_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id);
alter table ad_sets add constraint ad_sets_campaign_id_fkey FOREIGN KEY (campaign_id) REFERENCES campaigns(id);
alter table ad_sets add constraint ad_sets_pkey PRIMARY KEY (id);
alter table ad_sets add constraint ad_sets_public_id_key UNIQUE (public_id);
alter table ad_sets add constraint ad_sets_status_check CHECK ((status = ANY (ARRAY['active'::text, 'paused'::text, 'ended'::text])));
alter table ad_stats_daily add constraint ad_stats_daily_ad_source_check CHECK ((ad_source = ANY (ARRAY['META'::text, 'ONSITE'::text])));
alter table ad_stats_daily add constraint ad_stats_daily_entity_type_check CHECK ((entity_type = ANY (ARRAY['CAMPAIGN'::text, 'ADSET'::text, 'AD'::text])));
alter table ad_stats_daily add constraint uq_ad_stats_daily PRIMARY KEY (advertiser_id, entity_type, entity_id, stat_date);
alter table ad_stats_raw add constraint ad_stats_raw_add_to_cart_check CHECK ((add_to_cart >= (0)::numeric));
alter table ad_stats_raw add constraint ad_stats_raw_checkout_initiated_check CHECK ((checkout_initiated >= (0)::numeric));
alter table ad_stats_raw add constraint ad_stats_raw_content_views_check CHECK ((content_views >= (0)::numeric));
alter table ad_stats_raw add constraint ad_stats_raw_entity_type_check CHECK ((entity_type = ANY (ARRAY['CAMPAIGN'::text, 'ADSET'::text, 'AD'::text])));
alter table ad_stats_raw add constraint ad_stats_raw_impressions_check CHECK ((impressions >= 0));
alter table ad_stats_raw add constraint ad_stats_raw_link_clicks_check CHECK ((link_clicks >= 0));
alter table ad_stats_raw add constraint ad_stats_raw_pkey PRIMARY KEY (id);
alter table ad_stats_raw add constraint ad_stats_raw_purchase_value_micros_check CHECK ((purchase_value_micros >= 0));
alter table ad_stats_raw add constraint ad_stats_raw_purchases_check CHECK ((purchases >= (0)::numeric));
alter table ad_stats_raw add constraint ad_stats_raw_spend_micros_check CHECK ((spend_micros >= 0));
alter table ads add constraint ads_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id);
alter table ads add constraint ads_ad_set_id_fkey FOREIGN KEY (ad_set_id) REFERENCES ad_sets(id);
alter table ads add constraint ads_banner_id_fkey FOREIGN KEY (banner_id) REFERENCES banners(id);
alter table ads add constraint ads_bid_micros_check CHECK ((bid_micros > 0));
alter table ads add constraint ads_campaign_id_fkey FOREIGN KEY (campaign_id) REFERENCES campaigns(id);
alter table ads add constraint ads_pkey PRIMARY KEY (id);
alter table ads add constraint ads_public_id_key UNIQUE (public_id);
alter table ads add constraint ads_status_check CHECK ((status = ANY (ARRAY['active'::text, 'paused'::text, 'ended'::text])));
alter table advertiser_site_blocks add constraint advertiser_site_blocks_advertiser_id_fkey FOREIGN KEY (advertiser_id) REFERENCES advertisers(id);
alter table advertiser_site_blocks add constraint advertiser_site_blocks_pkey PRIMARY KEY (advertiser_id, site_id);
alter table advertiser_site_blocks add constraint advertiser_site_blocks_site_id_fkey FOREIGN KEY (site_id) REFERENCES sites(id);
alter table advertiser_stats add constraint advertiser_stats_pkey PRIMARY KEY (label, day, advertiser_id, currency);
alter table advertisers add constraint advertisers_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id);
alter table advertisers add constraint advertisers_budget_daily_micros_check CHECK ((budget_daily_micros > 0));
alter table advertisers add constraint advertisers_check CHECK (((house_publisher_id IS NULL) OR is_house));
alter table advertisers add constraint advertisers_conversion_value_max_micros_check CHECK ((conversion_value_max_micros > 0));
alter table advertisers add constraint advertisers_currency_check CHECK ((currency ~ '^[A-Z]{3}$'::text));
alter table advertisers add constraint advertisers_house_publisher_id_fkey FOREIGN KEY (house_publisher_id) REFERENCES publishers(id);
alter table advertisers add constraint advertisers_pkey PRIMARY KEY (id);
alter table advertisers add constraint advertisers_public_id_key UNIQUE (public_id);
alter table api_keys add constraint api_keys_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id);
alter table api_keys add constraint api_keys_created_by_fkey FOREIGN KEY (created_by) REFERENCES users(id) ON DELETE SET NULL;
alter table api_keys add constraint api_keys_key_hash_key UNIQUE (key_hash);
alter table api_keys add constraint api_keys_pkey PRIMARY KEY (id);
alter table api_keys add constraint api_keys_public_id_key UNIQUE (public_id);
alter table assets add constraint assets_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id);
alter table assets add constraint assets_byte_count_check CHECK ((byte_count > 0));
alter table assets add constraint assets_duration_ms_check CHECK ((duration_ms > 0));
alter table assets add constraint assets_pkey PRIMARY KEY (id);
alter table assets add constraint assets_public_id_key UNIQUE (public_id);
alter table auction_batches add constraint auction_batches_pkey PRIMARY KEY (id);
alter table auction_statistics add constraint auction_statistics_pkey PRIMARY KEY (bucket, placement_type, currency);
alter table auctions add constraint auctions_bid_count_check CHECK ((bid_count >= 0));
alter table auctions add constraint auctions_check CHECK ((decided_on = ((auction_time AT TIME ZONE 'UTC'::text))::date));
alter table auctions add constraint auctions_kind_check CHECK ((kind = ANY (ARRAY['slug'::text, 'auction'::text, 'page'::text, 'openrtb'::text, 'vast'::text, 'kevel'::text, 'topsort'::text])));
alter table auctions add constraint auctions_pkey PRIMARY KEY (decided_on, id);
alter table auctions add constraint auctions_placement_type_check CHECK ((length(placement_type) <= 50));
alter table audit_log add constraint audit_log_actor_kind_check CHECK ((actor_kind = ANY (ARRAY['user'::text, 'key'::text, 'system'::text])));
alter table audit_log add constraint audit_log_pkey PRIMARY KEY (id);
alter table audit_log add constraint audit_log_public_id_key UNIQUE (public_id);
alter table banner_assignments add constraint banner_assignments_banner_id_fkey FOREIGN KEY (banner_id) REFERENCES banners(id);
alter table banner_assignments add constraint banner_assignments_campaign_id_placement_id_fkey FOREIGN KEY (campaign_id, placement_id) REFERENCES campaign_placements(campaign_id, placement_id) ON DELETE CASCADE;
alter table banner_assignments add constraint banner_assignments_display_order_check CHECK ((display_order >= 0));
alter table banner_assignments add constraint banner_assignments_fallback_priority_check CHECK ((fallback_priority >= 0));
alter table banner_assignments add constraint banner_assignments_id_key UNIQUE (id);
alter table banner_assignments add constraint banner_assignments_pkey PRIMARY KEY (campaign_id, placement_id, banner_id);
alter table banner_assignments add constraint banner_assignments_transition_duration_ms_check CHECK ((transition_duration_ms >= 0));
alter table banner_assignments add constraint banner_assignments_weight_check CHECK (((weight >= 0) AND (weight <= 1000000)));
alter table banner_stats add constraint banner_stats_clicks_check CHECK ((clicks >= 0));
alter table banner_stats add constraint banner_stats_impressions_check CHECK ((impressions >= 0));
alter table banner_stats add constraint banner_stats_key UNIQUE NULLS NOT DISTINCT (banner_id, placement_id, campaign_id, stat_date);
alter table banner_stats add constraint banner_stats_pkey PRIMARY KEY (id);
alter table banner_stats add constraint banner_stats_spend_micros_check CHECK ((spend_micros >= 0));
alter table banners add constraint banners_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id);
alter table banners add constraint banners_advertiser_id_fkey FOREIGN KEY (advertiser_id) REFERENCES advertisers(id);
alter table banners add constraint banners_bg_color_check CHECK ((bg_color ~ '^#[0-9a-fA-F]{6}$'::text));
alter table banners add constraint banners_brand_id_fkey FOREIGN KEY (brand_id) REFERENCES brands(id) ON DELETE SET NULL;
alter table banners add constraint banners_category_id_fkey FOREIGN KEY (category_id) REFERENCES categories(id) ON DELETE SET NULL;
alter table banners add constraint banners_created_by_fkey FOREIGN KEY (created_by) REFERENCES users(id) ON DELETE SET NULL;
alter table banners add constraint banners_format_check CHECK ((format = ANY (ARRAY['single_image'::text, 'video'::text, 'html'::text, 'native'::text])));
alter table banners add constraint banners_height_check CHECK ((height > 0));
alter table banners add constraint banners_pkey PRIMARY KEY (id);
alter table banners add constraint banners_priority_check CHECK ((priority >= 0));
alter table banners add constraint banners_product_id_fkey FOREIGN KEY (product_id) REFERENCES products(id) ON DELETE SET NULL;
alter table banners add constraint banners_public_id_key UNIQUE (public_id);
alter table banners add constraint banners_schedule_check CHECK ((publish_at < expires_at));
alter table banners add constraint banners_schedule_status_check CHECK ((schedule_status = ANY (ARRAY['evergreen'::text, 'scheduled'::text, 'active'::text, 'expired'::text])));
alter table banners add constraint banners_seo_id_fkey FOREIGN KEY (seo_id) REFERENCES seo_records(id) ON DELETE SET NULL;
alter table banners add constraint banners_source_check CHECK ((source = ANY (ARRAY['internal'::text, 'sponsored'::text, 'affiliate'::text, 'system'::text])));
alter table banners add constraint banners_template_id_fkey FOREIGN KEY (template_id) REFERENCES creative_templates(id);
alter table banners add constraint banners_video_duration_ms_check CHECK ((video_duration_ms > 0));
alter table banners add constraint banners_video_skip_after_ms_check CHECK ((video_skip_after_ms >= 0));
alter table banners add constraint banners_width_check CHECK ((width > 0));
alter table bid_agent_days add constraint bid_agent_days_pkey PRIMARY KEY (campaign_id, day);
alter table bid_agent_windows add constraint bid_agent_windows_pkey PRIMARY KEY (campaign_id, day, "window");
alter table bid_agent_windows add constraint bid_agent_windows_window_check CHECK (("window" >= 0));
alter table bid_agents add constraint bid_agents_aim_check CHECK ((aim = ANY (ARRAY['fixed'::text, 're-solve'::text, 'dqn'::text, 'dqn-seed'::text, 'tcpa'::text])));
alter table bid_agents add constraint bid_agents_base_check CHECK ((base = ANY (ARRAY['fixed'::text, 're-solve'::text, 'dqn'::text, 'dqn-seed'::text, 'tcpa'::text])));
alter table bid_agents add constraint bid_agents_base_lift_check CHECK ((base_lift >= (1)::double precision));
alter table bid_agents add constraint bid_agents_base_multiplier_check CHECK ((base_multiplier > (0)::double precision));
alter table bid_agents add constraint bid_agents_brake_micros_check CHECK ((brake_micros >= 0));
alter table bid_agents add constraint bid_agents_campaign_id_fkey FOREIGN KEY (campaign_id) REFERENCES campaigns(id);
alter table bid_agents add constraint bid_agents_pkey PRIMARY KEY (campaign_id);
alter table bid_agents add constraint bid_agents_share_check CHECK (((share >= (0)::double precision) AND (share <= (1)::double precision)));
alter table bid_agents add constraint bid_agents_trial_check CHECK ((trial = ANY (ARRAY['re-solve'::text, 'dqn'::text, 'dqn-seed'::text, 'tcpa'::text])));
alter table bid_agents add constraint bid_agents_trial_lift_check CHECK ((trial_lift >= (1)::double precision));
alter table bid_agents add constraint bid_agents_trial_multiplier_check CHECK ((trial_multiplier > (0)::double precision));
alter table bid_judgements add constraint bid_judgements_move_check CHECK ((move = ANY (ARRAY['start'::text, 'up'::text, 'stay'::text, 'roll-back'::text, 'promote'::text])));
alter table bid_judgements add constraint bid_judgements_pkey PRIMARY KEY (id);
alter table bid_judgements add constraint bid_judgements_verdict_check CHECK ((verdict = ANY (ARRAY['as-good'::text, 'worse'::text, 'undecided'::text, 'too-few-days'::text])));
alter table brands add constraint brands_external_id_key UNIQUE (external_id);
alter table brands add constraint brands_pkey PRIMARY KEY (id);
alter table brands add constraint brands_public_id_key UNIQUE (public_id);
alter table budget_days add constraint budget_days_allowance_micros_check CHECK ((allowance_micros >= 0));
alter table budget_days add constraint budget_days_leased_micros_check CHECK ((leased_micros >= 0));
alter table budget_days add constraint budget_days_limit_micros_check CHECK ((limit_micros >= 0));
alter table budget_days add constraint budget_days_never_overleased_check CHECK (((spent_micros + leased_micros) <= limit_micros));
alter table budget_days add constraint budget_days_never_overspent_check CHECK ((spent_micros <= limit_micros));
alter table budget_days add constraint budget_days_pkey PRIMARY KEY (scope, owner_id, day);
alter table budget_days add constraint budget_days_remainder_millis_check CHECK (((remainder_millis >= 0) AND (remainder_millis <= 999)));
alter table budget_days add constraint budget_days_scope_check CHECK ((scope = ANY (ARRAY['campaign'::text, 'advertiser'::text])));
alter table budget_days add constraint budget_days_spent_micros_check CHECK ((spent_micros >= 0));
alter table budget_leases add constraint budget_leases_amount_micros_check CHECK ((amount_micros >= 0));
alter table budget_leases add constraint budget_leases_pkey PRIMARY KEY (campaign_id, day, node);
alter table budget_resets add constraint budget_resets_allowance_micros_check CHECK ((allowance_micros > 0));
alter table budget_resets add constraint budget_resets_pkey PRIMARY KEY (id);
alter table campaign_delivery add constraint campaign_delivery_campaign_id_fkey FOREIGN KEY (campaign_id) REFERENCES campaigns(id) ON DELETE CASCADE;
alter table campaign_delivery add constraint campaign_delivery_code_check CHECK ((length(code) <= 50));
alter table campaign_delivery add constraint campaign_delivery_pkey PRIMARY KEY (campaign_id);
alter table campaign_delivery add constraint campaign_delivery_state_check CHECK ((state = ANY (ARRAY['delivering'::text, 'limited'::text, 'not-delivering'::text])));
alter table campaign_delivery add constraint campaign_delivery_text_check CHECK ((length(text) <= 500));
alter table campaign_drafts add constraint campaign_drafts_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id);
alter table campaign_drafts add constraint campaign_drafts_pkey PRIMARY KEY (id);
alter table campaign_drafts add constraint campaign_drafts_public_id_key UNIQUE (public_id);
alter table campaign_placements add constraint campaign_placements_campaign_id_fkey FOREIGN KEY (campaign_id) REFERENCES campaigns(id);
alter table campaign_placements add constraint campaign_placements_pkey PRIMARY KEY (campaign_id, placement_id);
alter table campaign_placements add constraint campaign_placements_placement_id_fkey FOREIGN KEY (placement_id) REFERENCES placements(id);
alter table campaign_stats add constraint campaign_stats_pkey PRIMARY KEY (label, day, campaign_id, advertiser_id, currency);
alter table campaign_targeting_rules add constraint campaign_targeting_rules_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id);
alter table campaign_targeting_rules add constraint campaign_targeting_rules_campaign_id_fkey FOREIGN KEY (campaign_id) REFERENCES campaigns(id);
alter table campaign_targeting_rules add constraint campaign_targeting_rules_pkey PRIMARY KEY (id);
alter table campaign_targeting_rules add constraint campaign_targeting_rules_public_id_key UNIQUE (public_id);
alter table campaign_targeting_rules add constraint campaign_targeting_rules_rule_type_check CHECK ((rule_type = ANY (ARRAY['device'::text, 'country'::text, 'user_segment'::text, 'login_state'::text, 'language'::text, 'hour_of_day'::text, 'day_of_week'::text, 'new_visitor'::text, 'referrer_domain'::text])));
alter table campaign_totals add constraint campaign_totals_leased_micros_check CHECK ((leased_micros >= 0));
alter table campaign_totals add constraint campaign_totals_limit_micros_check CHECK ((limit_micros >= 0));
alter table campaign_totals add constraint campaign_totals_never_overleased_check CHECK (((spent_micros + leased_micros) <= limit_micros));
alter table campaign_totals add constraint campaign_totals_never_overspent_check CHECK ((spent_micros <= limit_micros));
alter table campaign_totals add constraint campaign_totals_pkey PRIMARY KEY (campaign_id);
alter table campaign_totals add constraint campaign_totals_remainder_millis_check CHECK (((remainder_millis >= 0) AND (remainder_millis <= 999)));
alter table campaign_totals add constraint campaign_totals_spent_micros_check CHECK ((spent_micros >= 0));
alter table campaigns add constraint campaigns_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id);
alter table campaigns add constraint campaigns_advertiser_id_fkey FOREIGN KEY (advertiser_id) REFERENCES advertisers(id);
alter table campaigns add constraint campaigns_budget_daily_micros_check CHECK ((budget_daily_micros > 0));
alter table campaigns add constraint campaigns_budget_total_micros_check CHECK ((budget_total_micros > 0));
alter table campaigns add constraint campaigns_channel_check CHECK ((channel = ANY (ARRAY['onsite'::text, 'meta'::text])));
alter table campaigns add constraint campaigns_click_cap_check CHECK ((click_cap > 0));
alter table campaigns add constraint campaigns_connection_id_fkey FOREIGN KEY (connection_id) REFERENCES channel_connections(id);
alter table campaigns add constraint campaigns_created_by_fkey FOREIGN KEY (created_by) REFERENCES users(id) ON DELETE SET NULL;
alter table campaigns add constraint campaigns_flight_check CHECK ((starts_at < ends_at));
alter table campaigns add constraint campaigns_impression_cap_check CHECK ((impression_cap > 0));
alter table campaigns add constraint campaigns_max_bid_micros_check CHECK ((max_bid_micros >= 0));
alter table campaigns add constraint campaigns_objective_check CHECK ((objective = ANY (ARRAY['awareness'::text, 'traffic'::text, 'engagement'::text, 'conversions'::text, 'sales'::text])));
alter table campaigns add constraint campaigns_pacing_strategy_check CHECK ((pacing_strategy = ANY (ARRAY['Smooth'::text, 'Accelerated'::text])));
alter table campaigns add constraint campaigns_pkey PRIMARY KEY (id);
alter table campaigns add constraint campaigns_pricing_check CHECK ((pricing = ANY (ARRAY['cpm'::text, 'cpc'::text])));
alter table campaigns add constraint campaigns_priority_check CHECK ((priority >= 0));
alter table campaigns add constraint campaigns_public_id_key UNIQUE (public_id);
alter table campaigns add constraint campaigns_sellpage_id_fkey FOREIGN KEY (sellpage_id) REFERENCES sellpages(id);
alter table campaigns add constraint campaigns_source_check CHECK ((source = ANY (ARRAY['internal'::text, 'sponsored'::text, 'affiliate'::text, 'system'::text])));
alter table campaigns add constraint campaigns_status_check CHECK ((status = ANY (ARRAY['draft'::text, 'scheduled'::text, 'active'::text, 'paused'::text, 'ended'::text, 'cancelled'::text])));
alter table campaigns add constraint campaigns_target_cpa_check CHECK (((target_cpa_micros IS NULL) OR (pricing = 'cpc'::text)));
alter table campaigns add constraint campaigns_target_cpa_micros_check CHECK ((target_cpa_micros > 0));
alter table categories add constraint categories_external_id_key UNIQUE (external_id);
alter table categories add constraint categories_pkey PRIMARY KEY (id);
alter table categories add constraint categories_public_id_key UNIQUE (public_id);
alter table change_set_rows add constraint change_set_rows_change_set_id_fkey FOREIGN KEY (change_set_id) REFERENCES change_sets(id) ON DELETE CASCADE;
alter table change_set_rows add constraint change_set_rows_entity_check CHECK ((entity = ANY (ARRAY['campaign'::text, 'ad'::text])));
alter table change_set_rows add constraint change_set_rows_outcome_check CHECK ((outcome = ANY (ARRAY['waiting'::text, 'ready'::text, 'unchanged'::text, 'refused'::text, 'changed'::text, 'undone'::text, 'kept'::text])));
alter table change_set_rows add constraint change_set_rows_pkey PRIMARY KEY (change_set_id, "position");
alter table change_sets add constraint change_sets_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id);
alter table change_sets add constraint change_sets_author_kind_check CHECK ((author_kind = ANY (ARRAY['user'::text, 'key'::text])));
alter table change_sets add constraint change_sets_pkey PRIMARY KEY (id);
alter table change_sets add constraint change_sets_public_id_key UNIQUE (public_id);
alter table change_sets add constraint change_sets_state_check CHECK ((state = ANY (ARRAY['checking'::text, 'draft'::text, 'publishing'::text, 'published'::text, 'undoing'::text, 'undone'::text])));
alter table changes add constraint changes_operation_check CHECK ((operation = ANY (ARRAY['insert'::text, 'update'::text, 'delete'::text])));
alter table changes add constraint changes_pkey PRIMARY KEY (id);
alter table channel_alerts add constraint channel_alerts_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id);
alter table channel_alerts add constraint channel_alerts_advertiser_id_fkey FOREIGN KEY (advertiser_id) REFERENCES advertisers(id);
alter table channel_alerts add constraint channel_alerts_campaign_id_fkey FOREIGN KEY (campaign_id) REFERENCES campaigns(id);
alter table channel_alerts add constraint channel_alerts_connection_id_fkey FOREIGN KEY (connection_id) REFERENCES channel_connections(id);
alter table channel_alerts add constraint channel_alerts_kind_check CHECK ((kind = ANY (ARRAY['under-delivery'::text, 'exhausted-early'::text, 'ctr-collapse'::text, 'sync-failing'::text])));
alter table channel_alerts add constraint channel_alerts_pkey PRIMARY KEY (id);
alter table channel_alerts add constraint channel_alerts_public_id_key UNIQUE (public_id);
alter table channel_alerts add constraint channel_alerts_subject_check CHECK ((num_nonnulls(campaign_id, connection_id) = 1));
alter table channel_backfills add constraint channel_backfills_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id);
alter table channel_backfills add constraint channel_backfills_advertiser_id_fkey FOREIGN KEY (advertiser_id) REFERENCES advertisers(id);
alter table channel_backfills add constraint channel_backfills_pkey PRIMARY KEY (id);
alter table channel_backfills add constraint channel_backfills_public_id_key UNIQUE (public_id);
alter table channel_backfills add constraint channel_backfills_range_check CHECK ((date_from <= date_to));
alter table channel_backfills add constraint channel_backfills_status_check CHECK ((status = ANY (ARRAY['waiting'::text, 'running'::text, 'succeeded'::text, 'failed'::text])));
alter table channel_connections add constraint channel_connections_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id);
alter table channel_connections add constraint channel_connections_advertiser_id_fkey FOREIGN KEY (advertiser_id) REFERENCES advertisers(id);
alter table channel_connections add constraint channel_connections_connection_type_check CHECK ((connection_type = ANY (ARRAY['AD_ACCOUNT'::text, 'PAGE'::text, 'PIXEL'::text, 'CONVERSION'::text])));
alter table channel_connections add constraint channel_connections_pkey PRIMARY KEY (id);
alter table channel_connections add constraint channel_connections_provider_check CHECK ((provider = ANY (ARRAY['mock'::text, 'onsite'::text, 'meta'::text])));
alter table channel_connections add constraint channel_connections_public_id_key UNIQUE (public_id);
alter table channel_syncs add constraint channel_syncs_advertiser_id_fkey FOREIGN KEY (advertiser_id) REFERENCES advertisers(id);
alter table channel_syncs add constraint channel_syncs_level_check CHECK ((level = ANY (ARRAY['CAMPAIGN'::text, 'ADSET'::text, 'AD'::text])));
alter table channel_syncs add constraint channel_syncs_pkey PRIMARY KEY (public_id);
alter table channel_syncs add constraint channel_syncs_state_check CHECK ((state = ANY (ARRAY['waiting'::text, 'running'::text, 'succeeded'::text, 'failed'::text, 'replaced'::text])));
alter table channel_ticks add constraint channel_ticks_only_one_check CHECK (only_one);
alter table channel_ticks add constraint channel_ticks_pkey PRIMARY KEY (only_one);
alter table clicks add constraint clicks_pkey PRIMARY KEY (decision_day, event_id);
alter table clicks add constraint impressions_billing_check CHECK ((billing = ANY (ARRAY['charged'::text, 'free'::text, 'invalid'::text, 'over-delivery'::text])));
alter table clicks add constraint impressions_charge_micros_check CHECK ((charge_micros >= 0));
alter table clicks add constraint impressions_charged_millis_check CHECK ((charged_millis >= 0));
alter table clicks add constraint impressions_clock_check CHECK ((clock = ANY (ARRAY['on-time'::text, 'late'::text, 'ahead'::text])));
alter table clicks add constraint impressions_pricing_check CHECK ((pricing = ANY (ARRAY['cpm'::text, 'cpc'::text])));
alter table consent_counts add constraint consent_counts_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id);
alter table consent_counts add constraint consent_counts_pkey PRIMARY KEY (day, account_id, signal);
alter table consent_counts add constraint consent_counts_requests_check CHECK ((requests > 0));
alter table contextual_cursors add constraint contextual_cursors_pkey PRIMARY KEY (source);
alter table conversion_credits add constraint conversion_credits_pkey PRIMARY KEY (conversion_id, place);
alter table conversion_credits add constraint conversion_credits_share_check CHECK (((share >= 0) AND (share <= 10000)));
alter table conversion_credits add constraint conversion_credits_touch_check CHECK ((touch = ANY (ARRAY['click'::text, 'view'::text])));
alter table conversion_orders add constraint conversion_orders_pkey PRIMARY KEY (advertiser_id, order_id);
alter table conversions add constraint conversions_clock_check CHECK ((clock = ANY (ARRAY['on-time'::text, 'late'::text, 'ahead'::text])));
alter table conversions add constraint conversions_currency_check CHECK ((currency ~ '^[A-Z]{3}$'::text));
alter table conversions add constraint conversions_kind_check CHECK ((kind = ANY (ARRAY['content_view'::text, 'add_to_cart'::text, 'checkout'::text, 'purchase'::text])));
alter table conversions add constraint conversions_model_check CHECK ((model = ANY (ARRAY['last-click'::text, 'first-click'::text, 'linear'::text])));
alter table conversions add constraint conversions_pkey PRIMARY KEY (decision_day, event_id);
alter table conversions add constraint conversions_value_micros_check CHECK ((value_micros >= 0));
alter table conversions add constraint conversions_way_check CHECK ((way = ANY (ARRAY['pixel'::text, 'token'::text, 'server'::text])));
alter table country_observation add constraint country_observation_observed_country_check CHECK ((observed_country ~ '^[A-Z]{2}$'::text));
alter table country_observation add constraint country_observation_pkey PRIMARY KEY (user_id, device_session_id, hour, observed_country);
alter table creative_approvals add constraint creative_approvals_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id);
alter table creative_approvals add constraint creative_approvals_banner_account_id_fkey FOREIGN KEY (banner_account_id) REFERENCES accounts(id);
alter table creative_approvals add constraint creative_approvals_banner_id_fkey FOREIGN KEY (banner_id) REFERENCES banners(id);
alter table creative_approvals add constraint creative_approvals_decided_by_fkey FOREIGN KEY (decided_by) REFERENCES users(id) ON DELETE SET NULL;
alter table creative_approvals add constraint creative_approvals_pkey PRIMARY KEY (id);
alter table creative_approvals add constraint creative_approvals_public_id_key UNIQUE (public_id);
alter table creative_approvals add constraint creative_approvals_site_id_fkey FOREIGN KEY (site_id) REFERENCES sites(id);
alter table creative_approvals add constraint creative_approvals_status_check CHECK ((status = ANY (ARRAY['pending'::text, 'approved'::text, 'rejected'::text, 'flagged'::text])));
alter table creative_minutes add constraint creative_minutes_pkey PRIMARY KEY (minute, banner_id);
alter table creative_templates add constraint creative_templates_pkey PRIMARY KEY (id);
alter table creative_templates add constraint creative_templates_public_id_key UNIQUE (public_id);
alter table ctr_models add constraint ctr_models_evidence_check CHECK ((evidence = ANY (ARRAY['click'::text, 'conversion'::text])));
alter table ctr_models add constraint ctr_models_evidence_key UNIQUE (evidence);
alter table ctr_models add constraint ctr_models_pkey PRIMARY KEY (id);
alter table declared_country_version add constraint declared_country_version_country_check CHECK ((country ~ '^[A-Z]{2}$'::text));
alter table declared_country_version add constraint declared_country_version_pkey PRIMARY KEY (id);
alter table declared_country_version add constraint declared_country_version_previous_country_check CHECK ((previous_country ~ '^[A-Z]{2}$'::text));
alter table declared_country_version add constraint declared_country_version_state_check CHECK ((state = ANY (ARRAY['recorded'::text, 'applied'::text, 'sync_failed'::text, 'abandoned'::text])));
alter table declared_country_version add constraint declared_country_version_user_id_version_no_key UNIQUE (user_id, version_no);
alter table delivery_checker add constraint delivery_checker_id_check CHECK ((id = 1));
alter table delivery_checker add constraint delivery_checker_node_check CHECK ((length(node) <= 200));
alter table delivery_checker add constraint delivery_checker_pkey PRIMARY KEY (id);
alter table delivery_stats add constraint delivery_stats_pkey PRIMARY KEY (bucket, source, winner_id, placement_id, label);
alter table delivery_stats add constraint delivery_stats_source_check CHECK ((source = ANY (ARRAY['ad'::text, 'assignment'::text, 'banner'::text])));
alter table device_session_country_score add constraint device_session_country_score_observed_country_check CHECK ((observed_country ~ '^[A-Z]{2}$'::text));
alter table device_session_country_score add constraint device_session_country_score_pkey PRIMARY KEY (user_id, device_session_id, observed_country);
alter table device_session_country_score add constraint device_session_country_score_recent_ms_check CHECK ((cardinality(recent_ms) <= 4));
alter table device_session_profile add constraint device_session_profile_pkey PRIMARY KEY (user_id, device_session_id);
alter table device_session_profile add constraint device_session_profile_usual_connection_country_check CHECK ((usual_connection_country ~ '^[A-Z]{2}$'::text));
alter table device_sessions add constraint device_sessions_factor_proof_check CHECK ((factor_proof = ANY (ARRAY['authenticator'::text, 'passkey'::text, 'recovery-code'::text, 'provider'::text])));
alter table device_sessions add constraint device_sessions_identity_provider_id_fkey FOREIGN KEY (identity_provider_id) REFERENCES identity_providers(id) ON DELETE SET NULL;
alter table device_sessions add constraint device_sessions_pkey PRIMARY KEY (id);
alter table device_sessions add constraint device_sessions_public_id_key UNIQUE (public_id);
alter table device_sessions add constraint device_sessions_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id);
alter table event_inbox add constraint event_inbox_pkey PRIMARY KEY (id);
alter table external_identities add constraint external_identities_identity_provider_id_fkey FOREIGN KEY (identity_provider_id) REFERENCES identity_providers(id) ON DELETE CASCADE;
alter table external_identities add constraint external_identities_issuer_subject_key UNIQUE (issuer, subject);
alter table external_identities add constraint external_identities_pkey PRIMARY KEY (id);
alter table external_identities add constraint external_identities_public_id_key UNIQUE (public_id);
alter table external_identities add constraint external_identities_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE;
alter table external_identities add constraint external_identities_user_id_issuer_key UNIQUE (user_id, issuer);
alter table factor_challenges add constraint factor_challenges_pkey PRIMARY KEY (session_id, purpose);
alter table factor_challenges add constraint factor_challenges_purpose_check CHECK ((purpose = ANY (ARRAY['add-authenticator'::text, 'add-passkey'::text, 'prove'::text])));
alter table factor_challenges add constraint factor_challenges_session_id_fkey FOREIGN KEY (session_id) REFERENCES device_sessions(id) ON DELETE CASCADE;
alter table feed_horizons add constraint feed_horizons_pkey PRIMARY KEY (feed);
alter table first_steps add constraint first_steps_only_one_check CHECK (only_one);
alter table first_steps add constraint first_steps_pkey PRIMARY KEY (only_one);
alter table first_visits add constraint first_visits_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id);
alter table first_visits add constraint first_visits_pkey PRIMARY KEY (user_key);
alter table forgotten_users add constraint forgotten_users_pkey PRIMARY KEY (user_key);
alter table frequency_caps add constraint frequency_caps_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id);
alter table frequency_caps add constraint frequency_caps_ad_id_fkey FOREIGN KEY (ad_id) REFERENCES ads(id);
alter table frequency_caps add constraint frequency_caps_advertiser_id_fkey FOREIGN KEY (advertiser_id) REFERENCES advertisers(id);
alter table frequency_caps add constraint frequency_caps_campaign_id_fkey FOREIGN KEY (campaign_id) REFERENCES campaigns(id);
alter table frequency_caps add constraint frequency_caps_max_impressions_per_user_check CHECK ((max_impressions_per_user > 0));
alter table frequency_caps add constraint frequency_caps_one_target_check CHECK ((num_nonnulls(ad_id, campaign_id, advertiser_id) = 1));
alter table frequency_caps add constraint frequency_caps_pkey PRIMARY KEY (id);
alter table frequency_caps add constraint frequency_caps_public_id_key UNIQUE (public_id);
alter table frequency_caps add constraint frequency_caps_window_check CHECK (("window" = ANY (ARRAY['Hour'::text, 'Day'::text, 'Week'::text, 'Month'::text, 'Lifetime'::text])));
alter table frequency_counts add constraint frequency_counts_impressions_check CHECK ((impressions > 0));
alter table frequency_counts add constraint frequency_counts_pkey PRIMARY KEY (user_key, scope, target_id, "window", window_start);
alter table frequency_counts add constraint frequency_counts_scope_check CHECK ((scope = ANY (ARRAY['ad'::text, 'campaign'::text, 'advertiser'::text])));
alter table frequency_counts add constraint frequency_counts_window_check CHECK (("window" = ANY (ARRAY['Hour'::text, 'Day'::text, 'Week'::text, 'Month'::text, 'Lifetime'::text])));
alter table geo_decision add constraint geo_decision_about_check CHECK ((about = ANY (ARRAY['review'::text, 'session'::text])));
alter table geo_decision add constraint geo_decision_pkey PRIMARY KEY (id);
alter table geo_decision add constraint geo_decision_session_check CHECK (((about = 'session'::text) = ((block_action_id IS NOT NULL) OR (device_session_id IS NOT NULL))));
alter table geo_decision add constraint geo_decision_verdict_check CHECK ((verdict = ANY (ARRAY['block'::text, 'dismiss'::text, 'unblock'::text])));
alter table geo_review_rule add constraint geo_review_rule_only_one_check CHECK (only_one);
alter table geo_review_rule add constraint geo_review_rule_pkey PRIMARY KEY (only_one);
alter table identity_providers add constraint identity_providers_pkey PRIMARY KEY (id);
alter table identity_providers add constraint identity_providers_public_id_key UNIQUE (public_id);
alter table identity_providers add constraint identity_providers_session_hours_check CHECK (((session_hours >= 1) AND (session_hours <= 720)));
alter table identity_providers add constraint identity_providers_slug_key UNIQUE (slug);
alter table impressions add constraint impressions_billing_check CHECK ((billing = ANY (ARRAY['charged'::text, 'free'::text, 'invalid'::text, 'over-delivery'::text])));
alter table impressions add constraint impressions_charge_micros_check CHECK ((charge_micros >= 0));
alter table impressions add constraint impressions_charged_millis_check CHECK ((charged_millis >= 0));
alter table impressions add constraint impressions_clock_check CHECK ((clock = ANY (ARRAY['on-time'::text, 'late'::text, 'ahead'::text])));
alter table impressions add constraint impressions_pkey PRIMARY KEY (decision_day, event_id);
alter table impressions add constraint impressions_pricing_check CHECK ((pricing = ANY (ARRAY['cpm'::text, 'cpc'::text])));
alter table job_orders add constraint job_orders_pkey PRIMARY KEY (id);
alter table job_schedules add constraint job_schedules_pkey PRIMARY KEY (job);
alter table kept_answers add constraint kept_answers_pkey PRIMARY KEY (caller, key);
alter table lease_holders add constraint lease_holders_pkey PRIMARY KEY (node);
alter table ledger_entries add constraint ledger_entries_kind_check CHECK ((kind = ANY (ARRAY['settled'::text, 'credit'::text, 'adjustment'::text, 'allowance'::text, 'lease-taken'::text, 'lease-returned'::text])));
alter table ledger_entries add constraint ledger_entries_pkey PRIMARY KEY (scope, owner_id, day, entry_id);
alter table ledger_entries add constraint ledger_entries_scope_check CHECK ((scope = ANY (ARRAY['campaign'::text, 'advertiser'::text])));
alter table ledger_proofs add constraint ledger_proofs_pkey PRIMARY KEY (id);
alter table migrations add constraint migrations_pkey PRIMARY KEY (name);
alter table nodes add constraint nodes_pkey PRIMARY KEY (id);
alter table nodes add constraint nodes_role_check CHECK ((role = ANY (ARRAY['all'::text, 'api'::text, 'worker'::text])));
alter table notices add constraint notices_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id);
alter table notices add constraint notices_attempts_check CHECK ((attempts >= 0));
alter table notices add constraint notices_pkey PRIMARY KEY (id);
alter table notices add constraint notices_public_id_key UNIQUE (public_id);
alter table notices add constraint notices_recipient_id_fkey FOREIGN KEY (recipient_id) REFERENCES recipients(id) ON DELETE CASCADE;
alter table notices add constraint notices_status_check CHECK ((status = ANY (ARRAY['waiting'::text, 'sending'::text, 'sent'::text, 'failed'::text])));
alter table notices add constraint notices_told_key UNIQUE (recipient_id, way, told_key);
alter table notices add constraint notices_way_check CHECK ((way = ANY (ARRAY['mail'::text, 'webhook'::text])));
alter table observation_queue add constraint observation_queue_ip_address_check CHECK ((octet_length(ip_address) = ANY (ARRAY[4, 16])));
alter table observation_queue add constraint observation_queue_pkey PRIMARY KEY (id);
alter table observation_queue add constraint observation_queue_state_check CHECK ((state = ANY (ARRAY['accepted'::text, 'processing'::text, 'processed'::text, 'failed'::text])));
alter table outbox add constraint outbox_event_id_key UNIQUE (event_id);
alter table outbox add constraint outbox_pkey PRIMARY KEY (id);
alter table outbox_cursors add constraint outbox_cursors_pkey PRIMARY KEY (sink, source);
alter table page_categories add constraint page_categories_confidence_check CHECK (((confidence > (0)::double precision) AND (confidence <= (1)::double precision)));
alter table page_categories add constraint page_categories_page_id_fkey FOREIGN KEY (page_id) REFERENCES pages(id) ON DELETE CASCADE;
alter table page_categories add constraint page_categories_pkey PRIMARY KEY (page_id, category_id);
alter table page_examples add constraint page_examples_category_ids_check CHECK (((cardinality(category_ids) >= 1) AND (cardinality(category_ids) <= 3)));
alter table page_examples add constraint page_examples_page_id_fkey FOREIGN KEY (page_id) REFERENCES pages(id) ON DELETE SET NULL;
alter table page_examples add constraint page_examples_pkey PRIMARY KEY (id);
alter table page_examples add constraint page_examples_site_id_fkey FOREIGN KEY (site_id) REFERENCES sites(id);
alter table pages add constraint pages_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id);
alter table pages add constraint pages_depth_check CHECK ((depth >= 0));
alter table pages add constraint pages_pkey PRIMARY KEY (id);
alter table pages add constraint pages_public_id_key UNIQUE (public_id);
alter table pages add constraint pages_site_id_fkey FOREIGN KEY (site_id) REFERENCES sites(id);
alter table pages add constraint pages_site_id_url_key UNIQUE (site_id, url);
alter table pages add constraint pages_state_check CHECK ((state = ANY (ARRAY['waiting'::text, 'read'::text, 'gone'::text, 'refused'::text, 'failed'::text])));
alter table pages add constraint pages_url_check CHECK ((length(url) <= 2000));
alter table pending_sign_ins add constraint pending_sign_ins_identity_provider_id_fkey FOREIGN KEY (identity_provider_id) REFERENCES identity_providers(id) ON DELETE CASCADE;
alter table pending_sign_ins add constraint pending_sign_ins_pkey PRIMARY KEY (id);
alter table pending_sign_ins add constraint pending_sign_ins_token_hash_key UNIQUE (token_hash);
alter table pending_sign_ins add constraint pending_sign_ins_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE;
alter table placements add constraint placements_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id);
alter table placements add constraint placements_floor_micros_check CHECK ((floor_micros >= 0));
alter table placements add constraint placements_layout_type_check CHECK ((layout_type = ANY (ARRAY['full_slider'::text, 'full_static'::text, 'half_pair'::text, 'quarter_grid'::text, 'sidebar_stack'::text, 'sidebar_single'::text, 'interstitial'::text, 'popup'::text, 'inline_card'::text, 'sticky_bar'::text])));
alter table placements add constraint placements_max_banners_check CHECK ((max_banners > 0));
alter table placements add constraint placements_mode_check CHECK ((mode = ANY (ARRAY['direct'::text, 'auction'::text, 'hybrid'::text])));
alter table placements add constraint placements_pkey PRIMARY KEY (id);
alter table placements add constraint placements_public_id_key UNIQUE (public_id);
alter table placements add constraint placements_publisher_id_fkey FOREIGN KEY (publisher_id) REFERENCES publishers(id);
alter table placements add constraint placements_recommended_height_check CHECK ((recommended_height > 0));
alter table placements add constraint placements_recommended_width_check CHECK ((recommended_width > 0));
alter table placements add constraint placements_rotation_check CHECK ((rotation = ANY (ARRAY['ordered'::text, 'weighted'::text])));
alter table placements add constraint placements_sort_order_check CHECK ((sort_order >= 0));
alter table placements add constraint placements_type_check CHECK ((type = ANY (ARRAY['feed'::text, 'story'::text, 'banner'::text])));
alter table products add constraint products_external_id_key UNIQUE (external_id);
alter table products add constraint products_pkey PRIMARY KEY (id);
alter table products add constraint products_public_id_key UNIQUE (public_id);
alter table progress_events add constraint progress_events_name_check CHECK ((name ~ '^[A-Za-z][A-Za-z0-9-]{0,39}$'::text));
alter table progress_events add constraint progress_events_pkey PRIMARY KEY (decision_day, decision_id, "position", name);
alter table progress_stats add constraint progress_stats_pkey PRIMARY KEY (campaign_id, bucket, banner_id, name, label);
alter table proposals add constraint proposals_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id);
alter table proposals add constraint proposals_pkey PRIMARY KEY (id);
alter table proposals add constraint proposals_public_id_key UNIQUE (public_id);
alter table proposals add constraint proposals_status_check CHECK ((status = ANY (ARRAY['pending'::text, 'accepted'::text, 'declined'::text, 'withdrawn'::text])));
alter table publishers add constraint publishers_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id);
alter table publishers add constraint publishers_currency_check CHECK ((currency ~ '^[A-Z]{3}$'::text));
alter table publishers add constraint publishers_pkey PRIMARY KEY (id);
alter table publishers add constraint publishers_public_id_key UNIQUE (public_id);
alter table quarantined_events add constraint quarantined_events_pkey PRIMARY KEY (event_id, reason);
alter table ranker_scores add constraint ranker_scores_pkey PRIMARY KEY (category_id, site_id);
alter table reach_sketches add constraint reach_sketches_level_check CHECK ((level = ANY (ARRAY['all'::text, 'advertiser'::text, 'campaign'::text, 'site'::text, 'placement'::text])));
alter table reach_sketches add constraint reach_sketches_pkey PRIMARY KEY (level, subject_id, currency, day);
alter table recipient_links add constraint recipient_links_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id);
alter table recipient_links add constraint recipient_links_pkey PRIMARY KEY (id);
alter table recipient_links add constraint recipient_links_recipient_id_fkey FOREIGN KEY (recipient_id) REFERENCES recipients(id) ON DELETE SET NULL;
alter table recipient_links add constraint recipient_links_token_hash_key UNIQUE (token_hash);
alter table recipients add constraint recipients_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id);
alter table recipients add constraint recipients_mail_to_check CHECK ((cardinality(mail_to) <= 20));
alter table recipients add constraint recipients_pkey PRIMARY KEY (id);
alter table recipients add constraint recipients_public_id_key UNIQUE (public_id);
alter table recipients add constraint recipients_topics_check CHECK ((cardinality(topics) <= 20));
alter table recipients add constraint recipients_way_check CHECK (((cardinality(mail_to) > 0) OR (webhook_url IS NOT NULL)));
alter table recovery_codes add constraint recovery_codes_code_hash_key UNIQUE (code_hash);
alter table recovery_codes add constraint recovery_codes_pkey PRIMARY KEY (id);
alter table recovery_codes add constraint recovery_codes_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE;
alter table refresh_tokens add constraint refresh_tokens_pkey PRIMARY KEY (id);
alter table refresh_tokens add constraint refresh_tokens_session_id_fkey FOREIGN KEY (session_id) REFERENCES device_sessions(id) ON DELETE CASCADE;
alter table refresh_tokens add constraint refresh_tokens_token_hash_key UNIQUE (token_hash);
alter table report_exports add constraint report_exports_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id);
alter table report_exports add constraint report_exports_format_check CHECK ((format = ANY (ARRAY['csv'::text, 'json'::text])));
alter table report_exports add constraint report_exports_pkey PRIMARY KEY (id);
alter table report_exports add constraint report_exports_public_id_key UNIQUE (public_id);
alter table report_exports add constraint report_exports_recipient_id_fkey FOREIGN KEY (recipient_id) REFERENCES recipients(id) ON DELETE SET NULL;
alter table report_exports add constraint report_exports_status_check CHECK ((status = ANY (ARRAY['waiting'::text, 'running'::text, 'ready'::text, 'failed'::text, 'expired'::text])));
alter table rescores add constraint rescores_check CHECK ((to_at > from_at));
alter table rescores add constraint rescores_label_check CHECK ((label <> 'valid'::text));
alter table rescores add constraint rescores_pkey PRIMARY KEY (id);
alter table rescores add constraint rescores_public_id_key UNIQUE (public_id);
alter table saved_reports add constraint saved_reports_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id);
alter table saved_reports add constraint saved_reports_at_hour_check CHECK (((at_hour >= 0) AND (at_hour <= 23)));
alter table saved_reports add constraint saved_reports_every_check CHECK ((every = ANY (ARRAY['day'::text, 'week'::text, 'month'::text])));
alter table saved_reports add constraint saved_reports_format_check CHECK ((format = ANY (ARRAY['csv'::text, 'json'::text])));
alter table saved_reports add constraint saved_reports_pkey PRIMARY KEY (id);
alter table saved_reports add constraint saved_reports_public_id_key UNIQUE (public_id);
alter table saved_reports add constraint saved_reports_recipient_id_fkey FOREIGN KEY (recipient_id) REFERENCES recipients(id) ON DELETE SET NULL;
alter table seen_events add constraint seen_events_pkey PRIMARY KEY (seen_key);
alter table sellpage_stats_daily add constraint sellpage_stats_daily_ad_source_check CHECK ((ad_source = ANY (ARRAY['META'::text, 'ONSITE'::text])));
alter table sellpage_stats_daily add constraint uq_sellpage_stats_daily PRIMARY KEY (advertiser_id, sellpage_id, stat_date, ad_source);
alter table sellpages add constraint sellpages_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id);
alter table sellpages add constraint sellpages_advertiser_id_fkey FOREIGN KEY (advertiser_id) REFERENCES advertisers(id);
alter table sellpages add constraint sellpages_pkey PRIMARY KEY (id);
alter table sellpages add constraint sellpages_public_id_key UNIQUE (public_id);
alter table seo_records add constraint seo_records_external_id_key UNIQUE (external_id);
alter table seo_records add constraint seo_records_pkey PRIMARY KEY (id);
alter table seo_records add constraint seo_records_public_id_key UNIQUE (public_id);
alter table serve_index add constraint serve_index_page_id_fkey FOREIGN KEY (page_id) REFERENCES pages(id) ON DELETE CASCADE;
alter table serve_index add constraint serve_index_pkey PRIMARY KEY (page_id);
alter table serve_index add constraint serve_index_site_id_fkey FOREIGN KEY (site_id) REFERENCES sites(id);
alter table session_block_action add constraint session_block_action_pkey PRIMARY KEY (id);
alter table session_block_action add constraint session_block_action_public_id_key UNIQUE (public_id);
alter table session_block_action add constraint session_block_action_state_check CHECK ((state = ANY (ARRAY['skipped_shadow'::text, 'awaiting_review'::text, 'requested'::text, 'succeeded'::text, 'failed'::text, 'dismissed'::text, 'unblock_requested'::text, 'unblocked'::text, 'unblock_failed'::text])));
alter table set_aside_rows add constraint set_aside_rows_pkey PRIMARY KEY (id);
alter table set_aside_rows add constraint set_aside_rows_reader_entity_entity_id_key UNIQUE (reader, entity, entity_id);
alter table settled_batches add constraint settled_batches_pkey PRIMARY KEY (id);
alter table sign_in_factors add constraint sign_in_factors_check CHECK (((kind = 'authenticator'::text) = ((sealed_secret IS NOT NULL) AND (last_step IS NOT NULL))));
alter table sign_in_factors add constraint sign_in_factors_check1 CHECK (((kind = 'passkey'::text) = ((credential_id IS NOT NULL) AND (public_key IS NOT NULL) AND (counter IS NOT NULL))));
alter table sign_in_factors add constraint sign_in_factors_credential_id_key UNIQUE (credential_id);
alter table sign_in_factors add constraint sign_in_factors_kind_check CHECK ((kind = ANY (ARRAY['authenticator'::text, 'passkey'::text])));
alter table sign_in_factors add constraint sign_in_factors_pkey PRIMARY KEY (id);
alter table sign_in_factors add constraint sign_in_factors_public_id_key UNIQUE (public_id);
alter table sign_in_factors add constraint sign_in_factors_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE;
alter table sign_in_limits add constraint sign_in_limits_pkey PRIMARY KEY (subject);
alter table sign_in_links add constraint sign_in_links_check CHECK (((kind = ANY (ARRAY['old-email'::text, 'new-email'::text])) = ((new_email IS NOT NULL) AND (change_id IS NOT NULL))));
alter table sign_in_links add constraint sign_in_links_kind_check CHECK ((kind = ANY (ARRAY['invitation'::text, 'password'::text, 'old-email'::text, 'new-email'::text])));
alter table sign_in_links add constraint sign_in_links_pkey PRIMARY KEY (id);
alter table sign_in_links add constraint sign_in_links_token_hash_key UNIQUE (token_hash);
alter table sign_in_links add constraint sign_in_links_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE;
alter table site_ad_product_blocks add constraint site_ad_product_blocks_pkey PRIMARY KEY (site_id, ad_product_category);
alter table site_ad_product_blocks add constraint site_ad_product_blocks_site_id_fkey FOREIGN KEY (site_id) REFERENCES sites(id);
alter table site_crawls add constraint site_crawls_pkey PRIMARY KEY (site_id);
alter table site_crawls add constraint site_crawls_site_id_fkey FOREIGN KEY (site_id) REFERENCES sites(id);
alter table site_domain_checks add constraint site_domain_checks_pkey PRIMARY KEY (site_id);
alter table site_domain_checks add constraint site_domain_checks_site_id_fkey FOREIGN KEY (site_id) REFERENCES sites(id) ON DELETE CASCADE;
alter table sites add constraint sites_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id);
alter table sites add constraint sites_crawl_depth_check CHECK (((crawl_depth >= 0) AND (crawl_depth <= 10)));
alter table sites add constraint sites_crawl_page_limit_check CHECK (((crawl_page_limit >= 1) AND (crawl_page_limit <= 100000)));
alter table sites add constraint sites_domain_proof_check CHECK (((domain_proven_at IS NULL) = (domain_proven_by IS NULL)));
alter table sites add constraint sites_domain_proven_by_check CHECK ((domain_proven_by = ANY (ARRAY['dns'::text, 'file'::text, 'operator'::text, 'upgrade'::text])));
alter table sites add constraint sites_pkey PRIMARY KEY (id);
alter table sites add constraint sites_public_id_key UNIQUE (public_id);
alter table sites add constraint sites_publisher_id_fkey FOREIGN KEY (publisher_id) REFERENCES publishers(id);
alter table slots add constraint slots_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id);
alter table slots add constraint slots_height_check CHECK ((height > 0));
alter table slots add constraint slots_pkey PRIMARY KEY (id);
alter table slots add constraint slots_placement_id_fkey FOREIGN KEY (placement_id) REFERENCES placements(id);
alter table slots add constraint slots_public_id_key UNIQUE (public_id);
alter table slots add constraint slots_site_id_fkey FOREIGN KEY (site_id) REFERENCES sites(id);
alter table slots add constraint slots_width_check CHECK ((width > 0));
alter table stats_cube add constraint stats_cube_grain_check CHECK ((grain = ANY (ARRAY['quarter'::text, 'day'::text])));
alter table stats_cube add constraint stats_cube_pkey PRIMARY KEY (grain, bucket, campaign_id, ad_id, banner_id, placement_id, site_id, country, device, label, budget_day, ad_set_id, advertiser_id, currency);
alter table stats_cursors add constraint stats_cursors_pkey PRIMARY KEY (source);
alter table stats_rebuilds add constraint stats_rebuilds_pkey PRIMARY KEY (day);
alter table switches add constraint switches_name_key UNIQUE (name);
alter table switches add constraint switches_pkey PRIMARY KEY (id);
alter table user_review_state add constraint user_review_state_declared_country_check CHECK ((declared_country ~ '^[A-Z]{2}$'::text));
alter table user_review_state add constraint user_review_state_pkey PRIMARY KEY (user_id);
alter table user_review_state add constraint user_review_state_slots_by_day_check CHECK ((cardinality(slots_by_day) <= 30));
alter table user_segments add constraint user_segments_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id);
alter table user_segments add constraint user_segments_pkey PRIMARY KEY (id);
alter table user_segments add constraint user_segments_segments_check CHECK ((cardinality(segments) <= 64));
alter table user_segments add constraint user_segments_user_key_key UNIQUE (user_key);
alter table users add constraint users_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id);
alter table users add constraint users_declared_country_check CHECK ((declared_country ~ '^[A-Z]{2}$'::text));
alter table users add constraint users_pkey PRIMARY KEY (id);
alter table users add constraint users_public_id_key UNIQUE (public_id);
alter table users add constraint users_role_check CHECK ((role = ANY (ARRAY['operator'::text, 'ad-ops'::text, 'advertiser'::text, 'publisher'::text, 'trust'::text])));
alter table users add constraint users_signs_in_by_check CHECK ((signs_in_by = ANY (ARRAY['password'::text, 'provider'::text])));
alter table views add constraint impressions_billing_check CHECK ((billing = ANY (ARRAY['charged'::text, 'free'::text, 'invalid'::text, 'over-delivery'::text])));
alter table views add constraint impressions_charge_micros_check CHECK ((charge_micros >= 0));
alter table views add constraint impressions_charged_millis_check CHECK ((charged_millis >= 0));
alter table views add constraint impressions_clock_check CHECK ((clock = ANY (ARRAY['on-time'::text, 'late'::text, 'ahead'::text])));
alter table views add constraint impressions_pricing_check CHECK ((pricing = ANY (ARRAY['cpm'::text, 'cpc'::text])));
alter table views add constraint views_pkey PRIMARY KEY (decision_day, event_id);
alter table waiting_conversions add constraint waiting_conversions_pkey PRIMARY KEY (id);
alter table webhook_deliveries add constraint webhook_deliveries_attempts_check CHECK ((attempts >= 0));
alter table webhook_deliveries add constraint webhook_deliveries_pkey PRIMARY KEY (id);
alter table webhook_deliveries add constraint webhook_deliveries_public_id_key UNIQUE (public_id);
alter table webhook_deliveries add constraint webhook_deliveries_status_check CHECK ((status = ANY (ARRAY['pending'::text, 'delivered'::text, 'dead'::text])));
alter table webhook_deliveries add constraint webhook_deliveries_webhook_endpoint_id_event_id_key UNIQUE (webhook_endpoint_id, event_id);
alter table webhook_deliveries add constraint webhook_deliveries_webhook_endpoint_id_fkey FOREIGN KEY (webhook_endpoint_id) REFERENCES webhook_endpoints(id) ON DELETE CASCADE;
alter table webhook_endpoints add constraint webhook_endpoints_event_types_check CHECK (((cardinality(event_types) >= 1) AND (cardinality(event_types) <= 50)));
alter table webhook_endpoints add constraint webhook_endpoints_pkey PRIMARY KEY (id);
alter table webhook_endpoints add constraint webhook_endpoints_public_id_key UNIQUE (public_id);

CREATE INDEX accounts_search_idx ON public.accounts USING gin (to_tsvector('simple'::regconfig, name));
CREATE INDEX ad_sets_account_id_idx ON public.ad_sets USING btree (account_id, public_id);
CREATE INDEX ad_sets_campaign_id_idx ON public.ad_sets USING btree (campaign_id, public_id);
CREATE INDEX ad_stats_daily_entity_idx ON public.ad_stats_daily USING btree (entity_id, entity_type, stat_date);
CREATE INDEX ad_stats_raw_entity_idx ON public.ad_stats_raw USING btree (entity_id, entity_type, date_start, fetched_at DESC, id DESC);
CREATE INDEX ad_stats_raw_fetched_at_idx ON public.ad_stats_raw USING brin (fetched_at);
CREATE INDEX ads_account_id_idx ON public.ads USING btree (account_id, public_id);
CREATE INDEX ads_ad_set_id_idx ON public.ads USING btree (ad_set_id, public_id);
CREATE INDEX ads_banner_id_idx ON public.ads USING btree (banner_id, public_id);
CREATE INDEX ads_campaign_id_idx ON public.ads USING btree (campaign_id, public_id);
CREATE INDEX advertisers_account_id_idx ON public.advertisers USING btree (account_id, public_id);
CREATE INDEX advertisers_search_idx ON public.advertisers USING gin (to_tsvector('simple'::regconfig, name));
CREATE INDEX api_keys_account_id_idx ON public.api_keys USING btree (account_id, public_id);
CREATE INDEX auction_batches_xid_id_idx ON public.auction_batches USING btree (xid, id);
CREATE INDEX auctions_address_key_idx ON ONLY public.auctions USING btree (address_key) WHERE (address_key IS NOT NULL);
CREATE INDEX auctions_auction_time_idx ON ONLY public.auctions USING btree (auction_time, id);
CREATE INDEX auctions_batch_id_idx ON ONLY public.auctions USING brin (batch_id) WITH (autosummarize='on');
CREATE INDEX auctions_placement_id_auction_time_idx ON ONLY public.auctions USING btree (placement_id, auction_time) WHERE (placement_id IS NOT NULL);
CREATE INDEX auctions_session_key_idx ON ONLY public.auctions USING btree (session_key) WHERE (session_key IS NOT NULL);
CREATE INDEX auctions_user_key_placement_type_idx ON ONLY public.auctions USING btree (user_key, placement_type) WHERE (user_key IS NOT NULL);
CREATE INDEX audit_log_account_id_idx ON public.audit_log USING btree (account_id, public_id);
CREATE INDEX audit_log_actor_id_idx ON public.audit_log USING btree (actor_id, public_id);
CREATE INDEX audit_log_entity_idx ON public.audit_log USING btree (entity, entity_id, public_id);
CREATE INDEX audit_log_occurred_at_idx ON public.audit_log USING btree (occurred_at, public_id);
CREATE INDEX banner_assignments_banner_id_idx ON public.banner_assignments USING btree (banner_id);
CREATE INDEX banner_assignments_placement_id_idx ON public.banner_assignments USING btree (placement_id);
CREATE INDEX banner_stats_stat_date_idx ON public.banner_stats USING btree (stat_date);
CREATE INDEX banners_account_id_idx ON public.banners USING btree (account_id, public_id);
CREATE INDEX banners_advertiser_id_idx ON public.banners USING btree (advertiser_id, public_id);
CREATE INDEX banners_expire_due_idx ON public.banners USING btree (expires_at) WHERE ((schedule_status = ANY (ARRAY['scheduled'::text, 'active'::text])) AND (deleted_at IS NULL));
CREATE INDEX banners_publish_due_idx ON public.banners USING btree (publish_at) WHERE ((schedule_status = 'scheduled'::text) AND (deleted_at IS NULL));
CREATE INDEX banners_schedule_idx ON public.banners USING btree (schedule_status, public_id);
CREATE INDEX banners_search_idx ON public.banners USING gin (to_tsvector('simple'::regconfig, title));
CREATE INDEX banners_tags_idx ON public.banners USING gin (tags);
CREATE INDEX banners_template_idx ON public.banners USING btree (template_id) WHERE (template_id IS NOT NULL);
CREATE INDEX bid_agent_days_day_idx ON public.bid_agent_days USING btree (day);
CREATE INDEX bid_agent_windows_day_idx ON public.bid_agent_windows USING btree (day);
CREATE INDEX bid_judgements_campaign_id_idx ON public.bid_judgements USING btree (campaign_id, judged_at);
CREATE INDEX budget_days_day_idx ON public.budget_days USING btree (day, scope);
CREATE INDEX budget_leases_advertiser_id_idx ON public.budget_leases USING btree (advertiser_id, day);
CREATE INDEX budget_leases_node_idx ON public.budget_leases USING btree (node);
CREATE INDEX campaign_delivery_state_idx ON public.campaign_delivery USING btree (state, campaign_id);
CREATE INDEX campaign_drafts_account_id_idx ON public.campaign_drafts USING btree (account_id, public_id);
CREATE INDEX campaign_placements_placement_id_idx ON public.campaign_placements USING btree (placement_id);
CREATE INDEX campaign_targeting_rules_account_id_idx ON public.campaign_targeting_rules USING btree (account_id, public_id);
CREATE INDEX campaign_targeting_rules_campaign_id_idx ON public.campaign_targeting_rules USING btree (campaign_id, public_id);
CREATE INDEX campaigns_account_id_idx ON public.campaigns USING btree (account_id, public_id);
CREATE INDEX campaigns_advertiser_id_idx ON public.campaigns USING btree (advertiser_id, public_id);
CREATE INDEX campaigns_capped_idx ON public.campaigns USING btree (id) WHERE ((impression_cap IS NOT NULL) OR (click_cap IS NOT NULL));
CREATE INDEX campaigns_channel_idx ON public.campaigns USING btree (channel, public_id);
CREATE INDEX campaigns_connection_id_idx ON public.campaigns USING btree (connection_id) WHERE (connection_id IS NOT NULL);
CREATE INDEX campaigns_contract_ref_idx ON public.campaigns USING gin (to_tsvector('simple'::regconfig, translate(contract_ref, '-/_.#'::text, '     '::text)));
CREATE INDEX campaigns_end_due_idx ON public.campaigns USING btree (ends_at) WHERE (status = ANY (ARRAY['scheduled'::text, 'active'::text, 'paused'::text]));
CREATE INDEX campaigns_name_idx ON public.campaigns USING btree (name, public_id);
CREATE INDEX campaigns_objective_idx ON public.campaigns USING btree (objective, public_id);
CREATE INDEX campaigns_pricing_idx ON public.campaigns USING btree (pricing, public_id);
CREATE INDEX campaigns_priority_idx ON public.campaigns USING btree (priority, public_id);
CREATE INDEX campaigns_search_idx ON public.campaigns USING gin (to_tsvector('simple'::regconfig, name));
CREATE INDEX campaigns_source_idx ON public.campaigns USING btree (source, public_id);
CREATE INDEX campaigns_start_due_idx ON public.campaigns USING btree (starts_at) WHERE (status = 'scheduled'::text);
CREATE INDEX campaigns_starts_at_idx ON public.campaigns USING btree (starts_at, public_id);
CREATE INDEX campaigns_status_idx ON public.campaigns USING btree (status, public_id);
CREATE INDEX campaigns_updated_at_idx ON public.campaigns USING btree (updated_at, public_id);
CREATE INDEX change_set_rows_outcome_idx ON public.change_set_rows USING btree (change_set_id, outcome, "position");
CREATE INDEX change_sets_account_id_idx ON public.change_sets USING btree (account_id, public_id);
CREATE INDEX change_sets_updated_at_idx ON public.change_sets USING btree (updated_at);
CREATE INDEX changes_xid_id_idx ON public.changes USING btree (xid, id);
CREATE INDEX channel_alerts_account_id_idx ON public.channel_alerts USING btree (account_id, public_id);
CREATE INDEX channel_backfills_account_id_idx ON public.channel_backfills USING btree (account_id, public_id);
CREATE INDEX channel_backfills_advertiser_id_idx ON public.channel_backfills USING btree (advertiser_id, public_id);
CREATE INDEX channel_backfills_unfinished_idx ON public.channel_backfills USING btree (id) WHERE (status = ANY (ARRAY['waiting'::text, 'running'::text]));
CREATE INDEX channel_connections_account_id_idx ON public.channel_connections USING btree (account_id, public_id);
CREATE INDEX channel_connections_advertiser_id_idx ON public.channel_connections USING btree (advertiser_id, public_id);
CREATE INDEX channel_connections_search_idx ON public.channel_connections USING gin (to_tsvector('simple'::regconfig, name));
CREATE INDEX channel_syncs_advertiser_id_idx ON public.channel_syncs USING btree (advertiser_id, requested_at);
CREATE INDEX channel_syncs_requested_at_idx ON public.channel_syncs USING btree (requested_at);
CREATE INDEX clicks_batch_id_idx ON ONLY public.clicks USING brin (batch_id) WITH (autosummarize='on');
CREATE INDEX clicks_occurred_at_idx ON ONLY public.clicks USING brin (occurred_at) WITH (autosummarize='on');
CREATE INDEX clicks_user_key_idx ON ONLY public.clicks USING btree (user_key, occurred_at) WHERE (user_key IS NOT NULL);
CREATE INDEX conversion_credits_campaign_id_idx ON public.conversion_credits USING btree (campaign_id, credited_at);
CREATE INDEX conversion_credits_touch_event_id_idx ON public.conversion_credits USING btree (touch_event_id);
CREATE INDEX conversions_advertiser_id_idx ON ONLY public.conversions USING btree (advertiser_id, occurred_at);
CREATE INDEX conversions_occurred_at_idx ON ONLY public.conversions USING brin (occurred_at) WITH (autosummarize='on');
CREATE INDEX conversions_xid_id_idx ON ONLY public.conversions USING btree (xid, id);
CREATE INDEX country_observation_hour_idx ON public.country_observation USING brin (hour);
CREATE INDEX creative_approvals_account_id_idx ON public.creative_approvals USING btree (account_id, status, public_id);
CREATE INDEX creative_approvals_banner_account_id_idx ON public.creative_approvals USING btree (banner_account_id, public_id);
CREATE INDEX creative_approvals_banner_id_idx ON public.creative_approvals USING btree (banner_id);
CREATE INDEX declared_country_version_stuck_idx ON public.declared_country_version USING btree (recorded_at) WHERE (state = ANY (ARRAY['recorded'::text, 'sync_failed'::text]));
CREATE INDEX delivery_stats_bucket_idx ON public.delivery_stats USING brin (bucket);
CREATE INDEX device_sessions_blocked_at_idx ON public.device_sessions USING btree (blocked_at) WHERE (blocked_at IS NOT NULL);
CREATE INDEX device_sessions_expires_at_idx ON public.device_sessions USING btree (expires_at);
CREATE INDEX device_sessions_identity_provider_id_idx ON public.device_sessions USING btree (identity_provider_id) WHERE (identity_provider_id IS NOT NULL);
CREATE INDEX device_sessions_unblocked_at_idx ON public.device_sessions USING btree (unblocked_at) WHERE (unblocked_at IS NOT NULL);
CREATE INDEX device_sessions_user_id_idx ON public.device_sessions USING btree (user_id, public_id);
CREATE INDEX external_identities_identity_provider_id_idx ON public.external_identities USING btree (identity_provider_id);
CREATE INDEX first_visits_seen_on_idx ON public.first_visits USING btree (seen_on, user_key);
CREATE INDEX frequency_caps_account_id_idx ON public.frequency_caps USING btree (account_id, public_id);
CREATE INDEX frequency_caps_ad_id_idx ON public.frequency_caps USING btree (ad_id);
CREATE INDEX frequency_caps_advertiser_id_idx ON public.frequency_caps USING btree (advertiser_id);
CREATE INDEX frequency_caps_campaign_id_idx ON public.frequency_caps USING btree (campaign_id);
CREATE INDEX frequency_counts_window_start_idx ON public.frequency_counts USING btree ("window", window_start);
CREATE INDEX geo_decision_user_idx ON public.geo_decision USING btree (user_id, id);
CREATE INDEX impressions_batch_id_idx ON ONLY public.impressions USING brin (batch_id) WITH (autosummarize='on');
CREATE INDEX impressions_occurred_at_idx ON ONLY public.impressions USING brin (occurred_at) WITH (autosummarize='on');
CREATE INDEX job_orders_relay_idx ON public.job_orders USING btree (relay_after);
CREATE INDEX kept_answers_created_at_idx ON public.kept_answers USING btree (created_at);
CREATE INDEX lease_holders_expires_at_idx ON public.lease_holders USING btree (expires_at);
CREATE INDEX notices_account_id_idx ON public.notices USING btree (account_id, public_id);
CREATE INDEX notices_due_idx ON public.notices USING btree (due_at, id) WHERE (status = ANY (ARRAY['waiting'::text, 'sending'::text]));
CREATE INDEX notices_finished_at_idx ON public.notices USING btree (finished_at) WHERE (finished_at IS NOT NULL);
CREATE INDEX observation_queue_created_idx ON public.observation_queue USING brin (created_at);
CREATE INDEX observation_queue_due_idx ON public.observation_queue USING btree (available_at, id) WHERE (state = ANY (ARRAY['accepted'::text, 'processing'::text]));
CREATE INDEX observation_queue_failed_idx ON public.observation_queue USING btree (settled_at, id) WHERE (state = 'failed'::text);
CREATE INDEX outbox_xid_id_idx ON public.outbox USING btree (xid, id);
CREATE INDEX page_examples_page_id_idx ON public.page_examples USING btree (page_id);
CREATE INDEX pages_account_id_idx ON public.pages USING btree (account_id, public_id);
CREATE INDEX pages_site_id_idx ON public.pages USING btree (site_id, public_id);
CREATE INDEX pages_site_id_key_idx ON public.pages USING btree (site_id, key);
CREATE INDEX pages_waiting_idx ON public.pages USING btree (site_id, id) WHERE (state = 'waiting'::text);
CREATE INDEX pending_sign_ins_expires_at_idx ON public.pending_sign_ins USING btree (expires_at);
CREATE INDEX pending_sign_ins_user_id_idx ON public.pending_sign_ins USING btree (user_id);
CREATE INDEX placements_account_id_idx ON public.placements USING btree (account_id, public_id);
CREATE INDEX placements_offered_idx ON public.placements USING btree (label, public_id) WHERE (is_offered AND (deleted_at IS NULL));
CREATE INDEX placements_search_idx ON public.placements USING gin (to_tsvector('simple'::regconfig, ((label || ' '::text) || slug)));
CREATE INDEX progress_events_batch_id_idx ON ONLY public.progress_events USING brin (batch_id) WITH (autosummarize='on');
CREATE INDEX progress_stats_bucket_idx ON public.progress_stats USING btree (bucket);
CREATE INDEX proposals_account_id_idx ON public.proposals USING btree (account_id, public_id);
CREATE INDEX proposals_status_idx ON public.proposals USING btree (status, public_id);
CREATE INDEX publishers_account_id_idx ON public.publishers USING btree (account_id, public_id);
CREATE INDEX quarantined_events_quarantined_at_idx ON public.quarantined_events USING btree (quarantined_at, event_id);
CREATE INDEX reach_sketches_day_idx ON public.reach_sketches USING btree (day);
CREATE INDEX recipient_links_account_id_idx ON public.recipient_links USING btree (account_id, created_at);
CREATE INDEX recipient_links_expires_at_idx ON public.recipient_links USING btree (expires_at);
CREATE INDEX recipient_links_recipient_id_idx ON public.recipient_links USING btree (recipient_id);
CREATE INDEX recipients_account_id_idx ON public.recipients USING btree (account_id, public_id);
CREATE INDEX recovery_codes_user_id_idx ON public.recovery_codes USING btree (user_id);
CREATE INDEX refresh_tokens_expires_at_idx ON public.refresh_tokens USING btree (expires_at);
CREATE INDEX refresh_tokens_session_id_idx ON public.refresh_tokens USING btree (session_id);
CREATE INDEX report_exports_account_id_idx ON public.report_exports USING btree (account_id, public_id);
CREATE INDEX report_exports_expires_at_idx ON public.report_exports USING btree (expires_at);
CREATE INDEX report_exports_recipient_id_idx ON public.report_exports USING btree (recipient_id) WHERE (recipient_id IS NOT NULL);
CREATE INDEX report_exports_unfinished_idx ON public.report_exports USING btree (account_id) WHERE (status = ANY (ARRAY['waiting'::text, 'running'::text]));
CREATE INDEX rescores_open_idx ON public.rescores USING btree (id) WHERE (done_at IS NULL);
CREATE INDEX saved_reports_account_id_idx ON public.saved_reports USING btree (account_id, public_id);
CREATE INDEX saved_reports_due_idx ON public.saved_reports USING btree (next_due_at) WHERE (next_due_at IS NOT NULL);
CREATE INDEX saved_reports_recipient_id_idx ON public.saved_reports USING btree (recipient_id) WHERE (recipient_id IS NOT NULL);
CREATE INDEX seen_events_seen_at_idx ON public.seen_events USING btree (seen_at);
CREATE INDEX sellpages_account_id_idx ON public.sellpages USING btree (account_id, public_id);
CREATE INDEX sellpages_search_idx ON public.sellpages USING gin (to_tsvector('simple'::regconfig, name));
CREATE INDEX serve_index_expires_at_idx ON public.serve_index USING btree (expires_at);
CREATE INDEX serve_index_site_id_idx ON public.serve_index USING btree (site_id, version);
CREATE INDEX session_block_action_due_idx ON public.session_block_action USING btree (available_at, id) WHERE (state = ANY (ARRAY['requested'::text, 'unblock_requested'::text]));
CREATE INDEX session_block_action_updated_idx ON public.session_block_action USING btree (updated_at) WHERE (state = ANY (ARRAY['succeeded'::text, 'unblock_requested'::text, 'unblock_failed'::text, 'unblocked'::text]));
CREATE INDEX session_block_action_user_idx ON public.session_block_action USING btree (user_id, id);
CREATE INDEX settled_batches_settled_at_idx ON public.settled_batches USING btree (settled_at);
CREATE INDEX settled_batches_xid_id_idx ON public.settled_batches USING btree (xid, id);
CREATE INDEX sign_in_factors_user_id_idx ON public.sign_in_factors USING btree (user_id);
CREATE INDEX sign_in_limits_window_started_at_idx ON public.sign_in_limits USING btree (window_started_at);
CREATE INDEX sign_in_links_expires_at_idx ON public.sign_in_links USING btree (expires_at);
CREATE INDEX sign_in_links_user_id_idx ON public.sign_in_links USING btree (user_id);
CREATE INDEX site_domain_checks_next_idx ON public.site_domain_checks USING btree (next_at);
CREATE INDEX sites_account_id_idx ON public.sites USING btree (account_id, public_id);
CREATE INDEX slots_account_id_idx ON public.slots USING btree (account_id, public_id);
CREATE INDEX slots_search_idx ON public.slots USING gin (to_tsvector('simple'::regconfig, name));
CREATE INDEX slots_site_id_idx ON public.slots USING btree (site_id, public_id);
CREATE INDEX user_review_state_ask_idx ON public.user_review_state USING btree (declared_country_ask_at NULLS FIRST, user_id) WHERE (declared_country IS NULL);
CREATE INDEX user_review_state_candidates_idx ON public.user_review_state USING btree (since DESC, user_id) WHERE country_review_recommended;
CREATE INDEX user_review_state_unknown_idx ON public.user_review_state USING btree (user_id) WHERE (declared_country_known_at IS NULL);
CREATE INDEX user_segments_purchased_at_idx ON public.user_segments USING btree (purchased_at) WHERE (purchased_at IS NOT NULL);
CREATE INDEX user_segments_updated_at_idx ON public.user_segments USING btree (updated_at, id);
CREATE INDEX users_account_id_idx ON public.users USING btree (account_id, public_id);
CREATE INDEX users_search_idx ON public.users USING gin (to_tsvector('simple'::regconfig, search_text));
CREATE INDEX views_batch_id_idx ON ONLY public.views USING brin (batch_id) WITH (autosummarize='on');
CREATE INDEX views_occurred_at_idx ON ONLY public.views USING brin (occurred_at) WITH (autosummarize='on');
CREATE INDEX webhook_deliveries_dead_idx ON public.webhook_deliveries USING btree (webhook_endpoint_id, id) WHERE (status = 'dead'::text);
CREATE INDEX webhook_deliveries_finished_at_idx ON public.webhook_deliveries USING btree (finished_at) WHERE (finished_at IS NOT NULL);
CREATE INDEX webhook_deliveries_occurred_at_idx ON public.webhook_deliveries USING btree (webhook_endpoint_id, occurred_at);
CREATE INDEX webhook_deliveries_pending_idx ON public.webhook_deliveries USING btree (webhook_endpoint_id, id) WHERE (status = 'pending'::text);
CREATE UNIQUE INDEX advertisers_house_publisher_key ON public.advertisers USING btree (house_publisher_id) WHERE (house_publisher_id IS NOT NULL);
CREATE UNIQUE INDEX advertisers_one_house_key ON public.advertisers USING btree (is_house) WHERE (is_house AND (house_publisher_id IS NULL));
CREATE UNIQUE INDEX assets_content_key ON public.assets USING btree (account_id, sha256) WHERE (deleted_at IS NULL);
CREATE UNIQUE INDEX campaigns_external_id_key ON public.campaigns USING btree (external_id, advertiser_id, channel);
CREATE UNIQUE INDEX channel_alerts_open_key ON public.channel_alerts USING btree (kind, campaign_id, connection_id) NULLS NOT DISTINCT WHERE (closed_at IS NULL);
CREATE UNIQUE INDEX creative_approvals_site_banner_key ON public.creative_approvals USING btree (site_id, banner_id);
CREATE UNIQUE INDEX declared_country_version_key_idx ON public.declared_country_version USING btree (user_id, idempotency_key) WHERE (idempotency_key IS NOT NULL);
CREATE UNIQUE INDEX declared_country_version_open_idx ON public.declared_country_version USING btree (user_id) WHERE (state = ANY (ARRAY['recorded'::text, 'sync_failed'::text]));
CREATE UNIQUE INDEX job_orders_dedupe_idx ON public.job_orders USING btree (job, dedupe_key) WHERE (dedupe_key IS NOT NULL);
CREATE UNIQUE INDEX placements_slug_key ON public.placements USING btree (slug);
CREATE UNIQUE INDEX proposals_pending_key ON public.proposals USING btree (entity_id) WHERE (status = 'pending'::text);
CREATE UNIQUE INDEX publishers_default_key ON public.publishers USING btree (is_default) WHERE (is_default AND (deleted_at IS NULL));
CREATE UNIQUE INDEX session_block_action_once_idx ON public.session_block_action USING btree (device_session_id, reason_code) WHERE (state <> 'failed'::text);
CREATE UNIQUE INDEX sites_domain_key ON public.sites USING btree (publisher_id, domain) WHERE (deleted_at IS NULL);
CREATE UNIQUE INDEX sites_proven_domain_key ON public.sites USING btree (domain) WHERE ((domain_proven_at IS NOT NULL) AND (deleted_at IS NULL) AND (domain <> 'localhost'::text));
CREATE UNIQUE INDEX slots_placement_key ON public.slots USING btree (placement_id) WHERE (deleted_at IS NULL);
CREATE UNIQUE INDEX users_email_key ON public.users USING btree (lower(email));

CREATE TRIGGER feed_delete AFTER DELETE ON public.ad_sets REFERENCING OLD TABLE AS touched_rows FOR EACH STATEMENT EXECUTE FUNCTION record_changes('id');
CREATE TRIGGER feed_insert AFTER INSERT ON public.ad_sets REFERENCING NEW TABLE AS touched_rows FOR EACH STATEMENT EXECUTE FUNCTION record_changes('id');
CREATE TRIGGER feed_update AFTER UPDATE ON public.ad_sets REFERENCING NEW TABLE AS touched_rows FOR EACH STATEMENT EXECUTE FUNCTION record_changes('id');
CREATE TRIGGER feed_delete AFTER DELETE ON public.ads REFERENCING OLD TABLE AS touched_rows FOR EACH STATEMENT EXECUTE FUNCTION record_changes('id');
CREATE TRIGGER feed_insert AFTER INSERT ON public.ads REFERENCING NEW TABLE AS touched_rows FOR EACH STATEMENT EXECUTE FUNCTION record_changes('id');
CREATE TRIGGER feed_update AFTER UPDATE ON public.ads REFERENCING NEW TABLE AS touched_rows FOR EACH STATEMENT EXECUTE FUNCTION record_changes('id');
CREATE TRIGGER feed_delete AFTER DELETE ON public.advertiser_site_blocks REFERENCING OLD TABLE AS touched_rows FOR EACH STATEMENT EXECUTE FUNCTION record_changes('advertiser_id');
CREATE TRIGGER feed_insert AFTER INSERT ON public.advertiser_site_blocks REFERENCING NEW TABLE AS touched_rows FOR EACH STATEMENT EXECUTE FUNCTION record_changes('advertiser_id');
CREATE TRIGGER feed_update AFTER UPDATE ON public.advertiser_site_blocks REFERENCING NEW TABLE AS touched_rows FOR EACH STATEMENT EXECUTE FUNCTION record_changes('advertiser_id');
CREATE TRIGGER feed_delete AFTER DELETE ON public.advertisers REFERENCING OLD TABLE AS touched_rows FOR EACH STATEMENT EXECUTE FUNCTION record_changes('id');
CREATE TRIGGER feed_insert AFTER INSERT ON public.advertisers REFERENCING NEW TABLE AS touched_rows FOR EACH STATEMENT EXECUTE FUNCTION record_changes('id');
CREATE TRIGGER feed_update AFTER UPDATE ON public.advertisers REFERENCING NEW TABLE AS touched_rows FOR EACH STATEMENT EXECUTE FUNCTION record_changes('id');
CREATE TRIGGER feed_delete AFTER DELETE ON public.banner_assignments REFERENCING OLD TABLE AS touched_rows FOR EACH STATEMENT EXECUTE FUNCTION record_changes('campaign_id');
CREATE TRIGGER feed_insert AFTER INSERT ON public.banner_assignments REFERENCING NEW TABLE AS touched_rows FOR EACH STATEMENT EXECUTE FUNCTION record_changes('campaign_id');
CREATE TRIGGER feed_update AFTER UPDATE ON public.banner_assignments REFERENCING NEW TABLE AS touched_rows FOR EACH STATEMENT EXECUTE FUNCTION record_changes('campaign_id');
CREATE TRIGGER feed_delete AFTER DELETE ON public.banners REFERENCING OLD TABLE AS touched_rows FOR EACH STATEMENT EXECUTE FUNCTION record_changes('id');
CREATE TRIGGER feed_insert AFTER INSERT ON public.banners REFERENCING NEW TABLE AS touched_rows FOR EACH STATEMENT EXECUTE FUNCTION record_changes('id');
CREATE TRIGGER feed_update AFTER UPDATE ON public.banners REFERENCING NEW TABLE AS touched_rows FOR EACH STATEMENT EXECUTE FUNCTION record_changes('id');
CREATE TRIGGER feed_delete AFTER DELETE ON public.bid_agents REFERENCING OLD TABLE AS touched_rows FOR EACH STATEMENT EXECUTE FUNCTION record_changes('campaign_id');
CREATE TRIGGER feed_insert AFTER INSERT ON public.bid_agents REFERENCING NEW TABLE AS touched_rows FOR EACH STATEMENT EXECUTE FUNCTION record_changes('campaign_id');
CREATE TRIGGER feed_update AFTER UPDATE ON public.bid_agents REFERENCING NEW TABLE AS touched_rows FOR EACH STATEMENT EXECUTE FUNCTION record_changes('campaign_id');
CREATE TRIGGER feed_delete AFTER DELETE ON public.budget_resets REFERENCING OLD TABLE AS touched_rows FOR EACH STATEMENT EXECUTE FUNCTION record_changes('campaign_id');
CREATE TRIGGER feed_insert AFTER INSERT ON public.budget_resets REFERENCING NEW TABLE AS touched_rows FOR EACH STATEMENT EXECUTE FUNCTION record_changes('campaign_id');
CREATE TRIGGER feed_update AFTER UPDATE ON public.budget_resets REFERENCING NEW TABLE AS touched_rows FOR EACH STATEMENT EXECUTE FUNCTION record_changes('campaign_id');
CREATE TRIGGER feed_delete AFTER DELETE ON public.campaign_placements REFERENCING OLD TABLE AS touched_rows FOR EACH STATEMENT EXECUTE FUNCTION record_changes('campaign_id');
CREATE TRIGGER feed_insert AFTER INSERT ON public.campaign_placements REFERENCING NEW TABLE AS touched_rows FOR EACH STATEMENT EXECUTE FUNCTION record_changes('campaign_id');
CREATE TRIGGER feed_update AFTER UPDATE ON public.campaign_placements REFERENCING NEW TABLE AS touched_rows FOR EACH STATEMENT EXECUTE FUNCTION record_changes('campaign_id');
CREATE TRIGGER feed_delete AFTER DELETE ON public.campaign_targeting_rules REFERENCING OLD TABLE AS touched_rows FOR EACH STATEMENT EXECUTE FUNCTION record_changes('campaign_id');
CREATE TRIGGER feed_insert AFTER INSERT ON public.campaign_targeting_rules REFERENCING NEW TABLE AS touched_rows FOR EACH STATEMENT EXECUTE FUNCTION record_changes('campaign_id');
CREATE TRIGGER feed_update AFTER UPDATE ON public.campaign_targeting_rules REFERENCING NEW TABLE AS touched_rows FOR EACH STATEMENT EXECUTE FUNCTION record_changes('campaign_id');
CREATE TRIGGER feed_reached_caps AFTER UPDATE ON public.campaign_totals REFERENCING OLD TABLE AS totals_before NEW TABLE AS totals_after FOR EACH STATEMENT EXECUTE FUNCTION record_reached_caps();
CREATE TRIGGER feed_delete AFTER DELETE ON public.campaigns REFERENCING OLD TABLE AS touched_rows FOR EACH STATEMENT EXECUTE FUNCTION record_changes('id');
CREATE TRIGGER feed_insert AFTER INSERT ON public.campaigns REFERENCING NEW TABLE AS touched_rows FOR EACH STATEMENT EXECUTE FUNCTION record_changes('id');
CREATE TRIGGER feed_update AFTER UPDATE ON public.campaigns REFERENCING NEW TABLE AS touched_rows FOR EACH STATEMENT EXECUTE FUNCTION record_changes('id');
CREATE TRIGGER feed_delete AFTER DELETE ON public.creative_approvals REFERENCING OLD TABLE AS touched_rows FOR EACH STATEMENT EXECUTE FUNCTION record_changes('id');
CREATE TRIGGER feed_insert AFTER INSERT ON public.creative_approvals REFERENCING NEW TABLE AS touched_rows FOR EACH STATEMENT EXECUTE FUNCTION record_changes('id');
CREATE TRIGGER feed_update AFTER UPDATE ON public.creative_approvals REFERENCING NEW TABLE AS touched_rows FOR EACH STATEMENT EXECUTE FUNCTION record_changes('id');
CREATE TRIGGER feed_delete AFTER DELETE ON public.ctr_models REFERENCING OLD TABLE AS touched_rows FOR EACH STATEMENT EXECUTE FUNCTION record_changes('id');
CREATE TRIGGER feed_insert AFTER INSERT ON public.ctr_models REFERENCING NEW TABLE AS touched_rows FOR EACH STATEMENT EXECUTE FUNCTION record_changes('id');
CREATE TRIGGER feed_update AFTER UPDATE ON public.ctr_models REFERENCING NEW TABLE AS touched_rows FOR EACH STATEMENT EXECUTE FUNCTION record_changes('id');
CREATE TRIGGER feed_delete AFTER DELETE ON public.frequency_caps REFERENCING OLD TABLE AS touched_rows FOR EACH STATEMENT EXECUTE FUNCTION record_changes('id');
CREATE TRIGGER feed_insert AFTER INSERT ON public.frequency_caps REFERENCING NEW TABLE AS touched_rows FOR EACH STATEMENT EXECUTE FUNCTION record_changes('id');
CREATE TRIGGER feed_update AFTER UPDATE ON public.frequency_caps REFERENCING NEW TABLE AS touched_rows FOR EACH STATEMENT EXECUTE FUNCTION record_changes('id');
CREATE TRIGGER feed_delete AFTER DELETE ON public.pages REFERENCING OLD TABLE AS touched_rows FOR EACH STATEMENT EXECUTE FUNCTION record_changes('site_id');
CREATE TRIGGER feed_insert AFTER INSERT ON public.pages REFERENCING NEW TABLE AS touched_rows FOR EACH STATEMENT EXECUTE FUNCTION record_changes('site_id');
CREATE TRIGGER feed_update AFTER UPDATE ON public.pages REFERENCING NEW TABLE AS touched_rows FOR EACH STATEMENT EXECUTE FUNCTION record_changes('site_id');
CREATE TRIGGER feed_delete AFTER DELETE ON public.placements REFERENCING OLD TABLE AS touched_rows FOR EACH STATEMENT EXECUTE FUNCTION record_changes('id');
CREATE TRIGGER feed_insert AFTER INSERT ON public.placements REFERENCING NEW TABLE AS touched_rows FOR EACH STATEMENT EXECUTE FUNCTION record_changes('id');
CREATE TRIGGER feed_update AFTER UPDATE ON public.placements REFERENCING NEW TABLE AS touched_rows FOR EACH STATEMENT EXECUTE FUNCTION record_changes('id');
CREATE TRIGGER feed_delete AFTER DELETE ON public.publishers REFERENCING OLD TABLE AS touched_rows FOR EACH STATEMENT EXECUTE FUNCTION record_changes('id');
CREATE TRIGGER feed_insert AFTER INSERT ON public.publishers REFERENCING NEW TABLE AS touched_rows FOR EACH STATEMENT EXECUTE FUNCTION record_changes('id');
CREATE TRIGGER feed_update AFTER UPDATE ON public.publishers REFERENCING NEW TABLE AS touched_rows FOR EACH STATEMENT EXECUTE FUNCTION record_changes('id');
CREATE TRIGGER feed_delete AFTER DELETE ON public.serve_index REFERENCING OLD TABLE AS touched_rows FOR EACH STATEMENT EXECUTE FUNCTION record_changes('site_id');
CREATE TRIGGER feed_insert AFTER INSERT ON public.serve_index REFERENCING NEW TABLE AS touched_rows FOR EACH STATEMENT EXECUTE FUNCTION record_changes('site_id');
CREATE TRIGGER feed_update AFTER UPDATE ON public.serve_index REFERENCING NEW TABLE AS touched_rows FOR EACH STATEMENT EXECUTE FUNCTION record_changes('site_id');
CREATE TRIGGER feed_delete AFTER DELETE ON public.site_ad_product_blocks REFERENCING OLD TABLE AS touched_rows FOR EACH STATEMENT EXECUTE FUNCTION record_changes('site_id');
CREATE TRIGGER feed_insert AFTER INSERT ON public.site_ad_product_blocks REFERENCING NEW TABLE AS touched_rows FOR EACH STATEMENT EXECUTE FUNCTION record_changes('site_id');
CREATE TRIGGER feed_update AFTER UPDATE ON public.site_ad_product_blocks REFERENCING NEW TABLE AS touched_rows FOR EACH STATEMENT EXECUTE FUNCTION record_changes('site_id');
CREATE TRIGGER feed_delete AFTER DELETE ON public.sites REFERENCING OLD TABLE AS touched_rows FOR EACH STATEMENT EXECUTE FUNCTION record_changes('id');
CREATE TRIGGER feed_insert AFTER INSERT ON public.sites REFERENCING NEW TABLE AS touched_rows FOR EACH STATEMENT EXECUTE FUNCTION record_changes('id');
CREATE TRIGGER feed_update AFTER UPDATE ON public.sites REFERENCING NEW TABLE AS touched_rows FOR EACH STATEMENT EXECUTE FUNCTION record_changes('id');
CREATE TRIGGER feed_delete AFTER DELETE ON public.slots REFERENCING OLD TABLE AS touched_rows FOR EACH STATEMENT EXECUTE FUNCTION record_changes('id');
CREATE TRIGGER feed_insert AFTER INSERT ON public.slots REFERENCING NEW TABLE AS touched_rows FOR EACH STATEMENT EXECUTE FUNCTION record_changes('id');
CREATE TRIGGER feed_update AFTER UPDATE ON public.slots REFERENCING NEW TABLE AS touched_rows FOR EACH STATEMENT EXECUTE FUNCTION record_changes('id');
CREATE TRIGGER feed_delete AFTER DELETE ON public.switches REFERENCING OLD TABLE AS touched_rows FOR EACH STATEMENT EXECUTE FUNCTION record_changes('id');
CREATE TRIGGER feed_insert AFTER INSERT ON public.switches REFERENCING NEW TABLE AS touched_rows FOR EACH STATEMENT EXECUTE FUNCTION record_changes('id');
CREATE TRIGGER feed_update AFTER UPDATE ON public.switches REFERENCING NEW TABLE AS touched_rows FOR EACH STATEMENT EXECUTE FUNCTION record_changes('id');
CREATE TRIGGER feed_delete AFTER DELETE ON public.user_segments REFERENCING OLD TABLE AS touched_rows FOR EACH STATEMENT EXECUTE FUNCTION record_changes('id');
CREATE TRIGGER feed_insert AFTER INSERT ON public.user_segments REFERENCING NEW TABLE AS touched_rows FOR EACH STATEMENT EXECUTE FUNCTION record_changes('id');
CREATE TRIGGER feed_update AFTER UPDATE ON public.user_segments REFERENCING NEW TABLE AS touched_rows FOR EACH STATEMENT EXECUTE FUNCTION record_changes('id');

create function drop_day_partitions(parent regclass, before date) returns integer;
create function feed_changes_of(target regclass, key_column text) returns void;
create function make_day_partition(parent regclass, day date) returns boolean;
create function record_changes() returns trigger;
create function record_reached_caps() returns trigger;
create function window_start_of(size text, at timestamp with time zone) returns timestamp with time zone;
create function zone_or_utc(zone text) returns text;

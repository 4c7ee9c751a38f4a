-- Sums of events: by quarter-hour and by UTC day with every dimension, and by campaign and day for long reports. Zero
-- and '' mean "none", so that keys are complete. No foreign keys: sums outlive their things.

create table stats_cube (
  grain text not null check (grain in ('quarter', 'day')),
  bucket timestamptz not null,
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
  -- Conversions in ten-thousandths, because a conversion may be shared. Values in micros times the same.
  content_views numeric not null default 0,
  add_to_carts numeric not null default 0,
  checkouts numeric not null default 0,
  purchases numeric not null default 0,
  revenue numeric not null default 0,
  primary key (grain, bucket, campaign_id, ad_id, banner_id, placement_id, site_id, country, device, label,
               budget_day, ad_set_id, advertiser_id, currency)
) partition by list (grain);
create table stats_cube_quarter partition of stats_cube for values in ('quarter') with (fillfactor = 80);
create table stats_cube_day partition of stats_cube for values in ('day') with (fillfactor = 70);

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
  primary key (label, day, campaign_id, advertiser_id, currency)
) with (fillfactor = 70);

-- How far the events are added to the sums. Whoever adds or rebuilds a day locks these rows first.
create table stats_cursors (
  source text primary key,
  xid xid8 not null,
  id bigint not null,
  moved_at timestamptz not null default now()
);
insert into stats_cursors (source, xid, id) values ('tracking', '0', 0), ('conversions', '0', 0);

-- Days to rebuild.
create table stats_rebuilds (
  day date primary key,
  requested_at timestamptz not null
);

create table banner_stats (
  id bigint generated always as identity primary key,
  banner_id bigint not null,
  placement_id bigint,
  campaign_id bigint,
  stat_date date not null,
  impressions bigint not null default 0 check (impressions >= 0),
  clicks bigint not null default 0 check (clicks >= 0),
  spend_micros bigint check (spend_micros >= 0),
  created_at timestamptz not null,
  updated_at timestamptz not null,
  constraint banner_stats_key unique nulls not distinct (banner_id, placement_id, campaign_id, stat_date)
);
create index banner_stats_stat_date_idx on banner_stats (stat_date);

-- Finds a day of events within the partitions of their decisions.
create index impressions_occurred_at_idx on impressions using brin (occurred_at) with (autosummarize = on);
create index views_occurred_at_idx on views using brin (occurred_at) with (autosummarize = on);
create index clicks_occurred_at_idx on clicks using brin (occurred_at) with (autosummarize = on);
create index conversions_occurred_at_idx on conversions using brin (occurred_at) with (autosummarize = on);

-- Steps of films, player errors, and custom events: never billed, each counted once. They name no reader, so there is
-- nothing to erase.
create table progress_events (
  decision_day date not null,
  decision_id uuid not null,
  position smallint not null,
  name text not null check (name ~ '^[A-Za-z][A-Za-z0-9-]{0,39}$'),
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
  occurred_at timestamptz not null,
  label text not null,
  primary key (decision_day, decision_id, position, name)
) partition by range (decision_day);
create index progress_events_batch_id_idx on progress_events using brin (batch_id) with (autosummarize = on);

-- Added up when they settle: by quarter-hour, campaign, film and name.
create table progress_stats (
  bucket timestamptz not null,
  campaign_id bigint not null,
  banner_id bigint not null,
  name text not null,
  label text not null,
  events bigint not null default 0,
  primary key (campaign_id, bucket, banner_id, name, label)
) with (fillfactor = 80);
create index progress_stats_bucket_idx on progress_stats (bucket);

-- The sums of reports.
alter table stats_cube
  add column video_starts bigint not null default 0,
  add column first_quartiles bigint not null default 0,
  add column midpoints bigint not null default 0,
  add column third_quartiles bigint not null default 0,
  add column video_completes bigint not null default 0;
alter table campaign_stats
  add column video_starts bigint not null default 0,
  add column first_quartiles bigint not null default 0,
  add column midpoints bigint not null default 0,
  add column third_quartiles bigint not null default 0,
  add column video_completes bigint not null default 0;
alter table advertiser_stats
  add column video_starts bigint not null default 0,
  add column first_quartiles bigint not null default 0,
  add column midpoints bigint not null default 0,
  add column third_quartiles bigint not null default 0,
  add column video_completes bigint not null default 0;

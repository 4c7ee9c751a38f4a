-- When syncs were last ordered. The worker's health check reads it.
create table channel_ticks (
  only_one boolean primary key default true check (only_one),
  ticked_at timestamptz not null
);

-- The last requested sync, and its jobs.
create table manual_syncs (
  advertiser_id bigint primary key references advertisers (id),
  requested_at timestamptz not null,
  day date not null,
  job_ids uuid[] not null
);

create table channel_backfills (
  id bigint generated always as identity primary key,
  public_id uuid not null unique,
  account_id bigint not null references accounts (id),
  advertiser_id bigint not null references advertisers (id),
  date_from date not null,
  date_to date not null,
  status text not null default 'waiting' check (status in ('waiting', 'running', 'succeeded', 'failed')),
  days_done integer not null default 0,
  days_total integer not null generated always as (date_to - date_from + 1) stored,
  -- In a row, without a day between them.
  failures integer not null default 0,
  failure text,
  version integer not null default 1,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  constraint channel_backfills_range_check check (date_from <= date_to)
);
create index channel_backfills_account_id_idx on channel_backfills (account_id, public_id);
create index channel_backfills_advertiser_id_idx on channel_backfills (advertiser_id, public_id);
create index channel_backfills_unfinished_idx on channel_backfills (id) where status in ('waiting', 'running');

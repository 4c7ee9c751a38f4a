-- The state of each level of a connection, so that a working level does not hide a failing one.
alter table channel_connections add column levels jsonb not null default '{}';

-- A backfill fetches part by part and level by level, and waits while a connection is paused.
alter table channel_backfills add column steps_done integer not null default 0;
alter table channel_backfills add column waits_until timestamptz;
update channel_backfills
   set steps_done = case when days_total <= 7 then days_done * 3 else days_done / 30 * 3 end
 where status in ('waiting', 'running');

-- Results of requested syncs. Replaces manual_syncs, which the next release drops.
create table channel_syncs (
  public_id uuid primary key,
  advertiser_id bigint not null references advertisers (id),
  level text not null check (level in ('CAMPAIGN', 'ADSET', 'AD')),
  day date not null,
  state text not null default 'waiting' check (state in ('waiting', 'running', 'succeeded', 'failed', 'replaced')),
  attempt integer not null default 1,
  -- When a waiting sync is tried next.
  due_at timestamptz not null,
  requested_at timestamptz not null,
  started_at timestamptz,
  finished_at timestamptz,
  failure text,
  raw_inserted integer,
  daily_upserted integer,
  sellpage_upserted integer
);
create index channel_syncs_advertiser_id_idx on channel_syncs (advertiser_id, requested_at);
create index channel_syncs_requested_at_idx on channel_syncs (requested_at);

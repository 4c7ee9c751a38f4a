-- Events, partitioned by the UTC day of the decision. The tracking link names that day, so a repeat always meets the
-- first event. No foreign keys: billed rows outlive their banner.

-- Batches in the order of their transactions: the cursor over the event tables. Each event names its batch.
create table settled_batches (
  id bigint primary key default nextval('ledger_entry_ids'),
  xid xid8 not null default pg_current_xact_id(),
  node text not null,
  events integer not null,
  decision_days date[] not null,
  settled_at timestamptz not null
);
create index settled_batches_xid_id_idx on settled_batches (xid, id);
create index settled_batches_settled_at_idx on settled_batches (settled_at);

create table impressions (
  decision_day date not null,
  event_id uuid not null,
  batch_id bigint not null,
  decision_id uuid,
  position smallint not null,
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
  occurred_at timestamptz not null,
  received_at timestamptz not null,
  clock text not null check (clock in ('on-time', 'late', 'ahead')),
  label text not null,
  pricing text not null check (pricing in ('cpm', 'cpc')),
  charge_micros bigint not null check (charge_micros >= 0),
  charged_millis bigint not null check (charged_millis >= 0),
  billing text not null check (billing in ('charged', 'free', 'invalid', 'over-delivery')),
  primary key (decision_day, event_id)
) partition by range (decision_day);
create index impressions_batch_id_idx on impressions using brin (batch_id) with (autosummarize = on);

-- Viewed: half of the ad for one second, of a video for two.
create table views (like impressions including all) partition by range (decision_day);

create table clicks (like impressions including all) partition by range (decision_day);
alter table clicks rename column referrer_url to destination_url;
create index clicks_user_key_idx on clicks (user_key, occurred_at) where user_key is not null;

create table conversions (
  decision_day date not null,
  event_id uuid not null,
  decision_id uuid,
  advertiser_id bigint not null,
  kind text not null check (kind in ('content_view', 'add_to_cart', 'checkout', 'purchase')),
  way text not null check (way in ('pixel', 'token', 'server')),
  order_id text,
  value_micros bigint check (value_micros >= 0),
  currency text check (currency ~ '^[A-Z]{3}$'),
  user_key text,
  occurred_at timestamptz not null,
  received_at timestamptz not null,
  clock text not null check (clock in ('on-time', 'late', 'ahead')),
  label text not null,
  model text not null check (model in ('last-click', 'first-click', 'linear')),
  primary key (decision_day, event_id)
) partition by range (decision_day);
create index conversions_advertiser_id_idx on conversions (advertiser_id, occurred_at);

-- One conversion per order, whatever day its events name.
create table conversion_orders (
  advertiser_id bigint not null,
  order_id text not null,
  event_id uuid not null,
  received_at timestamptz not null,
  primary key (advertiser_id, order_id)
);

-- The share of each click in a conversion, in ten-thousandths that add up to one.
create table conversion_credits (
  conversion_id uuid not null,
  place smallint not null,
  decision_day date not null,
  touch text not null check (touch in ('click', 'view')),
  touch_event_id uuid not null,
  touched_at timestamptz not null,
  ad_id bigint,
  assignment_id bigint,
  banner_id bigint,
  campaign_id bigint,
  placement_id bigint,
  share smallint not null check (share between 0 and 10000),
  credited_at timestamptz not null,
  primary key (conversion_id, place)
);
create index conversion_credits_campaign_id_idx on conversion_credits (campaign_id, credited_at);

-- Keys of events without a tracking link, kept for 48 hours.
create table seen_events (
  seen_key uuid primary key,
  seen_at timestamptz not null
);
create index seen_events_seen_at_idx on seen_events (seen_at);

-- As text, because an event may be here whose values fit no column.
create table quarantined_events (
  event_id uuid not null,
  reason text not null,
  detail text not null,
  event text not null,
  received_at timestamptz not null,
  quarantined_at timestamptz not null,
  primary key (event_id, reason)
);
create index quarantined_events_quarantined_at_idx on quarantined_events (quarantined_at, event_id);

create table frequency_counts (
  user_key text not null,
  scope text not null check (scope in ('ad', 'campaign', 'advertiser')),
  target_id bigint not null,
  "window" text not null check ("window" in ('Hour', 'Day', 'Week', 'Month', 'Lifetime')),
  window_start timestamptz not null,
  impressions integer not null check (impressions > 0),
  primary key (user_key, scope, target_id, "window", window_start)
) with (fillfactor = 80);
create index frequency_counts_window_start_idx on frequency_counts ("window", window_start);

-- Fifteen minutes, so that days in Kolkata and Kathmandu add up too. Placement 0 means none.
create table delivery_stats (
  bucket timestamptz not null,
  source text not null check (source in ('ad', 'assignment', 'banner')),
  winner_id bigint not null,
  placement_id bigint not null,
  label text not null,
  impressions bigint not null default 0,
  views bigint not null default 0,
  clicks bigint not null default 0,
  over_delivered bigint not null default 0,
  charged_millis bigint not null default 0,
  primary key (bucket, source, winner_id, placement_id, label)
) with (fillfactor = 70);

-- The calendar window in UTC that contains an instant.
create function window_start_of(size text, at timestamptz) returns timestamptz
  language sql stable parallel safe as $$
  select case size
    when 'Lifetime' then timestamptz 'epoch'
    else date_trunc(lower(size), at, 'UTC')
  end
$$;

-- Attaching takes a weaker lock than creating in place: events are written on meanwhile. Nodes take turns.
create function make_day_partition(parent regclass, day date) returns boolean language plpgsql as $$
declare
  name text := format('%s_d%s', parent, to_char(day, 'YYYYMMDD'));
begin
  perform pg_advisory_xact_lock(hashtextextended('placard-partition ' || name, 0));
  -- A query of its own sees what another node has made while this one waited; a name look-up may not.
  if exists (select from pg_class where relname = name) then return false; end if;
  execute format('create table %I (like %s including all)', name, parent);
  execute format('alter table %s attach partition %I for values from (%L) to (%L)',
    parent, name, day, day + 1);
  return true;
end
$$;

create function drop_day_partitions(parent regclass, before date) returns integer language plpgsql as $$
declare
  partition record;
  dropped integer := 0;
begin
  perform pg_advisory_xact_lock(hashtextextended('placard-partition-drop ' || parent, 0));
  for partition in
    select c.oid::regclass as name from pg_inherits i join pg_class c on c.oid = i.inhrelid
     where i.inhparent = parent and right(c.relname, 8) < to_char(before, 'YYYYMMDD')
     order by c.relname
     limit 32
  loop
    execute format('drop table %s', partition.name);
    dropped := dropped + 1;
  end loop;
  return dropped;
end
$$;

-- Which country an account really uses. Ids of users and sessions are text: other services may own them.

-- Observations in the queue. An address is kept until it is resolved, at most one day.
create table observation_queue (
  id bigint generated always as identity primary key,
  user_id text not null,
  device_session_id text not null,
  -- Null once it is erased.
  ip_address bytea check (octet_length(ip_address) in (4, 16)),
  state text not null default 'accepted' check (state in ('accepted', 'processing', 'processed', 'failed')),
  attempts integer not null default 0,
  -- While processing: when the lease ends and another worker may take it.
  available_at timestamptz not null,
  last_error text,
  created_at timestamptz not null,
  settled_at timestamptz
) with (fillfactor = 70);
create index observation_queue_due_idx on observation_queue (available_at, id)
  where state in ('accepted', 'processing');
create index observation_queue_failed_idx on observation_queue (settled_at, id) where state = 'failed';
create index observation_queue_created_idx on observation_queue using brin (created_at);

-- Observations by the hour: enough to rank countries, too little to follow a person.
create table country_observation (
  user_id text not null,
  device_session_id text not null,
  observed_country text not null check (observed_country ~ '^[A-Z]{2}$'),
  hour timestamptz not null,
  observations integer not null,
  -- One bit for each ten minutes in which it was seen.
  slots smallint not null,
  first_seen_at timestamptz not null,
  last_seen_at timestamptz not null,
  primary key (user_id, device_session_id, hour, observed_country)
);
create index country_observation_hour_idx on country_observation using brin (hour);

create table device_session_profile (
  user_id text not null,
  device_session_id text not null,
  usual_connection_country text check (usual_connection_country ~ '^[A-Z]{2}$'),
  first_seen_at timestamptz not null,
  last_seen_at timestamptz not null,
  active_days_before integer not null,
  active_days integer not null,
  primary key (user_id, device_session_id)
) with (fillfactor = 80);

create table device_session_country_score (
  user_id text not null,
  device_session_id text not null,
  observed_country text not null check (observed_country ~ '^[A-Z]{2}$'),
  score double precision not null,
  habit double precision not null,
  scored_at timestamptz not null,
  first_seen_at timestamptz not null,
  last_seen_at timestamptz not null,
  -- The newest observations, in milliseconds since 1970, oldest first.
  recent_ms double precision[] not null check (cardinality(recent_ms) <= 4),
  primary key (user_id, device_session_id, observed_country)
) with (fillfactor = 80);

create table user_review_state (
  user_id text primary key,
  country_review_recommended boolean not null default false,
  reason_code text,
  since timestamptz,
  evidence jsonb,
  snoozed_until timestamptz,
  transition_seq integer not null default 0,
  last_evaluated_at timestamptz,
  -- The User Service's value. Null if it has none, or was not asked yet.
  declared_country text check (declared_country ~ '^[A-Z]{2}$'),
  declared_country_known_at timestamptz,
  first_seen_at timestamptz,
  last_seen_at timestamptz,
  active_days integer not null default 0,
  slots_by_day smallint[] not null default '{}' check (cardinality(slots_by_day) <= 30)
) with (fillfactor = 80);
create index user_review_state_candidates_idx on user_review_state (since desc, user_id)
  where country_review_recommended;
create index user_review_state_unknown_idx on user_review_state (user_id)
  where declared_country_known_at is null;

create table session_block_action (
  id bigint generated always as identity primary key,
  public_id uuid not null unique,
  user_id text not null,
  device_session_id text not null,
  reason_code text not null,
  evidence jsonb not null,
  state text not null
    check (state in ('skipped_shadow', 'awaiting_review', 'requested', 'succeeded', 'failed', 'dismissed')),
  attempts integer not null default 0,
  available_at timestamptz not null,
  last_error text,
  actor_type text not null,
  actor_id text not null,
  created_at timestamptz not null,
  updated_at timestamptz not null
);
create index session_block_action_due_idx on session_block_action (available_at, id) where state = 'requested';
create unique index session_block_action_once_idx
  on session_block_action (device_session_id, reason_code) where state <> 'failed';
create index session_block_action_user_idx on session_block_action (user_id, id);

create table declared_country_version (
  id bigint generated always as identity primary key,
  user_id text not null,
  version_no integer not null,
  country text check (country ~ '^[A-Z]{2}$'),
  previous_country text check (previous_country ~ '^[A-Z]{2}$'),
  state text not null check (state in ('recorded', 'applied', 'sync_failed', 'abandoned')),
  actor_type text not null,
  actor_id text not null,
  reason_code text not null,
  comment text,
  idempotency_key text,
  recorded_at timestamptz not null,
  applied_at timestamptz,
  last_error text,
  unique (user_id, version_no)
);
-- One change at a time.
create unique index declared_country_version_open_idx
  on declared_country_version (user_id) where state in ('recorded', 'sync_failed');
create unique index declared_country_version_key_idx
  on declared_country_version (user_id, idempotency_key) where idempotency_key is not null;
create index declared_country_version_stuck_idx
  on declared_country_version (recorded_at) where state in ('recorded', 'sync_failed');

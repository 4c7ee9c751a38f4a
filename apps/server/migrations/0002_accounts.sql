-- An account belongs to itself, so that one rule scopes every table.
create table accounts (
  id bigint generated always as identity primary key,
  public_id uuid not null unique,
  account_id bigint not null generated always as (id) stored,
  kind text not null check (kind in ('platform', 'advertiser', 'publisher')),
  name text not null,
  version integer not null default 1,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  deleted_at timestamptz
);

create table users (
  id bigint generated always as identity primary key,
  public_id uuid not null unique,
  account_id bigint not null references accounts (id),
  email text not null,
  display_name text not null,
  role text not null check (role in ('operator', 'ad-ops', 'advertiser', 'publisher', 'trust')),
  password_hash text not null,
  is_active boolean not null default true,
  declared_country text check (declared_country ~ '^[A-Z]{2}$'),
  version integer not null default 1,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  deleted_at timestamptz
);
create unique index users_email_key on users (lower(email));
create index users_account_id_idx on users (account_id, public_id);

create table device_sessions (
  id bigint generated always as identity primary key,
  public_id uuid not null unique,
  user_id bigint not null references users (id),
  device_name text not null,
  created_at timestamptz not null,
  last_seen_at timestamptz not null,
  expires_at timestamptz not null,
  revoked_at timestamptz,
  blocked_at timestamptz,
  reason_code text
);
create index device_sessions_user_id_idx on device_sessions (user_id, public_id);
create index device_sessions_expires_at_idx on device_sessions (expires_at);

create table refresh_tokens (
  id bigint generated always as identity primary key,
  session_id bigint not null references device_sessions (id) on delete cascade,
  token_hash bytea not null unique,
  expires_at timestamptz not null,
  used_at timestamptz
);
create index refresh_tokens_session_id_idx on refresh_tokens (session_id);

create table api_keys (
  id bigint generated always as identity primary key,
  public_id uuid not null unique,
  account_id bigint not null references accounts (id),
  name text not null,
  key_start text not null,
  key_hash bytea not null unique,
  scopes text[] not null,
  created_by bigint references users (id) on delete set null,
  created_at timestamptz not null,
  expires_at timestamptz,
  last_used_at timestamptz,
  revoked_at timestamptz
);
create index api_keys_account_id_idx on api_keys (account_id, public_id);

-- The audit log, with each row before and after. Append-only; nothing refers to it.
create table audit_log (
  id bigint generated always as identity primary key,
  public_id uuid not null unique,
  occurred_at timestamptz not null,
  account_id bigint,
  actor_kind text not null check (actor_kind in ('user', 'key', 'system')),
  actor_id uuid,
  actor_name text not null,
  action text not null,
  entity text not null,
  entity_id text not null,
  before jsonb,
  after jsonb,
  request_id text
);
create index audit_log_entity_idx on audit_log (entity, entity_id, public_id);
create index audit_log_account_id_idx on audit_log (account_id, public_id);
create index audit_log_actor_id_idx on audit_log (actor_id, public_id);

-- People sign in through their company's identity provider, by OpenID Connect. An operator enters the provider
-- and the rules that give account and role.

create table identity_providers (
  id                   bigint generated always as identity primary key,
  public_id            uuid not null unique,
  version              integer not null default 1,
  created_at           timestamptz not null,
  updated_at           timestamptz not null,
  deleted_at           timestamptz,
  -- Part of the redirect address that is entered at the provider, so it stays taken.
  slug                 text not null constraint identity_providers_slug_key unique,
  name                 text not null,
  issuer               text not null,
  client_id            text not null,
  sealed_client_secret text not null,
  scopes               text[] not null default '{}',
  groups_claim         text not null default 'groups',
  email_verified_claim text not null default 'email_verified',
  email_domains        text[] not null,
  -- [{"emailDomain", "group", "accountId", "role"}]: the first that fits counts.
  rules                jsonb not null default '[]',
  links_users          boolean not null default false,
  trusts_factor        boolean not null default false,
  factor_acr           text[] not null default '{}',
  session_hours        integer not null default 12 check (session_hours between 1 and 720),
  is_active            boolean not null default true
);

-- A person as a provider knows them. The issuer names the provider here: who is behind a subject never changes
-- with the rows above.
create table external_identities (
  id                   bigint generated always as identity primary key,
  public_id            uuid not null unique,
  user_id              bigint not null references users (id) on delete cascade,
  identity_provider_id bigint not null references identity_providers (id) on delete cascade,
  issuer               text not null,
  subject              text not null,
  email                text not null,
  created_at           timestamptz not null,
  last_used_at         timestamptz,
  unique (issuer, subject),
  unique (user_id, issuer)
);
create index external_identities_identity_provider_id_idx on external_identities (identity_provider_id);

-- Users whom a provider's rules made have no password of their own.
alter table users add column signs_in_by text not null default 'password'
  check (signs_in_by in ('password', 'provider'));

-- Who came through a provider comes back through it after some hours.
alter table device_sessions
  add column identity_provider_id bigint references identity_providers (id) on delete set null,
  add column ends_at timestamptz;
create index device_sessions_identity_provider_id_idx on device_sessions (identity_provider_id)
  where identity_provider_id is not null;

-- A sign-in that waits for a second factor, and began at a provider.
alter table pending_sign_ins
  add column identity_provider_id bigint references identity_providers (id) on delete cascade;

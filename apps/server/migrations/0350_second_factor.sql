-- A second factor at the sign-in: passkeys, authenticator apps and recovery codes. Sessions of the release
-- before say nothing of a factor: whoever has one since signs in again.

alter table accounts add column requires_factor boolean not null default false;
-- Whether the user has an authenticator or a passkey; written with them.
alter table users add column has_factor boolean not null default false;
-- How the second factor of the session was proven; `provider`: another sign-in vouches for the user.
-- `proven_at`: when the user last proved an identity in this session; empty: when it began.
alter table device_sessions
  add column factor_proof text
    check (factor_proof in ('authenticator', 'passkey', 'recovery-code', 'provider')),
  add column proven_at timestamptz;

create table sign_in_factors (
  id            bigint generated always as identity primary key,
  public_id     uuid not null unique,
  user_id       bigint not null references users (id) on delete cascade,
  kind          text not null check (kind in ('authenticator', 'passkey')),
  name          text not null,
  created_at    timestamptz not null,
  last_used_at  timestamptz,
  -- Of an authenticator: its secret, encrypted, and the step of the last code, which works once.
  sealed_secret text,
  last_step     bigint,
  -- Of a passkey.
  credential_id text unique,
  public_key    bytea,
  counter       bigint,
  transports    text[],
  check ((kind = 'authenticator') = (sealed_secret is not null and last_step is not null)),
  check ((kind = 'passkey') = (credential_id is not null and public_key is not null and counter is not null))
);
create index sign_in_factors_user_id_idx on sign_in_factors (user_id);

create table recovery_codes (
  id        bigint generated always as identity primary key,
  user_id   bigint not null references users (id) on delete cascade,
  code_hash bytea not null unique,
  used_at   timestamptz
);
create index recovery_codes_user_id_idx on recovery_codes (user_id);

-- Sign-ins that wait for a factor. Without a user: somebody is about to sign in with a passkey alone.
create table pending_sign_ins (
  id         bigint generated always as identity primary key,
  token_hash bytea not null unique,
  user_id    bigint references users (id) on delete cascade,
  challenge  text,
  expires_at timestamptz not null
);
create index pending_sign_ins_user_id_idx on pending_sign_ins (user_id);
create index pending_sign_ins_expires_at_idx on pending_sign_ins (expires_at);

-- What a session was asked to answer: the secret of a new authenticator, encrypted, or the challenge for a
-- passkey. A newer one replaces it.
create table factor_challenges (
  session_id bigint not null references device_sessions (id) on delete cascade,
  purpose    text not null check (purpose in ('add-authenticator', 'add-passkey', 'prove')),
  challenge  text not null,
  expires_at timestamptz not null,
  primary key (session_id, purpose)
);

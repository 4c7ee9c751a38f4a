-- How often somebody tried to sign in: by address, by user, by known device. What is counted is a keyed
-- hash, so that no address is at rest. Lost with a crash of PostgreSQL, which nobody can cause from outside.

create unlogged table sign_in_limits (
  subject           bytea primary key,
  window_started_at timestamptz not null,
  tries             integer not null
);
create index sign_in_limits_window_started_at_idx on sign_in_limits (window_started_at);

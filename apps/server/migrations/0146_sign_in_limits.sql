-- Sign-in attempts by address, by user and by known device, as keyed hashes, so that no address is stored. A crash of
-- PostgreSQL empties the table, which nobody outside can cause.

create unlogged table sign_in_limits (
  subject           bytea primary key,
  window_started_at timestamptz not null,
  tries             integer not null
);
create index sign_in_limits_window_started_at_idx on sign_in_limits (window_started_at);

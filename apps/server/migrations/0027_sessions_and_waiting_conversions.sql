-- Every node asks every few seconds which sessions were blocked lately.
create index device_sessions_blocked_at_idx on device_sessions (blocked_at) where blocked_at is not null;

-- Conversions that came while clicks were noted and not settled: whose they are is known when those notes are gone.
create table waiting_conversions (
  id bigint generated always as identity primary key,
  -- The newest note when it came.
  note_id bigint not null,
  conversion jsonb not null,
  shown jsonb,
  received_at timestamptz not null
);

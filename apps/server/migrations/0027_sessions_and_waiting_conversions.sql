-- Every node reads the recently blocked sessions every few seconds.
create index device_sessions_blocked_at_idx on device_sessions (blocked_at) where blocked_at is not null;

-- Conversions that arrived while clicks were staged and not settled. Their credit is decided once those batches are
-- settled.
create table waiting_conversions (
  id bigint generated always as identity primary key,
  -- The newest staged batch at its arrival.
  note_id bigint not null,
  conversion jsonb not null,
  shown jsonb,
  received_at timestamptz not null
);

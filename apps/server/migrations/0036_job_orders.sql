-- Jobs whose queue is in Redis: ordered in the caller's transaction, kept until they start.
create table job_orders (
  id uuid primary key,
  job text not null,
  dedupe_key text,
  payload jsonb not null,
  enqueued_at timestamptz not null,
  due_at timestamptz not null,
  -- When a relay may move it to the queue, or check that it is still there.
  relay_after timestamptz not null default now(),
  is_relayed boolean not null default false
);
create unique index job_orders_dedupe_idx on job_orders (job, dedupe_key)
  where dedupe_key is not null;
create index job_orders_relay_idx on job_orders (relay_after);

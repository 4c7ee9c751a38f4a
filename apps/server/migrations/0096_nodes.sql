-- Running processes. Each reports every few seconds that it is alive, with a few facts.
create table nodes (
  id uuid primary key,
  role text not null check (role in ('all', 'api', 'worker')),
  version text not null,
  started_at timestamptz not null,
  -- By the database's clock, because the nodes' clocks may differ.
  last_seen_at timestamptz not null,
  facts jsonb not null
);

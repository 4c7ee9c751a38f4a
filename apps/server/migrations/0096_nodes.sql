-- Processes that run: each says every few seconds that it lives, and a few facts about itself.
create table nodes (
  id uuid primary key,
  role text not null check (role in ('all', 'api', 'worker')),
  version text not null,
  started_at timestamptz not null,
  -- By the database's clock: those of the nodes may disagree.
  last_seen_at timestamptz not null,
  facts jsonb not null
);

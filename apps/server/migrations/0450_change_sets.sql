-- Change sets: edits of many rows, previewed, published and undone as one.
create table change_sets (
  id bigint generated always as identity primary key,
  public_id uuid not null unique,
  version integer not null default 1,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  -- Of the author. People of the account see it.
  account_id bigint not null references accounts (id),
  title text not null,
  state text not null default 'checking'
    check (state in ('checking', 'draft', 'publishing', 'published', 'undoing', 'undone')),
  author_kind text not null check (author_kind in ('user', 'key')),
  author_id uuid not null,
  author_name text not null,
  published_at timestamptz,
  undone_at timestamptz
);
create index change_sets_account_id_idx on change_sets (account_id, public_id);
create index change_sets_updated_at_idx on change_sets (updated_at);

create table change_set_rows (
  change_set_id bigint not null references change_sets (id) on delete cascade,
  position integer not null,
  entity text not null check (entity in ('campaign', 'ad')),
  entity_id uuid not null,
  name text not null,
  currency text,
  -- What to do with the row: a patch, a move, or its archiving.
  change jsonb not null,
  -- The version that the preview saw; once changed, the version that the change left.
  version integer not null,
  outcome text not null default 'waiting'
    check (outcome in ('waiting', 'ready', 'unchanged', 'refused', 'changed', 'undone', 'kept')),
  reason text,
  -- The fields that differ, before and after.
  before jsonb,
  after jsonb,
  primary key (change_set_id, position)
);
create index change_set_rows_outcome_idx on change_set_rows (change_set_id, outcome, position);

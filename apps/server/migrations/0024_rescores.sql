-- Orders to rescore events of a past period, and their progress. The rule is stored as requested, the filter as keys.
create table rescores (
  id bigint generated always as identity primary key,
  public_id uuid not null unique,
  from_at timestamptz not null,
  to_at timestamptz not null check (to_at > from_at),
  label text not null check (label <> 'valid'),
  rule jsonb not null,
  filter jsonb not null,
  note text not null,
  ordered_at timestamptz not null,
  ordered_by text not null,
  events bigint not null default 0,
  credited_millis bigint not null default 0,
  done_at timestamptz
);
create index rescores_open_idx on rescores (id) where done_at is null;

-- Rows that a reader of all accounts' rows refuses and leaves out. A reader that accepts the row again deletes the
-- entry. An entry that nobody confirms for two days is deleted.
create table set_aside_rows (
  id bigint generated always as identity primary key,
  -- `<capability>.<what-reads>`
  reader text not null,
  -- The table and the key by which the reader reads: for a campaign's rules, the campaign.
  entity text not null,
  entity_id bigint not null,
  reason text not null,
  since timestamptz not null,
  seen_at timestamptz not null,
  unique (reader, entity, entity_id)
);

-- Rows that a reader of many accounts' rows refuses: it sets them aside and goes on. A reader that
-- takes a row in again deletes its line; a line that nobody has confirmed for two days is forgotten.
create table set_aside_rows (
  id bigint generated always as identity primary key,
  -- `<capability>.<what-reads>`
  reader text not null,
  -- The table and the key that the reader reads by: of a campaign's rules, the campaign.
  entity text not null,
  entity_id bigint not null,
  reason text not null,
  since timestamptz not null,
  seen_at timestamptz not null,
  unique (reader, entity, entity_id)
);

-- How far an ordered feed has been trimmed. A reader with an older cursor has missed rows and must reload.
create table feed_horizons (
  feed text primary key,
  xid xid8 not null,
  id bigint not null
);

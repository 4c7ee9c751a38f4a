-- Lists of accounts, slots, sellpages and connections are searched by name.

create index accounts_search_idx on accounts using gin (to_tsvector('simple', name));
create index slots_search_idx on slots using gin (to_tsvector('simple', name));
create index sellpages_search_idx on sellpages using gin (to_tsvector('simple', name));
create index channel_connections_search_idx on channel_connections
  using gin (to_tsvector('simple', name));

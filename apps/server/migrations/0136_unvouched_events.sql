-- Events that name no link are matched by what the request for the ad said of its reader: keyed hashes of a session and
-- of an address within an hour. Only answers by slug have them.
alter table auctions add column session_key text;
alter table auctions add column address_key text;
create index auctions_session_key_idx on auctions (session_key) where session_key is not null;
create index auctions_address_key_idx on auctions (address_key) where address_key is not null;

-- UTC days on which a batch charged events that an earlier one had counted for nothing.
alter table settled_batches add column paid_days date[];

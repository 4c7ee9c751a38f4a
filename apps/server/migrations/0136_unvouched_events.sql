-- Events without a tracking link are matched by keyed hashes of the session, and of the address within an hour, from
-- the ad request. Only answers by slug have them.
alter table auctions add column session_key text;
alter table auctions add column address_key text;
create index auctions_session_key_idx on auctions (session_key) where session_key is not null;
create index auctions_address_key_idx on auctions (address_key) where address_key is not null;

-- UTC days on which a batch charged events that an earlier batch had counted as invalid.
alter table settled_batches add column paid_days date[];

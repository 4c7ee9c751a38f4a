-- The page of an event is the page its ad was asked for: browsers cut what a click says of its page to the origin.
alter table impressions add column page_key bigint;
alter table views add column page_key bigint;
alter table clicks add column page_key bigint;

-- 64 bits of the address in its canonical form, as sealed links carry it.
alter table pages add column key bigint not null
  generated always as (('x' || left(md5(url), 16))::bit(64)::bigint) stored;
create index pages_site_id_key_idx on pages (site_id, key);

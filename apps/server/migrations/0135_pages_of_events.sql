-- The page of an event is the page that requested its ad, because browsers cut a click's referrer to its origin.
alter table impressions add column page_key bigint;
alter table views add column page_key bigint;
alter table clicks add column page_key bigint;

-- A 64-bit hash of the normalised address, as in tracking links.
alter table pages add column key bigint not null
  generated always as (('x' || left(md5(url), 16))::bit(64)::bigint) stored;
create index pages_site_id_key_idx on pages (site_id, key);

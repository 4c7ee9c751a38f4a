-- The candidates of a page, chosen ahead of time. A version is never used twice.
create sequence serve_index_versions;

create table serve_index (
  page_id bigint primary key references pages (id) on delete cascade,
  site_id bigint not null references sites (id),
  url text not null,
  version bigint not null default nextval('serve_index_versions'),
  classified_at timestamptz not null,
  auctioned_at timestamptz not null,
  expires_at timestamptz not null,
  -- By placement, the ads in order.
  candidates jsonb not null
);
create index serve_index_site_id_idx on serve_index (site_id, version);
create index serve_index_expires_at_idx on serve_index (expires_at);

-- Readers' response to categories, on a site or (site 0) everywhere, as of an instant.
create table ranker_scores (
  category_id text not null,
  site_id bigint not null,
  impressions double precision not null default 0,
  clicks double precision not null default 0,
  revenue double precision not null default 0,
  scored_at timestamptz not null,
  primary key (category_id, site_id)
);

-- Readers' response to creatives, by minute of the event.
create table creative_minutes (
  banner_id bigint not null,
  minute timestamptz not null,
  impressions integer not null default 0,
  clicks integer not null default 0,
  primary key (minute, banner_id)
);

-- How far settled events have been learned.
create table contextual_cursors (
  source text primary key,
  xid xid8 not null,
  id bigint not null
);
insert into contextual_cursors (source, xid, id) values ('settled', '0', 0);

select feed_changes_of('serve_index', 'site_id');

alter table creative_approvals drop constraint creative_approvals_status_check;
alter table creative_approvals add constraint creative_approvals_status_check
  check (status in ('pending', 'approved', 'rejected', 'flagged'));

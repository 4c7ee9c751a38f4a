create table publishers (
  id bigint generated always as identity primary key,
  public_id uuid not null unique,
  account_id bigint not null references accounts (id),
  name text not null,
  currency text not null check (currency ~ '^[A-Z]{3}$'),
  time_zone text not null default 'UTC',
  version integer not null default 1,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  deleted_at timestamptz
);
create index publishers_account_id_idx on publishers (account_id, public_id);

create table sites (
  id bigint generated always as identity primary key,
  public_id uuid not null unique,
  account_id bigint not null references accounts (id),
  publisher_id bigint not null references publishers (id),
  name text not null,
  domain text not null,
  seed_url text,
  crawl_cron text,
  crawl_depth integer not null default 2 check (crawl_depth between 0 and 10),
  crawl_page_limit integer not null default 500 check (crawl_page_limit between 1 and 100000),
  pacing jsonb not null default '{}',
  approval_required boolean not null default true,
  keep_url_queries boolean not null default false,
  is_active boolean not null default true,
  version integer not null default 1,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  deleted_at timestamptz
);
create unique index sites_domain_key on sites (publisher_id, domain) where deleted_at is null;
create index sites_account_id_idx on sites (account_id, public_id);

create table site_ad_product_blocks (
  site_id bigint not null references sites (id),
  ad_product_category text not null,
  created_at timestamptz not null,
  primary key (site_id, ad_product_category)
);

create table placements (
  id bigint generated always as identity primary key,
  public_id uuid not null unique,
  account_id bigint not null references accounts (id),
  publisher_id bigint not null references publishers (id),
  slug text not null,
  label text not null,
  type text not null default 'banner' check (type in ('feed', 'story', 'banner')),
  layout_type text not null check (layout_type in (
    'full_slider', 'full_static', 'half_pair', 'quarter_grid', 'sidebar_stack', 'sidebar_single',
    'interstitial', 'popup', 'inline_card', 'sticky_bar')),
  mode text not null default 'direct' check (mode in ('direct', 'auction', 'hybrid')),
  rotation text not null default 'ordered' check (rotation in ('ordered', 'weighted')),
  page_context text,
  max_banners integer not null default 1 check (max_banners > 0),
  recommended_width integer check (recommended_width > 0),
  recommended_height integer check (recommended_height > 0),
  recommended_aspect_ratio text,
  formats text[] not null default '{}',
  floor_micros bigint not null default 0 check (floor_micros >= 0),
  time_zone text not null default 'UTC',
  notes text,
  is_active boolean not null default true,
  sort_order integer not null default 0 check (sort_order >= 0),
  fallback_placeholder_url text,
  allow_partial_render boolean not null default false,
  version integer not null default 1,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  deleted_at timestamptz
);
create unique index placements_slug_key on placements (slug);
create index placements_account_id_idx on placements (account_id, public_id);
create index placements_search_idx on placements using gin (to_tsvector('simple', label || ' ' || slug));

create table slots (
  id bigint generated always as identity primary key,
  public_id uuid not null unique,
  account_id bigint not null references accounts (id),
  site_id bigint not null references sites (id),
  placement_id bigint not null references placements (id),
  name text not null,
  width integer not null check (width > 0),
  height integer not null check (height > 0),
  version integer not null default 1,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  deleted_at timestamptz
);
-- A placement is on one site: its approvals and blocklists are that site's.
create unique index slots_placement_key on slots (placement_id) where deleted_at is null;
create index slots_site_id_idx on slots (site_id, public_id);
create index slots_account_id_idx on slots (account_id, public_id);

select feed_changes_of('publishers', 'id');
select feed_changes_of('sites', 'id');
select feed_changes_of('site_ad_product_blocks', 'site_id');
select feed_changes_of('placements', 'id');
select feed_changes_of('slots', 'id');

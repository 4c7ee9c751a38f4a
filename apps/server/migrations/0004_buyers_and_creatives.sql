create table advertisers (
  id bigint generated always as identity primary key,
  public_id uuid not null unique,
  account_id bigint not null references accounts (id),
  name text not null,
  contact text,
  currency text not null check (currency ~ '^[A-Z]{3}$'),
  time_zone text not null default 'UTC',
  budget_daily_micros bigint check (budget_daily_micros > 0),
  is_house boolean not null default false,
  version integer not null default 1,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  deleted_at timestamptz
);
create unique index advertisers_one_house_key on advertisers (is_house) where is_house;
create index advertisers_account_id_idx on advertisers (account_id, public_id);
create index advertisers_search_idx on advertisers using gin (to_tsvector('simple', name));

create table advertiser_site_blocks (
  advertiser_id bigint not null references advertisers (id),
  site_id bigint not null references sites (id),
  created_at timestamptz not null,
  primary key (advertiser_id, site_id)
);

-- Rows that a banner may name: small, importable, shared by all accounts.
create table brands (
  id bigint generated always as identity primary key,
  public_id uuid not null unique,
  name text not null,
  external_id text unique,
  version integer not null default 1,
  created_at timestamptz not null,
  updated_at timestamptz not null
);
create table categories (like brands including all);
create table products (like brands including all);
create table seo_records (like brands including all);

create table assets (
  id bigint generated always as identity primary key,
  public_id uuid not null unique,
  account_id bigint not null references accounts (id),
  file_name text not null,
  file_path text not null generated always as ('/api/v1/assets/' || public_id::text || '/file') stored,
  content_type text not null,
  byte_count integer not null check (byte_count > 0),
  width integer,
  height integer,
  sha256 bytea not null,
  version integer not null default 1,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  deleted_at timestamptz
);
create unique index assets_content_key on assets (account_id, sha256) where deleted_at is null;

create table banners (
  id bigint generated always as identity primary key,
  public_id uuid not null unique,
  account_id bigint not null references accounts (id),
  advertiser_id bigint not null references advertisers (id),
  title text not null,
  description text,
  source text not null default 'internal' check (source in ('internal', 'sponsored', 'affiliate', 'system')),
  format text not null default 'single_image' check (format in ('single_image', 'video', 'html', 'native')),
  is_active boolean not null default true,
  primary_image_url text not null,
  primary_image_alt text,
  mobile_image_url text,
  video_url text,
  html text,
  media_variants jsonb,
  width integer check (width > 0),
  height integer check (height > 0),
  headline text,
  subheadline text,
  cta_label text,
  cta_url text,
  cta_open_new_tab boolean not null default false,
  utm_source text,
  utm_medium text,
  utm_campaign text,
  utm_content text,
  brand_id bigint references brands (id) on delete set null,
  category_id bigint references categories (id) on delete set null,
  product_id bigint references products (id) on delete set null,
  seo_id bigint references seo_records (id) on delete set null,
  ad_product_category text,
  tags text[] not null default '{}',
  bg_color text check (bg_color ~ '^#[0-9a-fA-F]{6}$'),
  priority integer not null default 0 check (priority >= 0),
  publish_at timestamptz,
  expires_at timestamptz,
  schedule_timezone text not null default 'UTC',
  recurrence_rule text,
  recurrence_window_start time,
  recurrence_window_end time,
  schedule_status text not null default 'evergreen'
    check (schedule_status in ('evergreen', 'scheduled', 'active', 'expired')),
  is_evergreen_fallback boolean not null default false,
  fallback_placeholder_url text,
  created_by bigint references users (id) on delete set null,
  version integer not null default 1,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  deleted_at timestamptz,
  constraint banners_schedule_check check (publish_at < expires_at)
);
create index banners_account_id_idx on banners (account_id, public_id);
create index banners_advertiser_id_idx on banners (advertiser_id, public_id);
create index banners_tags_idx on banners using gin (tags);
create index banners_search_idx on banners using gin (to_tsvector('simple', title));
create index banners_schedule_idx on banners (schedule_status, public_id);

create table creative_approvals (
  id bigint generated always as identity primary key,
  public_id uuid not null unique,
  account_id bigint not null references accounts (id),
  site_id bigint not null references sites (id),
  banner_id bigint not null references banners (id),
  banner_account_id bigint not null references accounts (id),
  status text not null default 'pending' check (status in ('pending', 'approved', 'rejected')),
  reason text,
  decided_by bigint references users (id) on delete set null,
  decided_at timestamptz,
  version integer not null default 1,
  created_at timestamptz not null,
  updated_at timestamptz not null
);
create unique index creative_approvals_site_banner_key on creative_approvals (site_id, banner_id);
create index creative_approvals_banner_id_idx on creative_approvals (banner_id);
create index creative_approvals_account_id_idx on creative_approvals (account_id, status, public_id);
create index creative_approvals_banner_account_id_idx on creative_approvals (banner_account_id, public_id);

select feed_changes_of('advertisers', 'id');
select feed_changes_of('advertiser_site_blocks', 'advertiser_id');
select feed_changes_of('banners', 'id');
select feed_changes_of('creative_approvals', 'id');

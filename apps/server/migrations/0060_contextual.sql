-- Pages of sites, their categories, and the candidates chosen for them ahead of time.
create table pages (
  id bigint generated always as identity primary key,
  public_id uuid not null unique,
  account_id bigint not null references accounts (id),
  site_id bigint not null references sites (id),
  -- In its one form: without fragment and tracking parameters.
  url text not null check (length(url) <= 2000),
  depth integer not null default 0 check (depth >= 0),
  state text not null default 'waiting' check (state in ('waiting', 'read', 'gone', 'refused', 'failed')),
  fault text,
  title text not null default '',
  -- The readable text, for classifying again: at most 8,000 characters.
  body text not null default '',
  content_hash text,
  etag text,
  last_modified text,
  fetched_at timestamptz,
  classified_at timestamptz,
  classifier text,
  -- Corrected by a person. No classifier overrides it.
  corrected_at timestamptz,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  unique (site_id, url)
);
create index pages_site_id_idx on pages (site_id, public_id);
create index pages_account_id_idx on pages (account_id, public_id);
create index pages_waiting_idx on pages (site_id, id) where state = 'waiting';

create table page_categories (
  page_id bigint not null references pages (id) on delete cascade,
  category_id text not null,
  confidence double precision not null check (confidence > 0 and confidence <= 1),
  primary key (page_id, category_id)
);

-- Corrections by people, with the text they corrected.
create table page_examples (
  id bigint generated always as identity primary key,
  page_id bigint references pages (id) on delete set null,
  site_id bigint not null references sites (id),
  category_ids text[] not null check (cardinality(category_ids) between 1 and 3),
  title text not null,
  body text not null,
  created_by bigint,
  created_at timestamptz not null
);
create index page_examples_page_id_idx on page_examples (page_id);

create table site_crawls (
  site_id bigint primary key references sites (id),
  started_at timestamptz not null,
  finished_at timestamptz,
  pages_read integer not null default 0,
  fault text
);

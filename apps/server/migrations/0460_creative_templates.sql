-- What operators prepare and advertisers fill: HTML with named places.

create table creative_templates (
  id bigint generated always as identity primary key,
  public_id uuid not null unique,
  name text not null,
  description text,
  html text not null,
  fields jsonb not null default '[]',
  version integer not null default 1,
  created_at timestamptz not null,
  updated_at timestamptz not null
);

alter table banners
  add column template_id bigint references creative_templates (id),
  add column template_values jsonb;

create index banners_template_idx on banners (template_id) where template_id is not null;

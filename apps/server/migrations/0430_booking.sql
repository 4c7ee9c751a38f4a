-- Bookings that are not finished: the form as it was typed, kept while its user looks elsewhere.
create table campaign_drafts (
  id bigint generated always as identity primary key,
  public_id uuid not null unique,
  account_id bigint not null references accounts (id),
  version integer not null default 1,
  saved_by text not null,
  form jsonb not null,
  created_at timestamptz not null,
  updated_at timestamptz not null
);
create index campaign_drafts_account_id_idx on campaign_drafts (account_id, public_id);

-- Placements that every advertiser may book, and what buyers ask for beyond those.
alter table placements add column is_offered boolean not null default false;
create index placements_offered_idx on placements (label, public_id) where is_offered and deleted_at is null;
alter table campaigns add column placement_wishes text;

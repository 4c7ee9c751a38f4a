-- A site's domain is proven before ads run on it or its pages are read. Sites from before keep running: each is
-- proven by this upgrade, unless several publishers name its domain; then the site that came first holds it.

alter table sites
  -- Part of the line that the publisher puts into DNS or a file.
  add column domain_token text not null default replace(gen_random_uuid()::text, '-', ''),
  add column domain_proven_at timestamptz,
  add column domain_proven_by text check (domain_proven_by in ('dns', 'file', 'operator', 'upgrade')),
  add column domain_state text not null
    generated always as (case when domain_proven_at is null then 'unproven' else 'proven' end) stored,
  add constraint sites_domain_proof_check check ((domain_proven_at is null) = (domain_proven_by is null));

update sites s set domain_proven_at = now(), domain_proven_by = 'upgrade'
 where s.deleted_at is null
   and (s.domain = 'localhost' or not exists (
     select from sites earlier
      where earlier.domain = s.domain and earlier.deleted_at is null and earlier.id < s.id));

-- One publisher holds a domain. Every machine is `localhost` to itself.
create unique index sites_proven_domain_key on sites (domain)
  where domain_proven_at is not null and deleted_at is null and domain <> 'localhost';

-- The last look at a site's domain, and when the next one is due. Kept apart: a look is no change of the site.
create table site_domain_checks (
  site_id bigint primary key references sites (id) on delete cascade,
  ordered_at timestamptz,
  checked_at timestamptz,
  -- Null: only when somebody asks.
  next_at timestamptz,
  looks integer not null default 0,
  -- Since when a proof has been missing.
  failing_since timestamptz,
  faults text[] not null default '{}'
);
create index site_domain_checks_next_idx on site_domain_checks (next_at);

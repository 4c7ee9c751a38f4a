-- Marks a page that lost a candidate since its last auction, so that the next auction includes it.
alter table serve_index add column has_lost boolean not null default false;

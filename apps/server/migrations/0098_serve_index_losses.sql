-- A page that lost a candidate since its last auction: whoever is auctioned next there, it takes part.
alter table serve_index add column has_lost boolean not null default false;

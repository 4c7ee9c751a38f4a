-- A campaign that names categories is shown only on pages that have them; this says whether pages that
-- nobody has understood yet are welcome too.
alter table campaigns add column runs_on_unknown_pages boolean not null default false;

-- What a page is about, parents included, with how sure that is: decisions read it with the candidates.
alter table serve_index add column categories jsonb not null default '{}';

-- A campaign with categories runs only on pages in them. This column also admits pages that are not classified yet.
alter table campaigns add column runs_on_unknown_pages boolean not null default false;

-- The categories of a page with their parents and confidences. Decisions read them with the candidates.
alter table serve_index add column categories jsonb not null default '{}';

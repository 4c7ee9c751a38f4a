-- A page shows no two ads of campaigns that share a label.
alter table campaigns add column exclusion_labels text[] not null default '{}';

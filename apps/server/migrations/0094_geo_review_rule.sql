-- The review rule of the last run over all users. A changed rule starts another run.
create table geo_review_rule (
  only_one boolean primary key default true check (only_one),
  rule text not null,
  applied_at timestamptz not null
);

-- The rule that everybody was last asked about: when it is another one, they are asked again.
create table geo_review_rule (
  only_one boolean primary key default true check (only_one),
  rule text not null,
  applied_at timestamptz not null
);

-- The click and conversion models, one row each. The cursor moves in the transaction that saves the weights, so each
-- settled event is learned once.
create table ctr_models (
  id bigint generated always as identity primary key,
  evidence text not null unique check (evidence in ('click', 'conversion')),
  version integer not null,
  lessons bigint not null,
  verdict text not null,
  -- Normalised entropy, predicted over actual, calibration error: recent, in total and by placement type.
  figures jsonb not null,
  state jsonb not null,
  -- Indexes, then z, then n of every weight that was ever updated.
  weights bytea not null,
  xid xid8 not null,
  batch_id bigint not null,
  updated_at timestamptz not null
);
select feed_changes_of('ctr_models', 'id');

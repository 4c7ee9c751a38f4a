-- What is learned of clicks and conversions, one row for each. The place in the feed moves in the transaction that
-- saves the weights: what was settled teaches once.
create table ctr_models (
  id bigint generated always as identity primary key,
  evidence text not null unique check (evidence in ('click', 'conversion')),
  version integer not null,
  lessons bigint not null,
  verdict text not null,
  -- Normalised entropy, predicted over actual, calibration error: of late, in all and by placement type.
  figures jsonb not null,
  state jsonb not null,
  -- Slots, then z, then n of every weight that was ever touched.
  weights bytea not null,
  xid xid8 not null,
  batch_id bigint not null,
  updated_at timestamptz not null
);
select feed_changes_of('ctr_models', 'id');

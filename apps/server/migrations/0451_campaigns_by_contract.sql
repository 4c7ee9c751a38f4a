-- Finds campaigns by words of their contract reference.
create index campaigns_contract_ref_idx on campaigns
  using gin (to_tsvector('simple', translate(contract_ref, '-/_.#', '     ')));

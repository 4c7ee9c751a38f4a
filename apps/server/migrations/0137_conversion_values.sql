-- A conversion with a higher value is quarantined with a notice. Null: a limit per currency applies.
alter table advertisers add column conversion_value_max_micros bigint
  check (conversion_value_max_micros > 0);

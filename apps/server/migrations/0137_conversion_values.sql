-- A conversion that is worth more is kept aside and told. Without it, a bound by currency holds.
alter table advertisers add column conversion_value_max_micros bigint
  check (conversion_value_max_micros > 0);

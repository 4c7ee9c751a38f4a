-- How many requests carried which refusal, for the report of consent.
create table consent_counts (
  day date not null,
  account_id bigint not null references accounts (id),
  -- The first signal that refused something; 'none' if nothing was refused.
  signal text not null,
  requests bigint not null check (requests > 0),
  primary key (day, account_id, signal)
);

-- Spend. A charge is whole thousandths of a micro, because the CPM of one impression has three decimals more than a
-- micro. The part below one micro stays as the remainder.

create sequence ledger_entry_ids;

-- Days of the advertiser's zone. No foreign keys: billed rows outlive what they were billed for.
create table budget_days (
  scope text not null check (scope in ('campaign', 'advertiser')),
  owner_id bigint not null,
  day date not null,
  limit_micros bigint check (limit_micros >= 0),
  allowance_micros bigint not null default 0 check (allowance_micros >= 0),
  spent_micros bigint not null default 0 check (spent_micros >= 0),
  remainder_millis smallint not null default 0 check (remainder_millis between 0 and 999),
  exhausted_at timestamptz,
  primary key (scope, owner_id, day),
  constraint budget_days_never_overspent_check check (spent_micros <= limit_micros)
) with (fillfactor = 70);

create table campaign_totals (
  campaign_id bigint primary key,
  limit_micros bigint check (limit_micros >= 0),
  spent_micros bigint not null default 0 check (spent_micros >= 0),
  remainder_millis smallint not null default 0 check (remainder_millis between 0 and 999),
  impressions bigint not null default 0,
  clicks bigint not null default 0,
  exhausted_at timestamptz,
  constraint campaign_totals_never_overspent_check check (spent_micros <= limit_micros)
) with (fillfactor = 70);

-- A part of a day's budget that a node may spend without asking the database.
create table budget_leases (
  scope text not null check (scope in ('campaign', 'advertiser')),
  owner_id bigint not null,
  day date not null,
  node text not null,
  fence bigint not null,
  amount_micros bigint not null check (amount_micros >= 0),
  expires_at timestamptz not null,
  primary key (scope, owner_id, day, node)
);
create index budget_leases_expires_at_idx on budget_leases (expires_at);

create table ledger_entries (
  scope text not null check (scope in ('campaign', 'advertiser')),
  owner_id bigint not null,
  day date not null,
  entry_id bigint not null,
  kind text not null check (kind in (
    'settled', 'credit', 'adjustment', 'allowance', 'lease-taken', 'lease-returned')),
  amount_micros bigint not null,
  note text,
  created_at timestamptz not null,
  primary key (scope, owner_id, day, entry_id)
);

-- Results of ledger proofs: the differences found, or zero.
create table ledger_proofs (
  id bigint generated always as identity primary key,
  proved_at timestamptz not null,
  budget_days integer not null,
  difference_micros numeric not null,
  faults jsonb not null
);

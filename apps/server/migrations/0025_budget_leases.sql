-- Money that nodes may spend without asking the database. A lease is a part of a campaign's day. It also counts in
-- the campaign's lifetime and the advertiser's day, so that spent + leased never exceeds any of the three limits.

drop table budget_leases;

alter table budget_days
  add column leased_micros bigint not null default 0 check (leased_micros >= 0),
  add constraint budget_days_never_overleased_check check (spent_micros + leased_micros <= limit_micros);

alter table campaign_totals
  add column leased_micros bigint not null default 0 check (leased_micros >= 0),
  add constraint campaign_totals_never_overleased_check check (spent_micros + leased_micros <= limit_micros);

create sequence lease_fences;

-- One row per running node. Its leases end when it does not renew this row. An ended row is never renewed: the node
-- returns with a new fence, after its leases were returned.
create table lease_holders (
  node text primary key,
  fence bigint not null,
  expires_at timestamptz not null
);
create index lease_holders_expires_at_idx on lease_holders (expires_at);

create table budget_leases (
  campaign_id bigint not null,
  day date not null,
  node text not null,
  advertiser_id bigint not null,
  fence bigint not null,
  amount_micros bigint not null check (amount_micros >= 0),
  primary key (campaign_id, day, node)
) with (fillfactor = 70);
create index budget_leases_node_idx on budget_leases (node);
create index budget_leases_advertiser_id_idx on budget_leases (advertiser_id, day);

-- The change of the leased amount: taking a lease adds, returning and settling subtract.
alter table ledger_entries add column leased_micros bigint not null default 0;

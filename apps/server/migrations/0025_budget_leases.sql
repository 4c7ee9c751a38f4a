-- Money that nodes may hand out without asking. A lease is a slice of a campaign's day; it counts in the campaign's
-- lifetime and in its advertiser's day too, so that spent + leased never passes a limit of the three.

drop table budget_leases;

alter table budget_days
  add column leased_micros bigint not null default 0 check (leased_micros >= 0),
  add constraint budget_days_never_overleased_check check (spent_micros + leased_micros <= limit_micros);

alter table campaign_totals
  add column leased_micros bigint not null default 0 check (leased_micros >= 0),
  add constraint campaign_totals_never_overleased_check check (spent_micros + leased_micros <= limit_micros);

create sequence lease_fences;

-- One row per node that runs: all its leases end when it does not renew this row. A row that has ended is never
-- renewed; the node comes back under another fence, after its leases were returned.
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

-- What the entry changes of what is leased: taken adds, returned and settled take away.
alter table ledger_entries add column leased_micros bigint not null default 0;

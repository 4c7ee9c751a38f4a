-- Alerts with their reason in words. Open until the problem ends.
create table channel_alerts (
  id bigint generated always as identity primary key,
  public_id uuid not null unique,
  account_id bigint not null references accounts (id),
  advertiser_id bigint not null references advertisers (id),
  campaign_id bigint references campaigns (id),
  connection_id bigint references channel_connections (id),
  kind text not null check (kind in ('under-delivery', 'exhausted-early', 'ctr-collapse', 'sync-failing')),
  reason text not null,
  opened_at timestamptz not null,
  closed_at timestamptz,
  constraint channel_alerts_subject_check check (num_nonnulls(campaign_id, connection_id) = 1)
);
create unique index channel_alerts_open_key on channel_alerts (kind, campaign_id, connection_id) nulls not distinct
  where closed_at is null;
create index channel_alerts_account_id_idx on channel_alerts (account_id, public_id);

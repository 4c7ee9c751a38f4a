create table frequency_caps (
  id bigint generated always as identity primary key,
  public_id uuid not null unique,
  account_id bigint not null references accounts (id),
  ad_id bigint references ads (id),
  campaign_id bigint references campaigns (id),
  advertiser_id bigint references advertisers (id),
  max_impressions_per_user integer not null check (max_impressions_per_user > 0),
  "window" text not null check ("window" in ('Hour', 'Day', 'Week', 'Month', 'Lifetime')),
  version integer not null default 1,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  constraint frequency_caps_one_target_check check (num_nonnulls(ad_id, campaign_id, advertiser_id) = 1)
);
create index frequency_caps_account_id_idx on frequency_caps (account_id, public_id);
create index frequency_caps_ad_id_idx on frequency_caps (ad_id);
create index frequency_caps_campaign_id_idx on frequency_caps (campaign_id);
create index frequency_caps_advertiser_id_idx on frequency_caps (advertiser_id);

select feed_changes_of('frequency_caps', 'id');

-- A campaign's bid agent: its target, the current policy, the policy on trial and its share of the time.
create table bid_agents (
  campaign_id bigint primary key references campaigns (id),
  aim text not null check (aim in ('fixed', 're-solve', 'dqn', 'dqn-seed')),
  base text not null check (base in ('fixed', 're-solve', 'dqn', 'dqn-seed')),
  trial text check (trial in ('re-solve', 'dqn', 'dqn-seed')),
  share double precision not null check (share between 0 and 1),
  judged integer not null,
  base_multiplier double precision not null check (base_multiplier > 0),
  trial_multiplier double precision not null check (trial_multiplier > 0),
  -- Learned from past days: the curve of spend, requests by window, and the delivered share of wins.
  plan jsonb,
  -- Weights of the neural networks.
  skills jsonb,
  version integer not null,
  stepped_at timestamptz,
  judged_at timestamptz,
  updated_at timestamptz not null
);
select feed_changes_of('bid_agents', 'campaign_id');

-- Results and bids of every quarter-hour of a budget day.
create table bid_agent_windows (
  campaign_id bigint not null,
  day date not null,
  "window" smallint not null check ("window" >= 0),
  starts_at timestamptz not null,
  requests integer not null,
  wins integer not null,
  clicks integer not null,
  value double precision not null,
  -- The expected cost of the wins, and the charges.
  expected_micros bigint not null,
  charged_micros bigint not null,
  base text not null,
  trial text,
  share double precision not null,
  base_multiplier double precision not null,
  trial_multiplier double precision not null,
  primary key (campaign_id, day, "window")
);
create index bid_agent_windows_day_idx on bid_agent_windows (day);

-- Past days for replay: price, value and window of each auction the campaign could enter.
create table bid_agent_days (
  campaign_id bigint not null,
  day date not null,
  auctions integer not null,
  sampled_share double precision not null,
  delivered_share double precision not null,
  records bytea not null,
  primary key (campaign_id, day)
);
create index bid_agent_days_day_idx on bid_agent_days (day);

-- The gate's decisions, with reasons.
create table bid_judgements (
  id bigint generated always as identity primary key,
  campaign_id bigint not null,
  judged_at timestamptz not null,
  policy text not null,
  base text not null,
  verdict text not null check (verdict in ('as-good', 'worse', 'undecided', 'too-few-days')),
  days integer not null,
  gain double precision,
  low double precision,
  high double precision,
  move text not null check (move in ('start', 'up', 'stay', 'roll-back', 'promote')),
  share_before double precision not null,
  share_after double precision not null,
  words text not null
);
create index bid_judgements_campaign_id_idx on bid_judgements (campaign_id, judged_at);

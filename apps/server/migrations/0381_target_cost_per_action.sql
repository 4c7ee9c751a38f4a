-- A campaign that pays per click may say what a conversion may cost. Its bids follow the predicted conversion rate.
alter table campaigns
  add column target_cpa_micros bigint check (target_cpa_micros > 0),
  add constraint campaigns_target_cpa_check check (target_cpa_micros is null or pricing = 'cpc');

alter table bid_agents drop constraint bid_agents_aim_check;
alter table bid_agents add constraint bid_agents_aim_check
  check (aim in ('fixed', 're-solve', 'dqn', 'dqn-seed', 'tcpa'));
alter table bid_agents drop constraint bid_agents_base_check;
alter table bid_agents add constraint bid_agents_base_check
  check (base in ('fixed', 're-solve', 'dqn', 'dqn-seed', 'tcpa'));
alter table bid_agents drop constraint bid_agents_trial_check;
alter table bid_agents add constraint bid_agents_trial_check
  check (trial in ('re-solve', 'dqn', 'dqn-seed', 'tcpa'));

-- The predicted conversion rate of each kept auction, of campaigns with a target.
alter table bid_agent_days add column conversion_rates bytea;

-- What a credit is for, so that purchases are found by their click. Older credits are not learned from any more.
alter table conversion_credits add column kind text;
update conversion_credits c set kind = v.kind
  from conversions v
 where v.event_id = c.conversion_id and c.credited_at > now() - interval '9 days';

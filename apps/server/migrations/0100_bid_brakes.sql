-- Results of an agent beside its multiplier: the lift of the rank, and the most the campaign may have spent of a
-- budget day until the next result.
alter table bid_agents
  add column base_lift double precision not null default 1 check (base_lift >= 1),
  add column trial_lift double precision not null default 1 check (trial_lift >= 1),
  add column brake_day date,
  add column brake_micros bigint check (brake_micros >= 0);
alter table bid_agent_windows
  add column base_lift double precision not null default 1,
  add column trial_lift double precision not null default 1;

-- Null for days stored earlier: nobody added them up.
alter table bid_agent_days add column spent_micros bigint;

-- The actual results of a trial's minutes, against those of the base.
alter table bid_judgements
  add column minutes integer,
  add column live_gain double precision,
  add column live_low double precision,
  add column live_high double precision;

-- Who reset a campaign's day, and the amount. In the change feed, so that every node resumes at once.
create table budget_resets (
  id bigint generated always as identity primary key,
  campaign_id bigint not null,
  day date not null,
  allowance_micros bigint not null check (allowance_micros > 0),
  reset_at timestamptz not null,
  reset_by text not null
);
select feed_changes_of('budget_resets', 'campaign_id');

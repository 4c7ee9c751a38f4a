-- Sums the spend of the last days over all campaigns.
create index budget_days_day_idx on budget_days (day, scope);

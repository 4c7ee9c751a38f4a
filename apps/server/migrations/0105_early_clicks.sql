-- A click whose impression may be in another node's older batches stays staged until those are settled. Nobody waits
-- for such a batch: it has no impression.
alter table event_inbox add column is_early boolean not null default false;

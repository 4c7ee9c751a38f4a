-- A click whose impression may be among older notes of another node stays noted until those are settled. Nobody
-- waits for such a note: there is no impression in it.
alter table event_inbox add column is_early boolean not null default false;

-- Events that are acknowledged and not settled yet, many to a row: one small commit makes a crowd of them
-- safe, and one larger transaction settles many rows. A row is deleted by the transaction that settles it.
create table event_inbox (
  id bigint generated always as identity primary key,
  noted_at timestamptz not null default now(),
  events text not null
) with (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 2000,
        toast.autovacuum_vacuum_scale_factor = 0, toast.autovacuum_vacuum_threshold = 20000);
-- Rows live for less than a second: pressing them costs more than it saves.
alter table event_inbox alter column events set storage external;

-- Acknowledged events that are not settled yet, many per row. One small commit stores many events, and one larger
-- transaction settles many rows and deletes them.
create table event_inbox (
  id bigint generated always as identity primary key,
  noted_at timestamptz not null default now(),
  events text not null
) with (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 2000,
        toast.autovacuum_vacuum_scale_factor = 0, toast.autovacuum_vacuum_threshold = 20000);
-- Rows live for less than a second, so compressing them costs more than it saves.
alter table event_inbox alter column events set storage external;

-- Readers per UTC day as sketches, which merge into weeks, months and any range of days. They hold no user key, and
-- no reader can be found in them.
create table reach_sketches (
  level text not null check (level in ('all', 'advertiser', 'campaign', 'site', 'placement')),
  subject_id bigint not null,
  currency text not null,
  day date not null,
  sketch bytea not null,
  primary key (level, subject_id, currency, day)
);
create index reach_sketches_day_idx on reach_sketches (day);

insert into stats_cursors (source, xid, id) values ('reach', '0', 0);

-- Tables of the platform: the change feed, the outbox, switches, stored answers.

create table changes (
  id bigint generated always as identity primary key,
  xid xid8 not null default pg_current_xact_id(),
  entity text not null,
  entity_id bigint not null,
  operation text not null check (operation in ('insert', 'update', 'delete')),
  changed_at timestamptz not null default now()
);
create index changes_xid_id_idx on changes (xid, id);

-- Statement triggers write the feed, so that no writer can forget it and a bulk import costs one insert.
create function record_changes() returns trigger language plpgsql as $$
begin
  execute format(
    'insert into changes (entity, entity_id, operation) select distinct %L, %I, %L from touched_rows',
    tg_table_name, tg_argv[0], lower(tg_op)
  );
  perform pg_notify('placard_changes', '');
  return null;
end
$$;

create function feed_changes_of(target regclass, key_column text) returns void language plpgsql as $$
begin
  execute format(
    'create trigger feed_insert after insert on %s referencing new table as touched_rows
       for each statement execute function record_changes(%L)', target, key_column);
  execute format(
    'create trigger feed_update after update on %s referencing new table as touched_rows
       for each statement execute function record_changes(%L)', target, key_column);
  execute format(
    'create trigger feed_delete after delete on %s referencing old table as touched_rows
       for each statement execute function record_changes(%L)', target, key_column);
end
$$;

create table outbox (
  id bigint generated always as identity primary key,
  xid xid8 not null default pg_current_xact_id(),
  event_id uuid not null unique,
  type text not null,
  subject text not null,
  data jsonb not null,
  occurred_at timestamptz not null
);
create index outbox_xid_id_idx on outbox (xid, id);

create table outbox_cursors (
  sink text primary key,
  xid xid8 not null,
  id bigint not null,
  updated_at timestamptz not null default now()
);

create table switches (
  id bigint generated always as identity primary key,
  name text not null unique,
  is_on boolean not null,
  note text not null default '',
  version integer not null default 1,
  updated_at timestamptz not null,
  updated_by uuid
);
select feed_changes_of('switches', 'id');

create table kept_answers (
  caller text not null,
  key text not null,
  fingerprint bytea not null,
  status integer not null,
  headers jsonb not null,
  body jsonb,
  created_at timestamptz not null,
  primary key (caller, key)
);
create index kept_answers_created_at_idx on kept_answers (created_at);

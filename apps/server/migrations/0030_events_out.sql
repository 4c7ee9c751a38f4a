-- Published events: cursors per source, batches of auctions in the order of their transactions, webhooks.

alter table outbox_cursors add column source text not null default 'outbox';
alter table outbox_cursors drop constraint outbox_cursors_pkey;
alter table outbox_cursors add primary key (sink, source);

-- Each auction names its batch, like an event: the cursor over auctions.
create sequence auction_batch_ids;
create table auction_batches (
  id bigint primary key,
  xid xid8 not null default pg_current_xact_id(),
  auctions integer not null,
  decided_days date[] not null,
  written_at timestamptz not null default now()
);
create index auction_batches_xid_id_idx on auction_batches (xid, id);
alter table auctions add column batch_id bigint;
create index auctions_batch_id_idx on auctions using brin (batch_id) with (autosummarize = on);

-- Conversions come one by one, so each has its own position.
create sequence conversion_ids;
alter table conversions add column id bigint not null default nextval('conversion_ids');
alter table conversions add column xid xid8 not null default pg_current_xact_id();
create index conversions_xid_id_idx on conversions (xid, id);

create table webhook_endpoints (
  id bigint generated always as identity primary key,
  public_id uuid not null unique,
  version integer not null default 1,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  name text not null,
  url text not null,
  event_types text[] not null check (cardinality(event_types) between 1 and 50),
  is_active boolean not null default true,
  failing_since timestamptz,
  -- Why it was switched off automatically.
  rest_reason text,
  -- Sealed with ENCRYPTION_SECRET; shown once.
  sealed_secret text not null
);

create table webhook_deliveries (
  id bigint generated always as identity primary key,
  public_id uuid not null unique,
  webhook_endpoint_id bigint not null references webhook_endpoints (id) on delete cascade,
  event_id uuid not null,
  event_type text not null,
  subject text not null,
  -- The signed bytes.
  body text not null,
  status text not null default 'pending' check (status in ('pending', 'delivered', 'dead')),
  attempts integer not null default 0 check (attempts >= 0),
  due_at timestamptz not null,
  last_status integer,
  last_error text,
  occurred_at timestamptz not null,
  created_at timestamptz not null,
  finished_at timestamptz,
  unique (webhook_endpoint_id, event_id)
);
create index webhook_deliveries_pending_idx on webhook_deliveries (webhook_endpoint_id, id)
  where status = 'pending';
create index webhook_deliveries_dead_idx on webhook_deliveries (webhook_endpoint_id, id)
  where status = 'dead';
create index webhook_deliveries_finished_at_idx on webhook_deliveries (finished_at)
  where finished_at is not null;
create index webhook_deliveries_occurred_at_idx on webhook_deliveries (webhook_endpoint_id, occurred_at);

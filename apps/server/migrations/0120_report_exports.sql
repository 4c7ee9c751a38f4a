-- Files of long reports. A job writes each file, and another deletes it when it expires.
create table report_exports (
  id bigint generated always as identity primary key,
  public_id uuid not null unique,
  version integer not null default 1,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  account_id bigint not null references accounts (id),
  -- With its days, so that a relative period does not move while the job waits.
  question jsonb not null,
  format text not null check (format in ('csv', 'json')),
  recipient_id bigint references recipients (id) on delete set null,
  status text not null default 'waiting'
    check (status in ('waiting', 'running', 'ready', 'failed', 'expired')),
  attempts integer not null default 0,
  -- Rows written so far.
  row_count integer not null default 0,
  byte_count bigint not null default 0,
  is_cut boolean not null default false,
  failure text,
  finished_at timestamptz,
  expires_at timestamptz not null
);
create index report_exports_account_id_idx on report_exports (account_id, public_id);
create index report_exports_unfinished_idx on report_exports (account_id) where status in ('waiting', 'running');
create index report_exports_expires_at_idx on report_exports (expires_at);
create index report_exports_recipient_id_idx on report_exports (recipient_id) where recipient_id is not null;

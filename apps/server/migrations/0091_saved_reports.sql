-- Saved reports, with their schedule and recipient.
create table saved_reports (
  id bigint generated always as identity primary key,
  public_id uuid not null unique,
  version integer not null default 1,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  account_id bigint not null references accounts (id),
  name text not null,
  question jsonb not null,
  time_zone text not null default 'UTC',
  format text not null default 'csv' check (format in ('csv', 'json')),
  recipient_id bigint references recipients (id) on delete set null,
  every text check (every in ('day', 'week', 'month')),
  at_hour integer not null default 6 check (at_hour between 0 and 23),
  -- Set while it has a recipient and a schedule.
  next_due_at timestamptz,
  last_sent_at timestamptz,
  -- In a row.
  failures integer not null default 0,
  failure text
);
create index saved_reports_account_id_idx on saved_reports (account_id, public_id);
create index saved_reports_due_idx on saved_reports (next_due_at) where next_due_at is not null;
create index saved_reports_recipient_id_idx on saved_reports (recipient_id) where recipient_id is not null;

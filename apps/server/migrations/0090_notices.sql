-- Recipients, and the notices sent to them by mail or by a signed call.
create table recipients (
  id bigint generated always as identity primary key,
  public_id uuid not null unique,
  version integer not null default 1,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  account_id bigint not null references accounts (id),
  name text not null,
  mail_to text[] not null default '{}' check (cardinality(mail_to) <= 20),
  webhook_url text,
  topics text[] not null default '{}' check (cardinality(topics) <= 20),
  is_active boolean not null default true,
  -- Sealed with ENCRYPTION_SECRET; shown once.
  sealed_secret text not null,
  constraint recipients_way_check check (cardinality(mail_to) > 0 or webhook_url is not null)
);
create index recipients_account_id_idx on recipients (account_id, public_id);

create table notices (
  id bigint generated always as identity primary key,
  public_id uuid not null unique,
  account_id bigint not null references accounts (id),
  recipient_id bigint not null references recipients (id) on delete cascade,
  way text not null check (way in ('mail', 'webhook')),
  topic text not null,
  -- A recipient gets each key once.
  told_key text not null,
  subject text not null,
  words text not null,
  data jsonb not null default '{}',
  attachment_name text,
  -- Deleted once it is sent or has failed.
  attachment bytea,
  status text not null default 'waiting' check (status in ('waiting', 'sending', 'sent', 'failed')),
  attempts integer not null default 0 check (attempts >= 0),
  -- While sending: when its process counts as dead.
  due_at timestamptz not null,
  last_error text,
  created_at timestamptz not null,
  finished_at timestamptz,
  constraint notices_told_key unique (recipient_id, way, told_key)
);
create index notices_due_idx on notices (due_at, id) where status in ('waiting', 'sending');
create index notices_account_id_idx on notices (account_id, public_id);
create index notices_finished_at_idx on notices (finished_at) where finished_at is not null;

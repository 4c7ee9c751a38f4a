-- A recipient agrees before it gets notices: by a link in a mail, or by accepting the first call. Existing addresses
-- count as confirmed.

alter table recipients
  -- The confirmed addresses. A changed address is not confirmed.
  add column confirmed_mail text[] not null default '{}',
  add column confirmed_webhook text;
update recipients set confirmed_mail = mail_to, confirmed_webhook = webhook_url;

create table recipient_links (
  id           bigint generated always as identity primary key,
  account_id   bigint not null references accounts (id),
  -- Kept for a day without its recipient, because the account's limit counts it.
  recipient_id bigint references recipients (id) on delete set null,
  address      text not null,
  token_hash   bytea not null unique,
  created_at   timestamptz not null,
  expires_at   timestamptz not null,
  used_at      timestamptz
);
create index recipient_links_recipient_id_idx on recipient_links (recipient_id);
create index recipient_links_account_id_idx on recipient_links (account_id, created_at);
create index recipient_links_expires_at_idx on recipient_links (expires_at);

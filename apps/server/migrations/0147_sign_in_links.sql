-- Links sent by mail or given by an operator: an invitation, a forgotten password, a new e-mail address. Each works
-- once and for a short time. Only a hash is stored.

create table sign_in_links (
  id         bigint generated always as identity primary key,
  user_id    bigint not null references users (id) on delete cascade,
  kind       text not null check (kind in ('invitation', 'password', 'old-email', 'new-email')),
  token_hash bytea not null unique,
  -- For an e-mail change: the new address, and what its two links share.
  new_email  text,
  change_id  uuid,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  used_at    timestamptz,
  check ((kind in ('old-email', 'new-email')) = (new_email is not null and change_id is not null))
);
create index sign_in_links_user_id_idx on sign_in_links (user_id);
create index sign_in_links_expires_at_idx on sign_in_links (expires_at);

-- The console's refresh token is in a cookie that no script can read. A token records how it was issued, and is
-- accepted only that way. Older releases issue tokens in bodies, which is the default.

alter table refresh_tokens add column is_cookie boolean not null default false;
create index refresh_tokens_expires_at_idx on refresh_tokens (expires_at);

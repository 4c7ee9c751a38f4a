-- The console's refresh token lives in a cookie that no script reads: a token says which way it came,
-- and is taken back only that way. Older releases write tokens for bodies, as the default says.

alter table refresh_tokens add column is_cookie boolean not null default false;
create index refresh_tokens_expires_at_idx on refresh_tokens (expires_at);

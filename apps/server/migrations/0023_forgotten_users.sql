-- Users who asked to be forgotten. What an index finds is erased at once; impressions have none by user, so
-- that the rest is swept day by day. The key is a keyed hash, and goes when the sweep is over.
create table forgotten_users (
  user_key text primary key,
  asked_at timestamptz not null
);

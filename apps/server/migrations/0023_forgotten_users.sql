-- Users to erase. Rows with an index by user are erased at once. Impressions have none, so a sweep erases them day by
-- day. The key is a keyed hash, deleted when the sweep is done.
create table forgotten_users (
  user_key text primary key,
  asked_at timestamptz not null
);

-- Segments that publishers' servers report about their users. The key is a keyed hash; the id is stored nowhere.
create table user_segments (
  id bigint generated always as identity primary key,
  user_key text not null unique,
  segments text[] not null check (cardinality(segments) <= 64),
  updated_at timestamptz not null
);
create index user_segments_updated_at_idx on user_segments (updated_at, id);

select feed_changes_of('user_segments', 'id');

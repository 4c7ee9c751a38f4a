-- People's decisions about reviews and suspicious sessions, with reasons.
create table geo_decision (
  id bigint generated always as identity primary key,
  user_id text not null,
  about text not null check (about in ('review', 'session')),
  -- For a session: the block action decided on.
  block_action_id uuid,
  verdict text not null check (verdict in ('block', 'dismiss')),
  reason_code text not null,
  comment text,
  actor_type text not null,
  actor_id text not null,
  decided_at timestamptz not null,
  constraint geo_decision_session_check check ((about = 'session') = (block_action_id is not null))
);
create index geo_decision_user_idx on geo_decision (user_id, id);

-- A person may take a block back. Nodes learn of it by the time, as they learn of blocks.
alter table device_sessions add column unblocked_at timestamptz;
create index device_sessions_unblocked_at_idx on device_sessions (unblocked_at) where unblocked_at is not null;

alter table session_block_action drop constraint session_block_action_state_check;
alter table session_block_action add constraint session_block_action_state_check check (state in
  ('skipped_shadow', 'awaiting_review', 'requested', 'succeeded', 'failed', 'dismissed',
   'unblock_requested', 'unblocked', 'unblock_failed'));
drop index session_block_action_due_idx;
create index session_block_action_due_idx on session_block_action (available_at, id)
  where state in ('requested', 'unblock_requested');
create index session_block_action_updated_idx on session_block_action (updated_at)
  where state in ('succeeded', 'unblock_requested', 'unblock_failed', 'unblocked');

alter table geo_decision drop constraint geo_decision_verdict_check;
alter table geo_decision add constraint geo_decision_verdict_check
  check (verdict in ('block', 'dismiss', 'unblock'));

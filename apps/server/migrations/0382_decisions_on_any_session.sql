-- A decision on a session that was blocked or unblocked by hand: there is no block action it belongs to.
alter table geo_decision
  add column device_session_id uuid,
  drop constraint geo_decision_session_check,
  add constraint geo_decision_session_check
    check ((about = 'session') = (block_action_id is not null or device_session_id is not null));

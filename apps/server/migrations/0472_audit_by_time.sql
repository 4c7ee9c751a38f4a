-- The audit log is read by days.
create index audit_log_occurred_at_idx on audit_log (occurred_at, public_id);

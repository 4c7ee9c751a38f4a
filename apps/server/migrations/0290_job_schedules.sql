-- When a job runs on schedule. The node that moves `last_due_at` to a due minute orders that run, so each minute is
-- ordered once with any queue.
create table job_schedules (
  job         text primary key,
  cron        text not null,
  payload     jsonb not null,
  last_due_at timestamptz not null
);

-- The check-list of a new platform: one row. What is done is read from the other tables.

create table first_steps (
  only_one boolean primary key default true check (only_one),
  put_aside_at timestamptz,
  -- The last test mail: its id, when it was asked for, and what the mail server said.
  mail_id uuid,
  mail_asked_at timestamptz,
  mail_accepted_at timestamptz,
  mail_failure text
);

insert into first_steps default values;

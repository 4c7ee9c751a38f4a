-- A zone that this PostgreSQL does not know is read as UTC, so that one row never makes a statement over
-- the rows of all accounts fail. Names are checked where they are given; another PostgreSQL may lack one.
create function zone_or_utc(zone text) returns text language plpgsql stable as $$
begin
  perform timestamptz 'epoch' at time zone zone;
  return coalesce(zone, 'UTC');
exception when others then
  return 'UTC';
end $$;

-- The question of a saved report has a zone of its own, which the mending of zones did not reach.
with legacy (old, new) as (values
  ('ACT', 'Australia/Darwin'), ('AET', 'Australia/Sydney'), ('AGT', 'America/Argentina/Buenos_Aires'),
  ('ART', 'Africa/Cairo'), ('AST', 'America/Anchorage'), ('BET', 'America/Sao_Paulo'),
  ('BST', 'Asia/Dhaka'), ('CAT', 'Africa/Harare'), ('CET', 'Europe/Brussels'),
  ('CNT', 'America/St_Johns'), ('CST', 'America/Chicago'), ('CTT', 'Asia/Shanghai'),
  ('EAT', 'Africa/Addis_Ababa'), ('ECT', 'Europe/Paris'), ('EET', 'Europe/Athens'),
  ('IET', 'America/Indiana/Indianapolis'), ('IST', 'Asia/Kolkata'), ('JST', 'Asia/Tokyo'),
  ('MET', 'Europe/Brussels'), ('MIT', 'Pacific/Apia'), ('NET', 'Asia/Yerevan'),
  ('NST', 'Pacific/Auckland'), ('PLT', 'Asia/Karachi'), ('PNT', 'America/Phoenix'),
  ('PRT', 'America/Puerto_Rico'), ('PST', 'America/Los_Angeles'), ('SST', 'Pacific/Guadalcanal'),
  ('US/Pacific-New', 'America/Los_Angeles'), ('VST', 'Asia/Ho_Chi_Minh'), ('WET', 'Europe/Lisbon')
), wrong as (
  select r.id, r.question ->> 'timeZone' as zone, coalesce(l.new, 'UTC') as mended
    from saved_reports r left join legacy l on l.old in (upper(r.question ->> 'timeZone'), r.question ->> 'timeZone')
   where r.question ? 'timeZone'
     and (l.old is not null
       or not exists (select 1 from pg_timezone_names n
                       where lower(n.name) = lower(r.question ->> 'timeZone')))
), brought as (
  update saved_reports r
     set question = jsonb_set(r.question, '{timeZone}', to_jsonb(w.mended)),
         version = r.version + 1, updated_at = now()
    from wrong w where r.id = w.id
  returning r.account_id, r.public_id, w.zone, w.mended
)
insert into audit_log (public_id, occurred_at, account_id, actor_kind, actor_name, action,
                       entity, entity_id, before, after)
select gen_random_uuid(), now(), account_id, 'system', 'upgrade', 'update', 'saved_report',
       public_id::text, jsonb_build_object('question', jsonb_build_object('timeZone', zone)),
       jsonb_build_object('question', jsonb_build_object('timeZone', mended))
  from brought;

-- A time zone must be known to PostgreSQL and the program alike. Old names known only to the program become their
-- zones, any other name becomes UTC, with an audit entry.
create function mend_zone(target regclass, field text, wire_name text) returns void language plpgsql as $$
begin
  execute format(
    'with legacy (old, new) as (values
    (''ACT'', ''Australia/Darwin''),
    (''AET'', ''Australia/Sydney''),
    (''AGT'', ''America/Argentina/Buenos_Aires''),
    (''ART'', ''Africa/Cairo''),
    (''AST'', ''America/Anchorage''),
    (''BET'', ''America/Sao_Paulo''),
    (''BST'', ''Asia/Dhaka''),
    (''CAT'', ''Africa/Harare''),
    (''CET'', ''Europe/Brussels''),
    (''CNT'', ''America/St_Johns''),
    (''CST'', ''America/Chicago''),
    (''CTT'', ''Asia/Shanghai''),
    (''EAT'', ''Africa/Addis_Ababa''),
    (''ECT'', ''Europe/Paris''),
    (''EET'', ''Europe/Athens''),
    (''IET'', ''America/Indiana/Indianapolis''),
    (''IST'', ''Asia/Kolkata''),
    (''JST'', ''Asia/Tokyo''),
    (''MET'', ''Europe/Brussels''),
    (''MIT'', ''Pacific/Apia''),
    (''NET'', ''Asia/Yerevan''),
    (''NST'', ''Pacific/Auckland''),
    (''PLT'', ''Asia/Karachi''),
    (''PNT'', ''America/Phoenix''),
    (''PRT'', ''America/Puerto_Rico''),
    (''PST'', ''America/Los_Angeles''),
    (''SST'', ''Pacific/Guadalcanal''),
    (''US/Pacific-New'', ''America/Los_Angeles''),
    (''VST'', ''Asia/Ho_Chi_Minh''),
    (''WET'', ''Europe/Lisbon'')
     ), wrong as (
       select t.id, t.%2$I as zone, coalesce(l.new, ''UTC'') as mended
         from %1$s t left join legacy l on l.old = upper(t.%2$I) or l.old = t.%2$I
        where l.old is not null
           or not exists (select 1 from pg_timezone_names n where lower(n.name) = lower(t.%2$I))
     ), brought as (
       update %1$s t set %2$I = w.mended, version = t.version + 1, updated_at = now()
         from wrong w where t.id = w.id
       returning t.account_id, t.public_id, w.zone, w.mended
     )
     insert into audit_log (public_id, occurred_at, account_id, actor_kind, actor_name, action,
                            entity, entity_id, before, after)
     select gen_random_uuid(), now(), account_id, ''system'', ''upgrade'', ''update'',
            %3$L, public_id::text, jsonb_build_object(%4$L, zone), jsonb_build_object(%4$L, mended)
       from brought',
    target, field, rtrim(target::text, 's'), wire_name);
end $$;

select mend_zone('advertisers', 'time_zone', 'timeZone');
select mend_zone('publishers', 'time_zone', 'timeZone');
select mend_zone('placements', 'time_zone', 'timeZone');
select mend_zone('banners', 'schedule_timezone', 'scheduleTimezone');
select mend_zone('saved_reports', 'time_zone', 'timeZone');

drop function mend_zone(regclass, text, text);

-- The same user id at two publishers is two readers: what is stored of a reader is stored under a key of the
-- publisher. Old keys become new ones by the publisher whose placement the row is about; rows without one belong to
-- the platform's first publisher, like requests without one. Takes about a minute for ten million stored events.

-- What is known of a reader: the publisher's account, and the last purchase that an ad was credited for.
alter table user_segments
  add column account_id bigint references accounts (id),
  add column purchased_at timestamptz;
create index user_segments_purchased_at_idx on user_segments (purchased_at) where purchased_at is not null;

create temp table publisher_of (placement_id bigint primary key, account_id bigint not null) on commit drop;
insert into publisher_of
  select p.id, u.account_id from placements p join publishers u on u.id = p.publisher_id;
create temp table first_publisher on commit drop as
  select account_id from publishers order by deleted_at is not null, id limit 1;

create function pg_temp.publisher_at(placement bigint) returns bigint language sql stable as $$
  select coalesce((select account_id from publisher_of where placement_id = placement),
                  (select account_id from first_publisher))
$$;
create function pg_temp.reader_of(account_id bigint, user_key text) returns text language sql immutable strict as $$
  select left(translate(encode(sha256(convert_to(account_id || ' ' || user_key, 'UTF8')), 'base64'), '+/', '-_'), 22)
$$;

-- Who was seen at which publishers, under the old keys.
create temp table seen_at on commit drop as
  select distinct user_key, pg_temp.publisher_at(placement_id) as account_id
    from (select user_key, placement_id from auctions where user_key is not null
          union select user_key, placement_id from impressions where user_key is not null) seen;
create index on seen_at (user_key);
analyze seen_at;

-- Segments stay with the only publisher that has seen the reader, or that there is. Where several have, nobody
-- knows who said so: each says it again.
update user_segments s
   set account_id = owner.account_id,
       user_key = coalesce(pg_temp.reader_of(owner.account_id, s.user_key), s.user_key),
       segments = case when owner.account_id is null then '{}' else s.segments end
  from (select s.id, coalesce(seen.account_id, sole.account_id) as account_id
          from user_segments s
          left join (select user_key, min(account_id) as account_id, count(*) as publishers
                       from seen_at group by user_key) seen using (user_key)
          left join (select min(account_id) as account_id from publishers
                      having count(distinct account_id) = 1) sole on true
         where coalesce(seen.publishers, 1) = 1) owner
 where owner.id = s.id;
update user_segments set segments = '{}' where account_id is null;

-- A cap counts on at each publisher where the reader was seen: nobody sees more than before.
with old as (delete from frequency_counts returning *)
insert into frequency_counts (user_key, scope, target_id, "window", window_start, impressions)
  select pg_temp.reader_of(seen_at.account_id, user_key), scope, target_id, "window", window_start, impressions
    from old join seen_at using (user_key);

-- Who is being forgotten is forgotten under every key.
insert into forgotten_users (user_key, asked_at)
  select pg_temp.reader_of(p.account_id, user_key), asked_at
    from forgotten_users cross join (select distinct account_id from publishers) p
  on conflict do nothing;

update auctions set user_key = pg_temp.reader_of(pg_temp.publisher_at(placement_id), user_key)
 where user_key is not null;
update impressions set user_key = pg_temp.reader_of(pg_temp.publisher_at(placement_id), user_key)
 where user_key is not null;
update views set user_key = pg_temp.reader_of(pg_temp.publisher_at(placement_id), user_key)
 where user_key is not null;
update clicks set user_key = pg_temp.reader_of(pg_temp.publisher_at(placement_id), user_key)
 where user_key is not null;
update conversions c
   set user_key = pg_temp.reader_of(pg_temp.publisher_at(
         (select placement_id from conversion_credits where conversion_id = c.event_id order by place limit 1)), user_key)
 where user_key is not null;

-- Purchases that raise click rates from now on.
insert into user_segments as known (user_key, account_id, segments, purchased_at, updated_at)
  select distinct on (c.user_key) c.user_key, pg_temp.publisher_at(t.placement_id), '{}', c.occurred_at, c.occurred_at
    from conversions c join conversion_credits t on t.conversion_id = c.event_id and t.place = 0
   where c.kind = 'purchase' and c.label = 'valid' and c.user_key is not null
     and c.occurred_at > now() - interval '14 days'
   order by c.user_key, c.occurred_at desc
  on conflict (user_key) do update set purchased_at = excluded.purchased_at;

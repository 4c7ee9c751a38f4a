-- When a publisher saw a reader first: until a while after that, the reader is a new visitor.
create table first_visits (
  user_key text primary key,
  account_id bigint not null references accounts (id),
  first_at timestamptz not null,
  -- The day of a late visit, renewed once a week: readers who stay away for long are forgotten.
  seen_on date not null
) with (fillfactor = 90);
create index first_visits_seen_on_idx on first_visits (seen_on, user_key);

-- Readers of the records are no newcomers.
insert into first_visits (user_key, account_id, first_at, seen_on)
  select user_key, account_id, min(auction_time), max(decided_on)
    from (select coalesce(u.account_id, f.account_id) as account_id, a.user_key, a.auction_time, a.decided_on
            from auctions a
           cross join (select account_id from publishers order by deleted_at is not null, id limit 1) f
            left join (placements p join publishers u on u.id = p.publisher_id) on p.id = a.placement_id
           where a.user_key is not null) seen
   group by account_id, user_key;

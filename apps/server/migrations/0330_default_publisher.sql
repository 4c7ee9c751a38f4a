-- Ad requests that name a placement type only stand for one publisher: the caller's, the one they name,
-- or this one. The first made, until ad operations choose another.

alter table publishers add column is_default boolean not null default false;
create unique index publishers_default_key on publishers (is_default)
  where is_default and deleted_at is null;

update publishers set is_default = true, version = version + 1
 where id = (select min(p.id) from publishers p join accounts a on a.id = p.account_id
              where p.deleted_at is null and a.deleted_at is null);

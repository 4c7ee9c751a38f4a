-- Fields that decide price or priority belong to the seller.

create table proposals (
  id bigint generated always as identity primary key,
  public_id uuid not null unique,
  version integer not null default 1,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  account_id bigint not null references accounts,
  entity text not null,
  entity_id uuid not null,
  entity_name text not null,
  changes jsonb not null,
  status text not null default 'pending'
    check (status in ('pending', 'accepted', 'declined', 'withdrawn')),
  proposed_by text not null,
  decided_by text,
  decided_at timestamptz,
  reason text
);
create unique index proposals_pending_key on proposals (entity_id) where status = 'pending';
create index proposals_account_id_idx on proposals (account_id, public_id);
create index proposals_status_idx on proposals (status, public_id);

-- One house of the platform, and one of each publisher.
alter table advertisers add column house_publisher_id bigint references publishers;
alter table advertisers add check (house_publisher_id is null or is_house);
drop index advertisers_one_house_key;
create unique index advertisers_one_house_key on advertisers (is_house)
  where is_house and house_publisher_id is null;
create unique index advertisers_house_publisher_key on advertisers (house_publisher_id)
  where house_publisher_id is not null;

alter table campaigns alter column source set default 'sponsored';
alter table banners alter column source set default 'sponsored';

-- Rows that broke the rule are changed with an audit entry: a buyer's free campaign pauses until ad operations give
-- it a price, and a buyer's banner no longer fills unsold slots.
create temporary table set_aside on commit drop as
  select 'campaign' as entity, c.public_id, c.account_id,
         jsonb_build_object('source', c.source, 'status', c.status) as before,
         jsonb_build_object('source', 'sponsored', 'status',
           case when c.status in ('active', 'scheduled') and c.max_bid_micros = 0
                then 'paused' else c.status end) as after
    from campaigns c join advertisers v on v.id = c.advertiser_id
   where c.source in ('internal', 'system') and not v.is_house
  union all
  select 'banner', b.public_id, b.account_id,
         jsonb_build_object('source', b.source, 'isEvergreenFallback', b.is_evergreen_fallback),
         jsonb_build_object('source', case when b.source in ('internal', 'system') then 'sponsored'
                                           else b.source end, 'isEvergreenFallback', false)
    from banners b join advertisers v on v.id = b.advertiser_id
   where (b.source in ('internal', 'system') or b.is_evergreen_fallback) and not v.is_house;

update campaigns c set source = 'sponsored', status = s.after ->> 'status', version = version + 1
  from set_aside s where s.entity = 'campaign' and s.public_id = c.public_id;
update banners b set source = s.after ->> 'source', is_evergreen_fallback = false, version = version + 1
  from set_aside s where s.entity = 'banner' and s.public_id = b.public_id;

insert into audit_log (public_id, account_id, occurred_at, actor_kind, actor_id, actor_name, action,
                       entity, entity_id, before, after, request_id)
  select gen_random_uuid(), account_id, now(), 'system', null, 'Upgrade of Placard',
         entity || '.set-aside', entity, public_id::text, before, after, 'migration 0125'
    from set_aside;

-- API keys of the platform that managed campaigns may still write these fields.
update api_keys k set scopes = k.scopes || '{proposals:read,proposals:write}'::text[]
  from accounts a
 where a.id = k.account_id and a.kind = 'platform' and 'campaigns:write' = any (k.scopes);

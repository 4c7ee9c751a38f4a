-- No amount from a request exceeds 999999999999999 micros: the decision engine computes in doubles, and a thousand
-- bids must add up in a bigint. Larger amounts are lowered to the bound with an audit entry, and their versions rise,
-- so that an open edit is refused.
create function bring_to_bound(target regclass, field text) returns void language plpgsql as $$
begin
  execute format(
    'with beyond as (
       select id, %2$I as amount from %1$s where %2$I > 999999999999999 for update
     ), brought as (
       update %1$s t set %2$I = 999999999999999, version = t.version + 1, updated_at = now()
         from beyond b where t.id = b.id
       returning t.account_id, t.public_id, b.amount
     )
     insert into audit_log (public_id, occurred_at, account_id, actor_kind, actor_name, action,
                            entity, entity_id, before, after)
     select gen_random_uuid(), now(), account_id, ''system'', ''upgrade'', ''update'',
            %3$L, public_id::text, jsonb_build_object(%4$L, amount::text),
            jsonb_build_object(%4$L, ''999999999999999'')
       from brought',
    target, field, rtrim(target::text, 's'),
    lower(left(replace(initcap(replace(field, '_', ' ')), ' ', ''), 1))
      || substr(replace(initcap(replace(field, '_', ' ')), ' ', ''), 2));
end $$;

select bring_to_bound('advertisers', 'budget_daily_micros');
select bring_to_bound('campaigns', 'budget_daily_micros');
select bring_to_bound('campaigns', 'budget_total_micros');
select bring_to_bound('campaigns', 'max_bid_micros');
select bring_to_bound('ads', 'bid_micros');
select bring_to_bound('placements', 'floor_micros');

drop function bring_to_bound(regclass, text);

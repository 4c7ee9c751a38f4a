-- A campaign that has delivered its booked impressions stops on every node, because reaching a cap changes the
-- campaign. Few campaigns are capped, so the index is nearly empty.

create index campaigns_capped_idx on campaigns (id)
  where impression_cap is not null or click_cap is not null;

create function record_reached_caps() returns trigger language plpgsql as $$
begin
  insert into changes (entity, entity_id, operation)
  select 'campaigns', c.id, 'update'
    from totals_after a
    join totals_before b on b.campaign_id = a.campaign_id
    join campaigns c on c.id = a.campaign_id
   where (c.impression_cap is not null or c.click_cap is not null)
     and ((a.impressions >= c.impression_cap and b.impressions < c.impression_cap)
          or (a.clicks >= c.click_cap and b.clicks < c.click_cap));
  if found then perform pg_notify('placard_changes', ''); end if;
  return null;
end
$$;

create trigger feed_reached_caps after update on campaign_totals
  referencing old table as totals_before new table as totals_after
  for each statement execute function record_reached_caps();

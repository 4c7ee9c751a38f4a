-- Whether each running campaign delivers, and why not. Nodes write it every few seconds.
create table campaign_delivery (
  campaign_id bigint primary key references campaigns (id) on delete cascade,
  state text not null check (state in ('delivering', 'limited', 'not-delivering')),
  code text check (length(code) <= 50),
  text text not null check (length(text) <= 500),
  checked_at timestamptz not null
);

create index campaign_delivery_state_idx on campaign_delivery (state, campaign_id);

-- Which node checks the campaigns. Another takes over when its time is up.
create table delivery_checker (
  id smallint primary key default 1 check (id = 1),
  node text not null check (length(node) <= 200),
  until timestamptz not null
);

-- The last requests of a placement, among those of all others.
create index auctions_placement_id_auction_time_idx on auctions (placement_id, auction_time)
  where placement_id is not null;

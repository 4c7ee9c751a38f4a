-- Decisions for other ad servers' clients, through doors. Their records name the door and the client's limits.

alter table auctions drop constraint auctions_kind_check;
alter table auctions add constraint auctions_kind_check
  check (kind in ('slug', 'auction', 'page', 'openrtb', 'vast', 'kevel', 'topsort'));
-- What the client requested beyond its placement: limits, deals, supply chain.
alter table auctions add column asked jsonb;

-- The advertiser's domain for exchanges. Null: the host of each banner's landing page.
alter table advertisers add column domain text;

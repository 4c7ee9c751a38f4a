-- Decisions that clients of other makers ask for, through doors: their records name the door and keep what the
-- client limited.

alter table auctions drop constraint auctions_kind_check;
alter table auctions add constraint auctions_kind_check
  check (kind in ('slug', 'auction', 'page', 'openrtb', 'vast', 'kevel', 'topsort'));
-- What the client asked for beyond its placement: limits, deals, supply chain.
alter table auctions add column asked jsonb;

-- Under which domain exchanges know the advertiser; null: the host of each banner's landing page.
alter table advertisers add column domain text;

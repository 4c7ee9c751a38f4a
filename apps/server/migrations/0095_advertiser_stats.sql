-- Sums by advertiser and UTC day, for the totals of long reports.
create table advertiser_stats (
  label text not null,
  day date not null,
  advertiser_id bigint not null,
  currency text not null,
  impressions bigint not null default 0,
  views bigint not null default 0,
  clicks bigint not null default 0,
  over_delivered bigint not null default 0,
  charged_millis bigint not null default 0,
  content_views numeric not null default 0,
  add_to_carts numeric not null default 0,
  checkouts numeric not null default 0,
  purchases numeric not null default 0,
  revenue numeric not null default 0,
  primary key (label, day, advertiser_id, currency)
) with (fillfactor = 70);

insert into advertiser_stats
select label, day, advertiser_id, currency, sum(impressions), sum(views), sum(clicks), sum(over_delivered),
       sum(charged_millis), sum(content_views), sum(add_to_carts), sum(checkouts), sum(purchases), sum(revenue)
  from campaign_stats
 group by label, day, advertiser_id, currency;

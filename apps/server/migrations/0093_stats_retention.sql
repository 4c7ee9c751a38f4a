-- Finds old rows without a scan.
create index ad_stats_raw_fetched_at_idx on ad_stats_raw using brin (fetched_at);
create index delivery_stats_bucket_idx on delivery_stats using brin (bucket);

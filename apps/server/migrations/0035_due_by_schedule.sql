-- Rows due by their dates are searched every minute, through this index by date.
create index banners_publish_due_idx on banners (publish_at)
  where schedule_status = 'scheduled' and deleted_at is null;
create index banners_expire_due_idx on banners (expires_at)
  where schedule_status in ('scheduled', 'active') and deleted_at is null;
create index campaigns_start_due_idx on campaigns (starts_at) where status = 'scheduled';
create index campaigns_end_due_idx on campaigns (ends_at)
  where status in ('scheduled', 'active', 'paused');

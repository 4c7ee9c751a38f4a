-- Whoever looks at the pages of a site is told when they change.
select feed_changes_of('pages', 'site_id');

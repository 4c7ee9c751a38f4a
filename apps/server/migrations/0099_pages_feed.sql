-- Reports changed pages of a site to open console pages.
select feed_changes_of('pages', 'site_id');

-- Every observation updates a row of each table. Free space on the page keeps the new version there, so no index is
-- written.
alter table user_review_state set (fillfactor = 70);
alter table device_session_profile set (fillfactor = 70);
alter table device_session_country_score set (fillfactor = 60);

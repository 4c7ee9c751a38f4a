-- Every observation changes a row of each. With room beside it the new version stays on its page and no index is written.
alter table user_review_state set (fillfactor = 70);
alter table device_session_profile set (fillfactor = 70);
alter table device_session_country_score set (fillfactor = 60);

-- When the User Service is asked about a user again who had no country, was unknown, or got no answer.
alter table user_review_state add column declared_country_ask_at timestamptz;
create index user_review_state_ask_idx on user_review_state (declared_country_ask_at nulls first, user_id)
  where declared_country is null;

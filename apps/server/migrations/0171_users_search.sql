-- Users are found by words, or their beginnings, of name, e-mail and id.
alter table users add column search_text text not null generated always as (
  display_name || ' ' || translate(email, '@.-_+', '     ') || ' ' || translate(public_id::text, '-', ' ')
) stored;
create index users_search_idx on users using gin (to_tsvector('simple', search_text));

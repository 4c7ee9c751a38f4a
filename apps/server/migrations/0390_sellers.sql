-- ads.txt and sellers.json: who may sell a site's space.

alter table publishers
  -- The business domain: OWNERDOMAIN in ads.txt, domain in sellers.json.
  add column domain text,
  -- Left out of sellers.json by name and domain.
  add column is_confidential boolean not null default false;

alter table sites
  -- Lines of ads.txt beside the platform's own: other sellers of the site.
  add column ads_txt_lines text[] not null default '{}';

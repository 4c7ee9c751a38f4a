import type { Scratch } from '../scratch.ts'

export interface FilledSite {
  readonly id: bigint
  readonly publicId: string
}

/** A site with a slot, pages about twelve themes, and campaigns that target them, written by SQL. */
export async function fillSite(
  { pool }: Scratch,
  { pages, campaigns }: { pages: number; campaigns: number },
): Promise<FilledSite> {
  await pool.query(ROWS)
  await pool.query(CAMPAIGNS, [campaigns])
  await pool.query(PAGES, [pages])
  await pool.query(CATEGORIES)
  const { rows } = await pool.query('select id, public_id from sites')
  return { id: BigInt(rows[0].id as string), publicId: rows[0].public_id as string }
}

const THEMES = `(array['210','483','653','274','596','552','223','391','422','1','42','239'])`
const MADE = `now(), now()`

const ROWS = `
  with a as (insert into accounts (public_id, kind, name, created_at, updated_at)
    values (gen_random_uuid(), 'publisher', 'Bench', ${MADE}) returning id),
  p as (insert into publishers (public_id, account_id, name, currency, created_at, updated_at)
    select gen_random_uuid(), id, 'Bench', 'EUR', ${MADE} from a returning id, account_id),
  s as (insert into sites (public_id, account_id, publisher_id, name, domain, domain_proven_at, domain_proven_by, approval_required, crawl_page_limit, created_at, updated_at)
    select gen_random_uuid(), account_id, id, 'Bench', 'bench.example', now(), 'operator', false, 100000, ${MADE} from p returning id, account_id),
  l as (insert into placements (public_id, account_id, publisher_id, slug, label, layout_type, mode, created_at, updated_at)
    select gen_random_uuid(), account_id, id, 'bench-side', 'Side', 'full_static', 'auction', ${MADE} from p returning id)
  insert into slots (public_id, account_id, site_id, placement_id, name, width, height, created_at, updated_at)
  select gen_random_uuid(), s.account_id, s.id, l.id, 'Side', 300, 250, ${MADE} from s, l`

const CAMPAIGNS = `
  with b as (insert into accounts (public_id, kind, name, created_at, updated_at)
    values (gen_random_uuid(), 'advertiser', 'Buyer', ${MADE}) returning id),
  v as (insert into advertisers (public_id, account_id, name, currency, created_at, updated_at)
    select gen_random_uuid(), id, 'Buyer', 'EUR', ${MADE} from b returning id, account_id),
  c as (insert into campaigns (public_id, account_id, advertiser_id, name, status, source, categories, created_at, updated_at)
    select gen_random_uuid(), v.account_id, v.id, 'Campaign ' || n, 'active', 'sponsored',
           array[${THEMES}[1 + n % 12]], ${MADE} from v, generate_series(1, $1::integer) n returning id, account_id, advertiser_id),
  e as (insert into ad_sets (public_id, account_id, campaign_id, name, created_at, updated_at)
    select gen_random_uuid(), account_id, id, 'All', ${MADE} from c returning id, campaign_id),
  n as (insert into banners (public_id, account_id, advertiser_id, title, primary_image_url, created_at, updated_at)
    select gen_random_uuid(), account_id, advertiser_id, 'Banner ' || id, 'https://cdn.example/x.png', ${MADE} from c returning id, title),
  l as (insert into campaign_placements (campaign_id, placement_id, created_at)
    select c.id, p.id, now() from c, placements p)
  insert into ads (public_id, account_id, campaign_id, ad_set_id, banner_id, name, bid_micros, created_at, updated_at)
  select gen_random_uuid(), c.account_id, c.id, e.id, n.id, 'Ad', 1000000 + (c.id * 7919) % 3000000, ${MADE}
    from c join e on e.campaign_id = c.id join n on n.title = 'Banner ' || c.id`

const PAGES = `
  insert into pages (public_id, account_id, site_id, url, state, classified_at, classifier, created_at, updated_at)
  select gen_random_uuid(), account_id, id, 'https://bench.example/' || n, 'read', now(), 'bench', ${MADE}
    from sites, generate_series(1, $1::integer) n`

const CATEGORIES = `
  insert into page_categories (page_id, category_id, confidence)
  select id, ${THEMES}[1 + id % 12], 0.8 from pages
  union all select id, ${THEMES}[1 + (id + 5) % 12], 0.2 from pages`

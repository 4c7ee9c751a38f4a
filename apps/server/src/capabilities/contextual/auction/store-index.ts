import type { Row } from '../../../platform/database/row.ts'
import { sql } from 'drizzle-orm'
import type { Database } from '../../../platform/database/connect.ts'
import type { Candidates } from './auction.ts'
import type { IndexedPage } from '../serving/serve-memory.ts'

/** A page to auction, with its previous candidates. */
export interface AuctionedPage {
  readonly pageKey: number
  readonly url: string
  readonly classifiedAtMs: number
  readonly categories: readonly { readonly categoryId: string; readonly confidence: number }[]
  readonly previous: Candidates | null
}

interface PageRange {
  readonly siteId: bigint
  readonly after: number
  readonly limit: number
  readonly freshSince: Date
  /** Only pages of some campaigns. */
  readonly of?: CampaignPages | undefined
}

/** Pages with candidates of the campaigns, pages where they could be, and pages with a gap. */
export interface CampaignPages {
  readonly campaigns: readonly number[]
  readonly categoryIds: readonly string[]
}

const isOf = ({ campaigns, categoryIds }: CampaignPages) => sql`(
  coalesce(i.has_lost, false)
  or exists (select 1 from page_categories c
              where c.page_id = p.id and c.category_id = any(${sql.param([...categoryIds])}::text[]))
  or exists (select 1 from jsonb_path_query(i.candidates, '$.*[*].campaignKey') k
              where k::text::float8 = any(${sql.param([...campaigns])}::float8[])))`

export async function listAuctionable(
  db: Database,
  { siteId, after, limit, freshSince, of }: PageRange,
): Promise<readonly AuctionedPage[]> {
  const { rows } = await db.execute<Row<AuctionedPage>>(sql`
    select p.id::float8 as "pageKey", p.url,
           extract(epoch from coalesce(p.classified_at, p.corrected_at))::float8 * 1000 as "classifiedAtMs",
           (select jsonb_agg(jsonb_build_object('categoryId', c.category_id, 'confidence', c.confidence))
              from page_categories c where c.page_id = p.id) as categories,
           i.candidates as previous
      from pages p left join serve_index i on i.page_id = p.id
     where p.site_id = ${siteId} and p.id > ${after} and p.state in ('read', 'waiting', 'failed')
       and (p.classified_at >= ${freshSince.toISOString()}::timestamptz or p.corrected_at is not null)
       and exists (select 1 from page_categories c where c.page_id = p.id)
       and ${of === undefined ? sql`true` : isOf(of)}
     order by p.id limit ${limit}`)
  return rows
}

export interface IndexEntry {
  readonly pageKey: number
  readonly url: string
  readonly classifiedAtMs: number
  /** With their parents, and the confidence of each. */
  readonly categories: ReadonlyMap<string, number>
  readonly candidates: Candidates
}

const VERSIONS_LOCK = 7_145_061

/**
 * Commits versions in order; otherwise a node that has read a later one would miss an earlier one.
 */
const inOrder = <Result>(db: Database, write: (db: Database) => Promise<Result>) =>
  db.transaction(async (db) => {
    await db.execute(sql`select pg_advisory_xact_lock(${VERSIONS_LOCK})`)
    return write(db)
  })

/** Writes entries that changed or expire soon. Returns how many were written. */
export const saveEntries = (db: Database, entries: readonly IndexEntry[], terms: EntryTerms) =>
  entries.length === 0 ? 0 : inOrder(db, (db) => writeEntries(db, entries, terms))

interface EntryTerms {
  readonly siteId: bigint
  readonly now: Date
  readonly lifeMs: number
}

async function writeEntries(
  db: Database,
  entries: readonly IndexEntry[],
  { siteId, now, lifeMs }: EntryTerms,
): Promise<number> {
  const at = now.toISOString()
  const until = new Date(now.getTime() + lifeMs).toISOString()
  const soon = new Date(now.getTime() + lifeMs / 2).toISOString()
  const { rowCount } = await db.execute(sql`
    insert into serve_index (page_id, site_id, url, classified_at, auctioned_at, expires_at, categories, candidates)
    select e.page_id, ${siteId}, e.url, to_timestamp(e.classified_ms / 1000), ${at}::timestamptz, ${until}::timestamptz, e.categories, e.candidates
      from unnest(${sql.param(entries.map(({ pageKey }) => pageKey))}::bigint[], ${sql.param(entries.map(({ url }) => url))}::text[],
                  ${sql.param(entries.map(({ classifiedAtMs }) => classifiedAtMs))}::float8[],
                  ${sql.param(entries.map(({ categories }) => JSON.stringify(Object.fromEntries(categories))))}::jsonb[],
                  ${sql.param(entries.map(({ candidates }) => JSON.stringify(candidates)))}::jsonb[])
           as e (page_id, url, classified_ms, categories, candidates)
    on conflict (page_id) do update
       set version = nextval('serve_index_versions'), url = excluded.url, classified_at = excluded.classified_at,
           auctioned_at = excluded.auctioned_at, expires_at = excluded.expires_at,
           categories = excluded.categories, candidates = excluded.candidates,
           has_lost = false
     where serve_index.has_lost or serve_index.candidates <> excluded.candidates
        or serve_index.categories <> excluded.categories or serve_index.expires_at < ${soon}::timestamptz
        or serve_index.classified_at <> excluded.classified_at`)
  return rowCount ?? 0
}

interface Touching {
  /** Default: every site. */
  readonly siteIds?: readonly number[] | undefined
  readonly campaignKey?: number | undefined
  readonly bannerKey?: number | undefined
  readonly adProductAds?: readonly number[] | undefined
}

/** Candidates that the change affects, as a condition on `x`. */
const isTouched = ({ campaignKey, bannerKey, adProductAds }: Touching) => sql`(
  ${campaignKey === undefined ? sql`true` : sql`(x->>'campaignKey')::float8 = ${campaignKey}`}
  and ${bannerKey === undefined ? sql`true` : sql`(x->>'bannerKey')::float8 = ${bannerKey}`}
  and ${adProductAds === undefined ? sql`true` : sql`(x->>'adKey')::float8 = any(${sql.param([...adProductAds])}::float8[])`})`

const onSites = ({ siteIds }: Touching) =>
  siteIds === undefined ? sql`true` : sql`i.site_id = any(${sql.param([...siteIds])}::bigint[])`

interface Rewriting {
  readonly element?: ReturnType<typeof sql>
  /** Which candidates to keep. Default: all. */
  readonly filter?: ReturnType<typeof sql>
}

/** Rewrites the lists of entries that hold an affected candidate. */
const rewrite = (db: Database, touching: Touching, rewriting: Rewriting) =>
  inOrder(db, (db) => rewriteLists(db, touching, rewriting))

async function rewriteLists(
  db: Database,
  touching: Touching,
  { element = sql`x`, filter }: Rewriting,
): Promise<void> {
  await db.execute(sql`
    with touched as (
      select i.page_id from serve_index i
       where ${onSites(touching)} and exists (
         select 1 from jsonb_each(i.candidates) e, jsonb_array_elements(e.value) x where ${isTouched(touching)})
    )
    update serve_index i set version = nextval('serve_index_versions'),
      has_lost = i.has_lost or ${filter !== undefined}, candidates = coalesce((
      select jsonb_object_agg(e.key, coalesce((
        select jsonb_agg(${element} order by n) from jsonb_array_elements(e.value) with ordinality as l (x, n)
         where ${filter ?? sql`true`}), '[]'))
        from jsonb_each(i.candidates) e), '{}')
     where i.page_id in (select page_id from touched)`)
}

export const removeCandidates = (db: Database, touching: Touching) =>
  rewrite(db, touching, { filter: sql`not ${isTouched(touching)}` })

/** Marked candidates stay, and expire if nothing brings them back. */
export const markCandidates = (db: Database, touching: Touching, untilMs: number) =>
  rewrite(db, touching, {
    element: sql`case when ${isTouched(touching)} then x || jsonb_build_object('untilMs', ${untilMs}::float8) else x end`,
  })

/** Sets the current bids. */
export const updatePrices = (db: Database, touching: Touching) =>
  rewrite(db, touching, {
    element: sql`case when ${isTouched(touching)} then x || jsonb_build_object('cpmMicros', coalesce((
      select (case when c.pricing = 'cpc' then 12 else 1 end * case when c.may_exceed_max_bid or c.max_bid_micros = 0
              then a.bid_micros else least(a.bid_micros, c.max_bid_micros) end)::float8
        from ads a join campaigns c on c.id = a.campaign_id where a.id = (x->>'adKey')::bigint), (x->>'cpmMicros')::float8)) else x end`,
  })

/** Sites with a page where the campaign is a candidate. */
export async function listSitesWithCandidates(db: Database, campaignKey: number) {
  const { rows } = await db.execute<{ siteKey: number }>(sql`
    select distinct i.site_id::float8 as "siteKey" from serve_index i
     where exists (select 1 from jsonb_path_query(i.candidates, '$.*[*].campaignKey') k
                    where k::text::float8 = ${campaignKey})`)
  return rows.map(({ siteKey }) => siteKey)
}

/** Whether a page of the site has lost its last candidate. */
export async function hasEmptiedPage(db: Database, siteKey: number): Promise<boolean> {
  const { rows } = await db.execute(sql`
    select exists (select 1 from serve_index i where i.site_id = ${siteKey} and i.has_lost
       and not exists (select 1 from jsonb_path_query(i.candidates, '$.*[*].adKey'))) as found`)
  return rows[0]!['found'] === true
}

const INDEXED = sql`i.site_id::float8 as "siteKey", i.url, i.version::float8 as version,
  extract(epoch from i.classified_at)::float8 * 1000 as "classifiedAtMs",
  p.corrected_at is not null as "isCorrected",
  extract(epoch from i.expires_at)::float8 * 1000 as "expiresAtMs",
  array(select jsonb_object_keys(i.categories)) as categories, i.candidates`

export async function listIndexed(
  db: Database,
  { siteKey, after, limit }: { siteKey: number; after: number; limit: number },
): Promise<readonly IndexedPage[]> {
  const { rows } = await db.execute<Row<IndexedPage>>(sql`
    select ${INDEXED} from serve_index i join pages p on p.id = i.page_id
     where i.site_id = ${siteKey} and i.version > ${after} order by i.version limit ${limit}`)
  return rows
}

/** The current candidates of a page. None without an entry. */
export async function findCandidates(db: Database, pageId: bigint): Promise<Candidates> {
  const { rows } = await db.execute<{ candidates: Candidates }>(
    sql`select candidates from serve_index where page_id = ${pageId}`,
  )
  return rows[0]?.candidates ?? {}
}

export async function listIndexedSites(db: Database): Promise<readonly number[]> {
  const { rows } = await db.execute<{ siteKey: number }>(
    sql`select distinct site_id::float8 as "siteKey" from serve_index`,
  )
  return rows.map(({ siteKey }) => siteKey)
}

export async function deleteOver(db: Database, now: Date, limit: number): Promise<number> {
  const { rowCount } = await db.execute(sql`
    delete from serve_index where page_id in (
      select page_id from serve_index where expires_at < ${now.toISOString()}::timestamptz limit ${limit})`)
  return rowCount ?? 0
}

/** Sites with pages to auction. */
export async function listAuctionSites(db: Database, limit: number): Promise<readonly number[]> {
  const { rows } = await db.execute<{ siteKey: number }>(sql`
    select s.id::float8 as "siteKey" from sites s
     where s.is_active and s.deleted_at is null and s.domain_state = 'proven'
       and exists (select 1 from pages p where p.site_id = s.id)
     order by s.id limit ${limit}`)
  return rows.map(({ siteKey }) => siteKey)
}

export async function listUrlRules(db: Database, siteKeys: readonly number[] | undefined) {
  const { rows } = await db.execute<
    Row<{
      siteKey: number
      accountKey: number
      domain: string
      keepUrlQueries: boolean
      isLive: boolean
    }>
  >(sql`
    select id::float8 as "siteKey", account_id::float8 as "accountKey", domain, keep_url_queries as "keepUrlQueries",
           is_active and deleted_at is null and domain_state = 'proven' as "isLive"
      from sites where ${siteKeys === undefined ? sql`true` : sql`id = any(${sql.param([...siteKeys])}::bigint[])`}`)
  return rows
}

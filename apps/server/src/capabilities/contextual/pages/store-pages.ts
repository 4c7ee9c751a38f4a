import { and, desc, eq, inArray, lt, sql } from 'drizzle-orm'
import type { Database } from '../../../platform/database/connect.ts'
import type { Ids } from '../../../platform/ids.ts'
import { sites } from '../../inventory/tables.ts'
import type { PageCategory } from '../classify/classifier.ts'
import type { PageState } from './page.ts'
import { pageCategories, pageExamples, pages } from '../tables.ts'

export type PageRow = typeof pages.$inferSelect

const CRAWLED = {
  id: sites.id,
  accountId: sites.accountId,
  domain: sites.domain,
  seedUrl: sites.seedUrl,
  crawlDepth: sites.crawlDepth,
  crawlPageLimit: sites.crawlPageLimit,
  keepUrlQueries: sites.keepUrlQueries,
}

export type CrawledSite = Pick<typeof sites.$inferSelect, keyof typeof CRAWLED>

/** A site that may be read: active, and proven to be its publisher's. */
export async function findCrawledSite(db: Database, id: bigint): Promise<CrawledSite | undefined> {
  const [site] = await db
    .select(CRAWLED)
    .from(sites)
    .where(
      and(
        eq(sites.id, id),
        eq(sites.isActive, true),
        eq(sites.domainState, 'proven'),
        sql`${sites.deletedAt} is null`,
      ),
    )
  return site
}

interface NewPage {
  readonly url: string
  readonly depth: number
}

interface Noting {
  readonly site: Pick<CrawledSite, 'id' | 'accountId' | 'crawlPageLimit'>
  readonly found: readonly NewPage[]
  readonly ids: Ids
  readonly now: Date
}

/**
 * Queues unknown and forgotten pages while the site has room. Returns how many were queued that
 * were not before.
 */
export async function notePages(db: Database, { site, found, ids, now }: Noting): Promise<number> {
  if (found.length === 0) return 0
  const { rows } = await db.execute(sql`
    insert into pages (public_id, account_id, site_id, url, depth, created_at, updated_at)
    select g.public_id, ${site.accountId}, ${site.id}, g.url, g.depth, ${now.toISOString()}::timestamptz, ${now.toISOString()}::timestamptz
      from unnest(${sql.param(found.map(() => ids.next()))}::uuid[], ${sql.param(found.map(({ url }) => url))}::text[],
                  ${sql.param(found.map(({ depth }) => depth))}::integer[]) as g (public_id, url, depth)
     where exists (select 1 from pages p where p.site_id = ${site.id} and p.url = g.url)
        or (select count(*) from pages p where p.site_id = ${site.id}) < ${site.crawlPageLimit}
    on conflict (site_id, url) do update set state = 'waiting', updated_at = excluded.updated_at
     where pages.state = 'read' and pages.classified_at is null and pages.corrected_at is null
    returning id`)
  return rows.length
}

export function listWaiting(db: Database, siteId: bigint, limit: number): Promise<PageRow[]> {
  return db
    .select()
    .from(pages)
    .where(and(eq(pages.siteId, siteId), eq(pages.state, 'waiting')))
    .orderBy(pages.id)
    .limit(limit)
}

const WAITING_COUNTED_MAX = 10_000

export async function countWaiting(db: Database): Promise<number> {
  const { rows } = await db.execute(sql`select count(*)::int as waiting from
    (select 1 from pages where state = 'waiting' limit ${WAITING_COUNTED_MAX}) w`)
  return rows[0]!['waiting'] as number
}

/** Pages of the site that were read before, with their depth. */
export const listRead = (db: Database, { id, crawlPageLimit }: CrawledSite) =>
  db
    .select({ url: pages.url, depth: pages.depth })
    .from(pages)
    .where(and(eq(pages.siteId, id), eq(pages.state, 'read')))
    .orderBy(pages.depth, pages.id)
    .limit(crawlPageLimit)

export async function findPageByUrl(db: Database, siteId: bigint, url: string) {
  const [page] = await db
    .select()
    .from(pages)
    .where(and(eq(pages.siteId, siteId), eq(pages.url, url)))
  return page
}

interface Judged {
  readonly categories: readonly PageCategory[]
  readonly classifier: string
}

interface ReadAnew {
  readonly title: string
  readonly body: string
  readonly contentHash: string
  readonly etag: string | null
  readonly lastModified: string | null
}

export async function savePageRead(
  db: Database,
  page: PageRow,
  { read, now }: { read: ReadAnew; now: Date },
): Promise<void> {
  await db
    .update(pages)
    .set({ ...read, state: 'read', fault: null, fetchedAt: now, updatedAt: now })
    .where(eq(pages.id, page.id))
}

export async function savePageUnchanged(db: Database, page: PageRow, now: Date): Promise<void> {
  await db
    .update(pages)
    .set({ state: 'read', fault: null, fetchedAt: now, updatedAt: now })
    .where(eq(pages.id, page.id))
}

export async function savePageFault(
  db: Database,
  page: PageRow,
  { state, fault, now }: { state: PageState; fault: string | null; now: Date },
): Promise<void> {
  await db
    .update(pages)
    .set({ state, fault, fetchedAt: now, updatedAt: now })
    .where(eq(pages.id, page.id))
}

/** Saves a classifier's result, unless a person has corrected the page. */
export async function saveJudged(
  db: Database,
  pageId: bigint,
  { categories, classifier, now }: Judged & { now: Date },
): Promise<void> {
  await db.transaction(async (db) => {
    const changed = await db
      .update(pages)
      .set({ classifiedAt: now, classifier, updatedAt: now })
      .where(and(eq(pages.id, pageId), sql`${pages.correctedAt} is null`))
      .returning({ id: pages.id })
    if (changed.length === 1) await replaceCategories(db, pageId, categories)
  })
}

interface Correction {
  readonly page: PageRow
  readonly categoryIds: readonly string[]
  readonly correctedBy: bigint | null
  readonly now: Date
}

/** Saves a correction. It stays, and is kept with the page's text as a training example. */
export async function saveCorrection(
  db: Database,
  { page, categoryIds, correctedBy, now }: Correction,
): Promise<void> {
  await db
    .update(pages)
    .set({ correctedAt: now, classifiedAt: now, classifier: 'person', updatedAt: now })
    .where(eq(pages.id, page.id))
  const categories = categoryIds.map((categoryId) => ({ categoryId, confidence: 1 }))
  await replaceCategories(db, page.id, categories)
  await db.insert(pageExamples).values({
    pageId: page.id,
    siteId: page.siteId,
    categoryIds: [...categoryIds],
    title: page.title,
    body: page.body,
    createdBy: correctedBy,
    createdAt: now,
  })
}

export async function dropCorrection(db: Database, pageId: bigint, now: Date): Promise<boolean> {
  const changed = await db
    .update(pages)
    .set({ correctedAt: null, updatedAt: now })
    .where(and(eq(pages.id, pageId), sql`${pages.correctedAt} is not null`))
    .returning({ id: pages.id })
  return changed.length === 1
}

async function replaceCategories(
  db: Database,
  pageId: bigint,
  categories: readonly PageCategory[],
): Promise<void> {
  await db.delete(pageCategories).where(eq(pageCategories.pageId, pageId))
  if (categories.length === 0) return
  await db.insert(pageCategories).values(categories.map((one) => ({ ...one, pageId })))
}

/** Deletes classifier results older than this. The page itself stays known. */
export async function forgetOld(db: Database, before: Date, limit: number): Promise<number> {
  const { rows } = await db.execute(sql`
    with old as (
      select id from pages
       where classified_at < ${before.toISOString()}::timestamptz and corrected_at is null limit ${limit}
    ), gone as (delete from page_categories where page_id in (select id from old))
    update pages set classified_at = null, classifier = null
     where id in (select id from old) returning id`)
  return rows.length
}

export async function findPage(db: Database, siteId: bigint, publicId: string) {
  const [page] = await db
    .select()
    .from(pages)
    .where(and(eq(pages.siteId, siteId), eq(pages.publicId, publicId)))
  return page
}

export async function findPageByKey(db: Database, id: bigint): Promise<PageRow | undefined> {
  const [page] = await db.select().from(pages).where(eq(pages.id, id))
  return page
}

interface PageQuery {
  readonly siteId: bigint
  readonly limit: number
  readonly before: string | undefined
  readonly state: PageState | undefined
  readonly categoryIds: readonly string[] | undefined
}

export function listPageRows(db: Database, query: PageQuery): Promise<PageRow[]> {
  const { siteId, limit, before, state, categoryIds } = query
  return db
    .select()
    .from(pages)
    .where(
      and(
        eq(pages.siteId, siteId),
        before === undefined ? undefined : lt(pages.publicId, before),
        state && eq(pages.state, state),
        categoryIds === undefined
          ? undefined
          : sql`exists (select 1 from page_categories c where c.page_id = ${pages.id} and c.category_id = any(${sql.param([...categoryIds])}::text[]))`,
      ),
    )
    .orderBy(desc(pages.publicId))
    .limit(limit)
}

export function listCategoriesOf(db: Database, pageIds: readonly bigint[]) {
  return db
    .select()
    .from(pageCategories)
    .where(inArray(pageCategories.pageId, [...pageIds]))
    .orderBy(desc(pageCategories.confidence), pageCategories.categoryId)
}

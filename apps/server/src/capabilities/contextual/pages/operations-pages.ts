import type { Jobs } from '../../../platform/jobs/job.ts'
import { Problem } from '../../../platform/problem.ts'
import {
  cutPage,
  getRow,
  pageFrom,
  type Actor,
  type ResourceDeps,
  type Values,
} from '../../../platform/resources/index.ts'
import { site as siteResource, siteProblems } from '../../inventory/index.ts'
import { auctionSiteJob } from '../auction/jobs.ts'
import { crawlSiteJob, judgePageJob, visitPagesJob } from './jobs.ts'
import { canonicalUrl, type PageState } from './page.ts'
import { contextualProblems } from '../problems.ts'
import { findCrawl } from './store-crawls.ts'
import {
  dropCorrection,
  findPage,
  findPageByUrl,
  listCategoriesOf,
  listPageRows,
  notePages,
  type PageRow,
  saveCorrection,
} from './store-pages.ts'
import type { ContentOfAdProduct, Taxonomy } from '../classify/taxonomy.ts'

export interface ContextualDeps extends ResourceDeps {
  readonly taxonomy: Taxonomy
  readonly products: Taxonomy
  readonly contentOf: ContentOfAdProduct
  readonly jobs: Jobs | undefined
}

export interface SiteTarget {
  readonly siteId: string
  readonly actor: Actor
}

export interface PageTarget extends SiteTarget {
  readonly pageId: string
}

export async function listPages(deps: ContextualDeps, target: SiteTarget & { query: Values }) {
  const { id: siteId } = await getSite(deps, target)
  const page = pageFrom(target.query)
  const { state, category } = page.filters as { state?: PageState; category?: string }
  const query = { siteId, limit: page.limit + 1, before: page.cursor?.publicId }
  const categoryIds = category === undefined ? undefined : deps.taxonomy.below(new Set([category]))
  const found = await listPageRows(deps.db, { ...query, state, categoryIds })
  const { rows, ...next } = cutPage(found, page)
  return { items: await presentPages(deps, rows), ...next }
}

export async function getPage(deps: ContextualDeps, target: PageTarget) {
  const [presented] = await presentPages(deps, [await findTarget(deps, target)])
  return presented!
}

/** Queues a page to be read before its first reader opens it. Repeating it changes nothing. */
export async function addPage(deps: ContextualDeps, target: SiteTarget & { url: string }) {
  const { db, ids, clock } = deps
  const site = await getProvenSite(deps, target)
  const url = canonicalUrl(target.url, site)
  if (url === undefined) throw new Problem(contextualProblems.notOnSite, target.url)
  await notePages(db, { site, found: [{ url, depth: 0 }], ids, now: clock.now() })
  const page = await findPageByUrl(db, site.id, url)
  if (!page)
    throw new Problem(contextualProblems.siteFull, `${site.crawlPageLimit} pages are known.`)
  await deps.jobs?.enqueue(db, visitPagesJob, { payload: { siteKey: String(site.id) } })
  const [presented] = await presentPages(deps, [page])
  return presented!
}

/** A person's categories for a page. They override every classifier until taken back. */
export async function correctPage(
  deps: ContextualDeps,
  target: PageTarget & { categoryIds: readonly string[] },
) {
  const { categoryIds, actor } = target
  const page = await findTarget(deps, target)
  await saveCorrection(deps.db, {
    page,
    categoryIds: [...new Set(categoryIds)],
    correctedBy: null,
    now: deps.clock.now(),
  })
  await auditPage(deps, { page, actor, action: 'page.correct', after: { categoryIds } })
  await deps.jobs?.enqueue(deps.db, auctionSiteJob, { payload: { siteKey: String(page.siteId) } })
  return getPage(deps, target)
}

export async function takeCorrectionBack(deps: ContextualDeps, target: PageTarget): Promise<void> {
  const page = await findTarget(deps, target)
  if (!(await dropCorrection(deps.db, page.id, deps.clock.now()))) {
    throw new Problem(contextualProblems.notCorrected, page.url)
  }
  await auditPage(deps, { page, actor: target.actor, action: 'page.uncorrect', after: {} })
  await deps.jobs?.enqueue(deps.db, judgePageJob, { payload: { pageKey: String(page.id) } })
}

/** Orders a crawl now, whatever the cron says. */
export async function orderCrawl(deps: ContextualDeps, target: SiteTarget) {
  const site = await getProvenSite(deps, target)
  if (!site.seedUrl) throw new Problem(contextualProblems.noSeed, `site ${target.siteId}`)
  if (!deps.jobs) throw new Problem(contextualProblems.notRunning, 'Ask a node that has a queue.')
  await deps.jobs.enqueue(deps.db, crawlSiteJob, { payload: { siteKey: String(site.id) } })
  return presentCrawl(await findCrawl(deps.db, site.id))
}

export async function getCrawl(deps: ContextualDeps, target: SiteTarget) {
  const { id } = await getSite(deps, target)
  return presentCrawl(await findCrawl(deps.db, id))
}

type CrawlRow = Awaited<ReturnType<typeof findCrawl>>

const presentCrawl = (crawl: CrawlRow) => ({
  startedAt: crawl?.startedAt.toISOString() ?? null,
  finishedAt: crawl?.finishedAt?.toISOString() ?? null,
  pagesRead: crawl?.pagesRead ?? 0,
  fault: crawl?.fault ?? null,
})

export async function getSite(deps: ContextualDeps, { siteId, actor }: SiteTarget) {
  const row = await getRow(deps.db, siteResource, { publicId: siteId, actor })
  if (row.deletedAt) throw new Problem(siteProblems.notFound, `site ${siteId}`)
  return row as typeof siteResource.table.$inferSelect
}

/** Only the pages of a publisher's own domain are read. */
async function getProvenSite(deps: ContextualDeps, target: SiteTarget) {
  const site = await getSite(deps, target)
  if (site.domainState === 'proven') return site
  throw new Problem(siteProblems.domainUnproven, site.domain)
}

export async function findTarget(deps: ContextualDeps, target: PageTarget): Promise<PageRow> {
  const { id } = await getSite(deps, target)
  const page = await findPage(deps.db, id, target.pageId)
  if (!page) throw new Problem(contextualProblems.pageNotFound, `page ${target.pageId}`)
  return page
}

async function presentPages({ db, taxonomy }: ContextualDeps, rows: readonly PageRow[]) {
  const found =
    rows.length === 0
      ? []
      : await listCategoriesOf(
          db,
          rows.map(({ id }) => id),
        )
  return rows.map((page) => ({
    id: page.publicId,
    url: page.url,
    title: page.title,
    state: page.state,
    fault: page.fault,
    fetchedAt: page.fetchedAt?.toISOString() ?? null,
    classifiedAt: page.classifiedAt?.toISOString() ?? null,
    classifier: page.classifier,
    isCorrected: page.correctedAt !== null,
    categories: found
      .filter(({ pageId }) => pageId === page.id)
      .map(({ categoryId, confidence }) => ({
        id: categoryId,
        name: taxonomy.categories.get(categoryId)?.name ?? categoryId,
        parents: taxonomy.lineOf(categoryId).slice(1),
        confidence,
      })),
  }))
}

interface Audited {
  readonly page: PageRow
  readonly actor: Actor
  readonly action: string
  readonly after: Values
}

const auditPage = (deps: ContextualDeps, { page, actor, action, after }: Audited) =>
  deps.audit(deps.db, {
    actor,
    accountId: page.accountId,
    action,
    entity: 'page',
    entityId: page.publicId,
    after,
  })

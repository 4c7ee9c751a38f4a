import { createHash } from 'node:crypto'
import robotsParser from 'robots-parser'
import type { Clock } from '../../../platform/clock.ts'
import type { Database } from '../../../platform/database/connect.ts'
import type { Ids } from '../../../platform/ids.ts'
import type { Classifier } from '../classify/classifier.ts'
import { type Fetched, type Fetcher, USER_AGENT } from '../../../platform/http/fetcher.ts'
import type { ContextualObserver } from '../metrics.ts'
import { canonicalUrl, isFresh } from './page.ts'
import type { PageReader } from './page-reader.ts'
import type { ReadPage } from './read-page.ts'
import { finishCrawl, startCrawl } from './store-crawls.ts'
import {
  type CrawledSite,
  findCrawledSite,
  findPageByUrl,
  listRead,
  listWaiting,
  notePages,
  type PageRow,
  saveJudged,
  savePageFault,
  savePageRead,
  savePageUnchanged,
} from './store-pages.ts'

export interface CrawlDeps {
  readonly db: Database
  readonly clock: Clock
  readonly ids: Ids
  readonly fetcher: Fetcher
  readonly reader: PageReader
  readonly classifier: Classifier
  /** Waits between two requests to one host. */
  readonly pause: (ms: number) => Promise<void>
  readonly pauseMs: number
  readonly contextualObserver?: ContextualObserver | undefined
}

/** The package exports the function itself, which its types do not say. */
const parseRobots = robotsParser as unknown as typeof robotsParser.default

interface Robots {
  mayRead(url: string): boolean
  readonly sitemaps: readonly string[]
  readonly pauseMs: number
}

const PAUSE_MS_MAX = 30_000
const SITEMAPS_MAX = 10
const WAITING_MAX = 200

interface Stop {
  readonly signal?: AbortSignal | undefined
}

/** Crawls a site from its seed, within its host, depth and page limit. */
export async function crawlSite(deps: CrawlDeps, siteId: bigint, { signal }: Stop = {}) {
  const { db, clock } = deps
  const site = await findCrawledSite(db, siteId)
  const seed = site?.seedUrl && canonicalUrl(site.seedUrl, site)
  if (!site) return 0
  await startCrawl(db, site.id, clock.now())
  if (!seed) {
    const fault = site.seedUrl ? 'The seed URL is not on the domain of the site.' : 'No seed URL.'
    await finishCrawl(db, site.id, { pagesRead: 0, fault, now: clock.now() })
    return 0
  }
  const robots = await readRobots(deps, seed)
  const pagesRead = await followLinks(deps, { site, seed, robots, signal })
  const fault = pagesRead === 0 ? 'No page could be read.' : null
  await finishCrawl(db, site.id, { pagesRead, fault, now: clock.now() })
  return pagesRead
}

interface Crawl {
  readonly site: CrawledSite
  readonly seed: string
  readonly robots: Robots
  readonly signal: AbortSignal | undefined
}

async function followLinks(deps: CrawlDeps, { site, seed, robots, signal }: Crawl) {
  const depths = new Map([[seed, 0]])
  const add = (urls: readonly string[], depth: number) => {
    for (const url of urls) {
      if (depths.size >= site.crawlPageLimit) return
      const form = canonicalUrl(url, site)
      if (form !== undefined && !depths.has(form)) depths.set(form, depth)
    }
  }
  if (site.crawlDepth > 0) add(await listSitemapped(deps, seed, robots), 1)
  // An unchanged page is not parsed, so its links are taken from the last crawl.
  for (const { url, depth } of await listRead(deps.db, site)) add([url], depth)
  let pagesRead = 0
  // A Map iterates in insertion order and includes keys added meanwhile.
  for (const [url, depth] of depths) {
    if (signal?.aborted) break
    if (depths.size > 1) await deps.pause(robots.pauseMs)
    const links = await visit(deps, site, { url, depth, robots })
    if (links === undefined) continue
    pagesRead++
    if (depth < site.crawlDepth) add(links, depth + 1)
  }
  return pagesRead
}

/** Reads the pages that readers opened first. */
export async function visitWaiting(deps: CrawlDeps, siteId: bigint, { signal }: Stop = {}) {
  const site = await findCrawledSite(deps.db, siteId)
  if (!site) return 0
  const waiting = await listWaiting(deps.db, site.id, WAITING_MAX)
  let robots: Robots | undefined
  let pagesRead = 0
  for (const { url, depth } of waiting) {
    if (signal?.aborted) break
    robots ??= await readRobots(deps, url)
    if (pagesRead > 0) await deps.pause(robots.pauseMs)
    if ((await visit(deps, site, { url, depth, robots })) !== undefined) pagesRead++
  }
  return pagesRead
}

interface PageFetch {
  readonly url: string
  readonly depth: number
  readonly robots: Robots
}

/** The links of the page. Undefined if it could not be read. */
async function visit(
  deps: CrawlDeps,
  site: CrawledSite,
  { url, depth, robots }: PageFetch,
): Promise<readonly string[] | undefined> {
  const { db, clock, ids } = deps
  await notePages(db, { site, found: [{ url, depth }], ids, now: clock.now() })
  const page = await findPageByUrl(db, site.id, url)
  if (!page) return undefined
  if (!robots.mayRead(url)) {
    await fail(deps, page, { state: 'refused', fault: 'robots.txt says no.' })
    return undefined
  }
  try {
    const fetched = await deps.fetcher.fetch(url, page.state === 'read' ? page : {})
    return await take(deps, { site, page, fetched })
  } catch (error) {
    const fault = (error as Error).message.slice(0, 500)
    await fail(deps, page, { state: 'failed', fault })
    return undefined
  }
}

interface Failure {
  readonly state: 'gone' | 'refused' | 'failed'
  readonly fault: string
}

async function fail(
  { db, clock, contextualObserver: observer }: CrawlDeps,
  page: PageRow,
  failure: Failure,
) {
  observer?.visited(failure.state)
  await savePageFault(db, page, { ...failure, now: clock.now() })
  return undefined
}

interface Taking {
  readonly site: CrawledSite
  readonly page: PageRow
  readonly fetched: Fetched
}

async function take(deps: CrawlDeps, { site, page, fetched }: Taking) {
  const { db, clock, contextualObserver: observer } = deps
  const now = clock.now()
  const failure = failureOf(site, fetched)
  if (failure) return fail(deps, page, failure)
  if (fetched.status === 304) {
    observer?.visited('unchanged')
    await savePageUnchanged(db, page, now)
    await classifyPage(deps, page)
    return []
  }
  const read = await deps.reader.readPage(fetched.body, fetched.url)
  if (read.isUnwanted) {
    return fail(deps, page, { state: 'refused', fault: 'It asks not to be read.' })
  }
  observer?.visited('read')
  await savePageRead(db, page, { read: rowOf(read, fetched), now })
  await classifyPage(deps, { ...page, title: read.title, body: read.text, classifiedAt: null })
  return read.links
}

function failureOf(site: CrawledSite, { status, contentType, url }: Fetched): Failure | undefined {
  if (status === 304) return undefined
  if (status === 404 || status === 410) return { state: 'gone', fault: 'It is not there.' }
  if (status !== 200) return { state: 'failed', fault: `It answered ${status}.` }
  if (!/\b(html|xhtml)\b/i.test(contentType)) {
    return { state: 'refused', fault: `It is ${contentType || 'of no type'}, not a page.` }
  }
  if (canonicalUrl(url, site) !== undefined) return undefined
  return { state: 'refused', fault: 'It leads elsewhere.' }
}

const rowOf = ({ title, text }: ReadPage, { etag, lastModified }: Fetched) => ({
  title,
  body: text,
  contentHash: createHash('sha256').update(`${title}\n${text}`).digest('hex'),
  etag: etag ?? null,
  lastModified: lastModified ?? null,
})

/** Categories are renewed half-way through their 48 hours. */
const RENEW_MS = 24 * 3_600_000

async function classifyPage(deps: CrawlDeps, page: PageRow): Promise<void> {
  if (isFresh(page, new Date(deps.clock.now().getTime() + RENEW_MS))) return
  await judgeAnew(deps, page)
}

/** Judges a page again by its stored text. Does nothing if a person has corrected it meanwhile. */
export async function judgeAnew(
  { db, clock, classifier }: Pick<CrawlDeps, 'db' | 'clock' | 'classifier'>,
  page: PageRow,
): Promise<void> {
  if (page.correctedAt !== null) return
  const { url, title, body } = page
  const categories = await classifier.classify({ url, title, text: body })
  await saveJudged(db, page.id, { categories, classifier: classifier.name, now: clock.now() })
}

/** A missing file allows everything; a server in trouble allows nothing for now. */
async function readRobots({ fetcher, pauseMs }: CrawlDeps, page: string): Promise<Robots> {
  const url = new URL('/robots.txt', page).href
  const fetched = await fetcher.fetch(url).catch(() => undefined)
  if (fetched === undefined || fetched.status >= 500) {
    return { mayRead: () => false, sitemaps: [], pauseMs }
  }
  const robots = parseRobots(url, fetched.body)
  const delayMs = (robots.getCrawlDelay(USER_AGENT) ?? 0) * 1_000
  return {
    mayRead: (page) => robots.isAllowed(page, USER_AGENT) !== false,
    sitemaps: robots.getSitemaps(),
    pauseMs: Math.min(PAUSE_MS_MAX, Math.max(pauseMs, delayMs)),
  }
}

async function listSitemapped(deps: CrawlDeps, seed: string, robots: Robots): Promise<string[]> {
  const waiting = robots.sitemaps.length > 0 ? [...robots.sitemaps] : [siteMapOf(seed)]
  const found: string[] = []
  for (let read = 0; read < SITEMAPS_MAX && waiting.length > 0; read++) {
    await deps.pause(robots.pauseMs)
    const fetched = await deps.fetcher.fetch(waiting.shift()!).catch(() => undefined)
    if (fetched?.status !== 200) continue
    const read = await deps.reader.readSitemap(fetched.body).catch(() => undefined)
    if (read === undefined) continue
    const { pages, sitemaps } = read
    found.push(...pages)
    waiting.push(...sitemaps)
  }
  return found
}

const siteMapOf = (seed: string) => new URL('/sitemap.xml', seed).href

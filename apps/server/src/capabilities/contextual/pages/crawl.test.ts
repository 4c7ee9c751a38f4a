import { monitorEventLoopDelay } from 'node:perf_hooks'
import { eq } from 'drizzle-orm'
import { pino } from 'pino'
import { expect, onTestFinished, test } from 'vitest'
import { aServingWorld } from '../../../testing/worlds/serving-world.ts'
import { createFetcher } from '../../../platform/http/fetcher.ts'
import { isDue, judgePageJob } from './jobs.ts'
import { openPageReader } from './page-reader.ts'
import { crawlSite, visitWaiting } from './operations-crawl.ts'
import { PAGE_LIFE_MS } from './page.ts'
import { openContentTaxonomy, openLexicalClassifier } from '../classify/reference-data.ts'
import {
  dropCorrection,
  forgetOld,
  listCategoriesOf,
  notePages,
  saveCorrection,
} from './store-pages.ts'
import { pages } from '../tables.ts'
import {
  type Answering,
  aWebSite,
  COOKING,
  FOOTBALL,
  html,
  pagesAt,
} from '../../../testing/services/web-site.ts'

const taxonomy = openContentTaxonomy()
const classifier = openLexicalClassifier(taxonomy)

async function aCrawl(answer: Answering, given: object = {}) {
  const web = await aWebSite(answer)
  const world = await aServingWorld()
  const site = await world.addSite({
    domain: 'localhost',
    seedUrl: `${web.origin}/`,
    crawlDepth: 2,
    ...given,
  })
  const fetcher = createFetcher({ allowedHosts: [web.host] })
  onTestFinished(() => fetcher.close())
  const reader = openPageReader({ timeoutMs: 2_000 })
  onTestFinished(() => reader.close())
  const paused: number[] = []
  const pause = async (ms: number) => void paused.push(ms)
  const visited: string[] = []
  const nothing = () => {}
  const contextualObserver = {
    visited: (result: string) => void visited.push(result),
    auctioned: nothing,
    ticked: nothing,
    happened: nothing,
  }
  const deps = { ...world.deps, fetcher, reader, classifier, pause, pauseMs: 5, contextualObserver }
  const known = async () => {
    const rows = await world.db.select().from(pages).orderBy(pages.url)
    return rows.map(({ url, state }) => [url.slice(web.origin.length), state])
  }
  const findPage = async (path: string) =>
    (
      await world.db
        .select()
        .from(pages)
        .where(eq(pages.url, `${web.origin}${path}`))
    )[0]!
  const crawl = () => crawlSite(deps, site.id)
  return { web, world, site, deps, paused, visited, known, findPage, crawl }
}

const SITE = {
  '/': html('Home', 'Welcome', ['/food', '/sport#top', 'https://elsewhere.example/']),
  '/food': html('Soup', COOKING, ['/deep?utm_source=x']),
  '/sport': html('Cup final', FOOTBALL),
  '/deep': html('Deep', 'Far down', ['/deeper']),
  '/deeper': html('Deeper', 'Too far'),
}

test('a site is crawled from its seed, within its host and depth', async () => {
  const { crawl, known, findPage, world } = await aCrawl(pagesAt(SITE))

  expect(await crawl()).toBe(4)
  expect(await known()).toEqual([
    ['/', 'read'],
    ['/deep', 'read'],
    ['/food', 'read'],
    ['/sport', 'read'],
  ])
  const food = await findPage('/food')
  const [category] = await listCategoriesOf(world.db, [food.id])
  expect(taxonomy.rootOf(category!.categoryId)).toBe('210')
})

test('a nofollow link is not followed', async () => {
  const { crawl, known } = await aCrawl(
    pagesAt({
      ...SITE,
      '/': '<html><body><a href="/food" rel="nofollow sponsored">x</a></body></html>',
    }),
  )

  await crawl()
  expect(await known()).toEqual([['/', 'read']])
})

test('a crawl reads no more pages than the site’s limit', async () => {
  const { crawl, known } = await aCrawl(pagesAt(SITE), { crawlPageLimit: 2 })

  await crawl()
  expect(await known()).toHaveLength(2)
})

test('robots.txt and its crawl delay are obeyed', async () => {
  const robots = 'User-agent: *\nDisallow: /sport\nCrawl-delay: 2'
  const { crawl, known, web, paused } = await aCrawl(pagesAt({ ...SITE, '/robots.txt': robots }))

  await crawl()
  expect(await known()).toContainEqual(['/sport', 'refused'])
  expect(web.requests).not.toContain('GET /sport')
  expect(new Set(paused)).toEqual(new Set([2_000]))
})

test('a server in trouble is left alone', async () => {
  const { crawl, known } = await aCrawl((_, response) => response.writeHead(503).end())

  expect(await crawl()).toBe(0)
  expect(await known()).toEqual([['/', 'refused']])
})

test('pages that only a sitemap names are found', async () => {
  let origin = ''
  const { crawl, known, web } = await aCrawl((request, response) => {
    const sitemap = `<urlset><url><loc>${origin}/hidden</loc></url></urlset>`
    pagesAt({ ...SITE, '/sitemap.xml': sitemap, '/hidden': html('Hidden', 'x') })(request, response)
  })
  origin = web.origin

  await crawl()
  expect(await known()).toContainEqual(['/hidden', 'read'])
})

test('what is not HTML, is gone or asks not to be read is not classified', async () => {
  const files = pagesAt({
    '/': html('Home', 'x', ['/gone', '/data.txt', '/secret']),
    '/data.txt': 'Just data',
    '/secret': '<html><head><meta name="robots" content="noindex"></head><body>x</body></html>',
  })
  const { crawl, known, visited } = await aCrawl(files)

  await crawl()
  expect(visited.toSorted()).toEqual(['gone', 'read', 'refused', 'refused'])
  expect(await known()).toEqual([
    ['/', 'read'],
    ['/data.txt', 'refused'],
    ['/gone', 'gone'],
    ['/secret', 'refused'],
  ])
})

test('an unchanged page is not read again, and keeps its categories', async () => {
  let reads = 0
  const { crawl, findPage, world } = await aCrawl(
    ({ url, headers }, response) => {
      if (url !== '/') return response.writeHead(404).end()
      if (headers['if-none-match'] === '"1"') return response.writeHead(304).end()
      reads++
      return response
        .writeHead(200, { etag: '"1"', 'content-type': 'text/html' })
        .end(html('Soup', COOKING))
    },
    { crawlDepth: 0 },
  )
  await crawl()
  await crawl()

  expect(reads).toBe(1)
  expect(await listCategoriesOf(world.db, [(await findPage('/')).id])).not.toEqual([])
})

test('an unchanged seed still leads to the pages that it linked before', async () => {
  const { crawl, web } = await aCrawl((request, response) => {
    if (request.headers['if-none-match'] === '"1"') return response.writeHead(304).end()
    if (request.url === '/') response.setHeader('etag', '"1"')
    return pagesAt(SITE)(request, response)
  })
  await crawl()
  web.requests.length = 0
  await crawl()

  expect(web.requests).toContain('GET /food')
  expect(web.requests).toContain('GET /deep')
})

test('a page that a reader opened first is read once', async () => {
  const { deps, site, web, world } = await aCrawl(pagesAt(SITE))
  const found = [{ url: `${web.origin}/food`, depth: 0 }]
  const now = deps.clock.now()

  expect(await notePages(world.db, { site, found, ids: deps.ids, now })).toBe(1)
  expect(await notePages(world.db, { site, found, ids: deps.ids, now })).toBe(0)
  expect(await visitWaiting(deps, site.id)).toBe(1)
  expect(await visitWaiting(deps, site.id)).toBe(0)
})

test('a person’s correction overrides the classifier and does not expire', async () => {
  const { crawl, findPage, world, deps } = await aCrawl(pagesAt(SITE))
  await crawl()
  const page = await findPage('/food')
  await saveCorrection(world.db, {
    page,
    categoryIds: ['483'],
    correctedBy: null,
    now: deps.clock.now(),
  })
  await crawl()
  const later = new Date(deps.clock.now().getTime() + PAGE_LIFE_MS + 1)
  await forgetOld(world.db, later, 100)

  const found = await listCategoriesOf(world.db, [page.id])
  expect(found.map(({ categoryId }) => categoryId)).toEqual(['483'])
  expect(await listCategoriesOf(world.db, [(await findPage('/sport')).id])).toEqual([])
})

test('after a correction is taken back the classifier judges at once, without another request', async () => {
  const { crawl, findPage, world, deps, web } = await aCrawl(pagesAt(SITE))
  await crawl()
  const page = await findPage('/food')
  const now = deps.clock.now()
  await saveCorrection(world.db, { page, categoryIds: ['483'], correctedBy: null, now })
  await dropCorrection(world.db, page.id, now)
  const asked = web.requests.length

  const ordered: unknown[] = []
  const enqueue = async (_: unknown, __: unknown, order: unknown) => String(ordered.push(order))
  const log = pino({ level: 'silent' })
  const running = { log, signal: new AbortController().signal } as never
  const jobs = { enqueue } as never
  await judgePageJob.run({ pageKey: String(page.id) }, { ...deps, jobs }, running)

  const found = await listCategoriesOf(world.db, [page.id])
  expect(found.map(({ categoryId }) => taxonomy.rootOf(categoryId))).toContain('210')
  expect(found.map(({ categoryId }) => categoryId)).not.toContain('483')
  expect(web.requests).toHaveLength(asked)
  expect(ordered).toEqual([{ payload: { siteKey: String(page.siteId) } }])
})

test('a site is due when its schedule has fired since the last crawl', () => {
  const since = new Date('2026-11-15T03:00:00Z')
  const at = (time: string) => ({ since, now: new Date(`2026-11-${time}:00Z`) })

  expect(isDue('0 3 * * *', at('16T02:59'))).toBe(false)
  expect(isDue('0 3 * * *', at('16T03:01'))).toBe(true)
  expect(isDue(null, at('20T00:00'))).toBe(false)
})

const HOSTILE = {
  'deep elements': '<div>'.repeat(5_000),
  'deep elements of other names': '<b><i>'.repeat(2_000),
  'deep lists': '<ul><li>'.repeat(2_000),
  'many attributes': `<p ${Array.from({ length: 20_000 }, (_, at) => `a${at}=1`).join(' ')}>`,
  'many elements': '<br>'.repeat(150_000),
  'many open comments': '<!--'.repeat(100_000),
}

test.each(Object.entries(HOSTILE))(
  'a page of %s keeps nobody waiting: the worker goes on, and so does the site',
  async (_, body) => {
    const bad = `<html><body>${body}`
    const { crawl, findPage } = await aCrawl(pagesAt({ ...SITE, '/food': bad }))
    const { longestMs, result } = await watchingLoop(crawl)

    expect(longestMs).toBeLessThan(2_000)
    expect(result).toBeGreaterThanOrEqual(2)
    expect(await findPage('/sport')).toMatchObject({ state: 'read' })
    const page = await findPage('/food')
    expect(page.state === 'read' || page.fault !== null).toBe(true)
  },
  30_000,
)

test('a page that is nested too deep is set aside with its reason', async () => {
  const { crawl, findPage } = await aCrawl(
    pagesAt({ ...SITE, '/food': `<html><body>${'<div>'.repeat(1_700)}` }),
  )
  await crawl()

  expect(await findPage('/food')).toMatchObject({
    state: 'failed',
    fault: 'Its elements are nested more than 256 deep.',
  })
})

test('a document that takes too long is given up, and the next one is read', async () => {
  const reader = openPageReader({
    timeoutMs: 300,
    program: new URL('./testing-stuck-reader.ts', import.meta.url),
  })
  onTestFinished(() => reader.close())

  await expect(reader.readPage('stuck', 'https://a.example/')).rejects.toThrow(
    'Reading it takes more than 0.3 s.',
  )
  await expect(reader.readPage('gone', 'https://a.example/')).rejects.toThrow('It cannot be read.')
  expect((await reader.readPage('fine', 'https://a.example/')).title).toBe('fine')
})

/** Runs something and returns the longest time that the event loop was blocked. */
async function watchingLoop<Result>(run: () => Promise<Result>) {
  const delays = monitorEventLoopDelay({ resolution: 10 })
  delays.enable()
  const result = await run()
  delays.disable()
  return { result, longestMs: delays.max / 1e6 }
}

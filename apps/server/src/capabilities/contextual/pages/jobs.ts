import { CronExpressionParser } from 'cron-parser'
import { Type } from 'typebox'
import type { Clock } from '../../../platform/clock.ts'
import type { Database } from '../../../platform/database/connect.ts'
import { defineJob, type Jobs } from '../../../platform/jobs/job.ts'
import { forEachRow } from '../../../platform/set-aside/set-aside.ts'
import { auctionSiteJob } from '../auction/jobs.ts'
import { type CrawlDeps, crawlSite, judgeAnew, visitWaiting } from './operations-crawl.ts'
import { PAGE_LIFE_MS } from './page.ts'
import { listCrawlable } from './store-crawls.ts'
import { findPageByKey, forgetOld } from './store-pages.ts'

const SITES_MAX = 10_000
const OfSite = Type.Object({ siteKey: Type.String({ pattern: '^[0-9]{1,18}$' }) })

const COMMON = {
  retries: 2,
  backoff: { firstSeconds: 30, maxSeconds: 600 },
} as const

interface ReadingDeps extends CrawlDeps {
  readonly jobs: Pick<Jobs, 'enqueue'>
}

/** Crawls a site from its seed; its pages are auctioned afterwards. */
export const crawlSiteJob = defineJob({
  name: 'contextual.crawl-site',
  payload: OfSite,
  ...COMMON,
  timeoutSeconds: 3_600,
  concurrency: 2,
  dedupeKey: ({ siteKey }) => `crawl-${siteKey}`,
  async run({ siteKey }, deps: ReadingDeps, { log, signal }) {
    const pages = await crawlSite(deps, BigInt(siteKey), { signal })
    if (pages > 0) await deps.jobs.enqueue(deps.db, auctionSiteJob, { payload: { siteKey } })
    log.info({ siteKey, pages }, 'site crawled')
  },
})

/** Reads the pages of a site that are queued because a reader opened them. */
export const visitPagesJob = defineJob({
  name: 'contextual.visit-pages',
  payload: OfSite,
  ...COMMON,
  timeoutSeconds: 1_800,
  concurrency: 2,
  dedupeKey: ({ siteKey }) => `visit-${siteKey}`,
  async run({ siteKey }, deps: ReadingDeps, { signal }) {
    const pages = await visitWaiting(deps, BigInt(siteKey), { signal })
    if (pages > 0) await deps.jobs.enqueue(deps.db, auctionSiteJob, { payload: { siteKey } })
  },
})

/** A person took a correction back: the classifier judges the page again. */
export const judgePageJob = defineJob({
  name: 'contextual.judge-page',
  payload: Type.Object({ pageKey: Type.String({ pattern: '^[0-9]{1,18}$' }) }),
  ...COMMON,
  timeoutSeconds: 60,
  concurrency: 2,
  dedupeKey: ({ pageKey }) => `judge-${pageKey}`,
  async run({ pageKey }, deps: ReadingDeps) {
    const page = await findPageByKey(deps.db, BigInt(pageKey))
    if (page === undefined) return
    await judgeAnew(deps, page)
    const payload = { siteKey: String(page.siteId) }
    await deps.jobs.enqueue(deps.db, auctionSiteJob, { payload })
  },
})

interface TickDeps {
  readonly db: Database
  readonly clock: Clock
  readonly jobs: Jobs
}

const ROUND = { reader: 'contextual.crawl-sites', entity: 'sites' } as const
type Crawlable = Awaited<ReturnType<typeof listCrawlable>>[number]

/**
 * Orders a crawl for every site that is due by its cron, or was never crawled. Runs every minute.
 */
export const crawlSitesJob = defineJob({
  name: 'contextual.crawl-sites',
  payload: Type.Object({}),
  ...COMMON,
  timeoutSeconds: 60,
  concurrency: 1,
  async run(_, deps: TickDeps) {
    const { db, clock, jobs } = deps
    const now = clock.now()
    const rows = await listCrawlable(db, SITES_MAX)
    const round = { ...ROUND, rows, keyOf: ({ id }: Crawlable) => Number(id) }
    await forEachRow(deps, round, async ({ id, crawlCron, startedAt }) => {
      if (startedAt !== null && !isDue(crawlCron, { since: startedAt, now })) return
      await jobs.enqueue(db, crawlSiteJob, { payload: { siteKey: String(id) } })
    })
  },
})

/** Whether the schedule has fired since then. */
export function isDue(cron: string | null, { since, now }: { since: Date; now: Date }): boolean {
  if (cron === null) return false
  const last = CronExpressionParser.parse(cron, { currentDate: now, tz: 'UTC' }).prev()
  return last.getTime() > since.getTime()
}

const FORGOTTEN_PER_ROUND = 1_000
const ROUNDS_MAX = 100

/** Deletes classifier results older than 48 hours. Runs every five minutes. */
export const forgetPagesJob = defineJob({
  name: 'contextual.forget-pages',
  payload: Type.Object({}),
  ...COMMON,
  timeoutSeconds: 240,
  concurrency: 1,
  async run(_, { db, clock }: Pick<TickDeps, 'db' | 'clock'>, { signal }) {
    const before = new Date(clock.now().getTime() - PAGE_LIFE_MS)
    for (let round = 0; round < ROUNDS_MAX && !signal.aborted; round++) {
      if ((await forgetOld(db, before, FORGOTTEN_PER_ROUND)) < FORGOTTEN_PER_ROUND) return
    }
  },
})

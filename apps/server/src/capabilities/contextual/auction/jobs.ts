import { Type } from 'typebox'
import type { Clock } from '../../../platform/clock.ts'
import type { Database } from '../../../platform/database/connect.ts'
import { defineJob, type Jobs } from '../../../platform/jobs/job.ts'
import type { ContextualObserver } from '../metrics.ts'
import { type AuctionDeps, auctionSite } from './operations-auction.ts'
import { deleteOver, listAuctionSites } from './store-index.ts'
import { deleteMinutes } from '../serving/store-ranker.ts'

const SITES_MAX = 10_000
const CAMPAIGNS_MAX = 100

interface Observed {
  readonly contextualObserver?: ContextualObserver | undefined
}

const COMMON = {
  retries: 2,
  backoff: { firstSeconds: 10, maxSeconds: 120 },
} as const

/** Works out the candidates for the pages of a site, all or only those of some campaigns. */
export const auctionSiteJob = defineJob({
  name: 'contextual.auction-site',
  payload: Type.Object({
    siteKey: Type.String({ pattern: '^[0-9]{1,18}$' }),
    campaigns: Type.Optional(Type.Array(Type.Number(), { maxItems: CAMPAIGNS_MAX })),
  }),
  ...COMMON,
  timeoutSeconds: 280,
  concurrency: 2,
  dedupeKey: ({ siteKey, campaigns }) => `auction-${siteKey}-${campaigns?.join('-') ?? 'all'}`,
  async run({ siteKey, campaigns }, deps: AuctionDeps & Observed, { log, signal }) {
    const done = await auctionSite(deps, { siteId: BigInt(siteKey), campaigns, signal })
    deps.contextualObserver?.auctioned(done.pages)
    if (done.written > 0) log.info({ siteKey, ...done }, 'pages auctioned')
  },
})

interface TickDeps extends Observed {
  readonly db: Database
  readonly clock: Clock
  readonly jobs: Jobs
}

const OVER_PER_ROUND = 5_000
const ROUNDS_MAX = 50
const MINUTES_KEPT_MS = 2 * 3_600_000

/** Auctions every site and deletes expired entries. Runs every five minutes. */
export const auctionSitesJob = defineJob({
  name: 'contextual.auction-sites',
  payload: Type.Object({}),
  ...COMMON,
  timeoutSeconds: 120,
  concurrency: 1,
  async run(_, { db, clock, jobs, contextualObserver }: TickDeps) {
    for (const siteKey of await listAuctionSites(db, SITES_MAX)) {
      await jobs.enqueue(db, auctionSiteJob, { payload: { siteKey: String(siteKey) } })
    }
    const now = clock.now()
    for (let round = 0; round < ROUNDS_MAX; round++) {
      if ((await deleteOver(db, now, OVER_PER_ROUND)) < OVER_PER_ROUND) break
    }
    await deleteMinutes(db, new Date(now.getTime() - MINUTES_KEPT_MS))
    contextualObserver?.ticked()
  },
})

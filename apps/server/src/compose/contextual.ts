import { seededDraws } from '@placard/learning'
import {
  appendBanner,
  type Classifier,
  type ContextualObserver,
  createFetcher,
  createOpenAiClassifier,
  listWantedContent,
  Newsroom,
  openAdProducts,
  openContentTaxonomy,
  openLexicalClassifier,
  ReauctionWatcher,
  startTeaching,
  type WantedDeps,
} from '../capabilities/contextual/index.ts'
import type { Surroundings } from './api.ts'
import type { Config } from '../settings/config.ts'
import { followChanges } from '../platform/changes/changes.ts'
import { startLoop } from '../platform/background/loop.ts'
import { cursorNow } from '../platform/database/ordered-feed.ts'
import type { Jobs } from '../platform/jobs/job.ts'
import { systemTimers } from '../platform/background/timers.ts'

/** What the contextual routes need beside what all routes need. */
export const contextualDeps = ({ db, newsroom }: Surroundings) => ({
  newsroom: newsroom ?? new Newsroom(db),
  timers: systemTimers,
  taxonomy: openContentTaxonomy(),
  contentOf: openAdProducts().contentOf,
})

/** Hosts of ours that may be read: the demo reads its own pages. */
function allowedHosts({ CRAWL_ALLOWED_HOSTS, PLACARD_MODE, API_PORT }: Config): readonly string[] {
  const listed = CRAWL_ALLOWED_HOSTS.split(/[\s,]+/).filter(Boolean)
  return PLACARD_MODE === 'demo' ? [...listed, `localhost:${API_PORT}`] : listed
}

const SEEDS = 2 ** 32

const auctioneer = ({ random }: Surroundings) => ({
  taxonomy: openContentTaxonomy(),
  contentOf: openAdProducts().contentOf,
  draws: seededDraws(Math.floor(random.draw() * SEEDS)),
})

/** What the contextual jobs need beside what all jobs need. */
export function contextualJobDeps(
  surroundings: Surroundings,
  contextualObserver: ContextualObserver,
) {
  const { config } = surroundings
  const auctioning = auctioneer(surroundings)
  return {
    ...auctioning,
    contextualObserver,
    classifier: classifierOf(surroundings, auctioning),
    fetcher: createFetcher({ allowedHosts: allowedHosts(config) }),
    pauseMs: config.CRAWL_PAUSE_MS,
    pause: (ms: number) => new Promise<void>((done) => void systemTimers.after(ms, done)),
  }
}

type Reference = Pick<WantedDeps, 'taxonomy' | 'contentOf'>

/** By words, unless the operator names somebody to ask; then by words while that fails. */
function classifierOf({ config, db, clock, log }: Surroundings, reference: Reference): Classifier {
  const { CLASSIFIER_URL: url, CLASSIFIER_MODEL: model, CLASSIFIER_API_KEY: apiKey } = config
  const instead = openLexicalClassifier(reference.taxonomy)
  if (url === undefined) return instead
  return createOpenAiClassifier(
    {
      clock,
      taxonomy: reference.taxonomy,
      instead,
      listWanted: () => listWantedContent({ db, ...reference }),
      onError: (error) => log.warn({ err: error }, 'the classifier did not answer'),
    },
    { url, model, apiKey, callsPerMinute: config.CLASSIFIER_CALLS_PER_MINUTE },
  )
}

const BUDGETS_MS = 1_000
const BACKOFF = { firstMs: 1_000, maxMs: 30_000 }

/** Watches what calls for new auctions, and lets pages and creatives learn. */
export async function composeContextual(
  surroundings: Surroundings & { readonly url: string },
  { jobs, observer }: { readonly jobs: Jobs; readonly observer: ContextualObserver },
): Promise<{ stop(): Promise<void> }> {
  const { db, url, clock, log } = surroundings
  const timers = systemTimers
  const telling = (message: string) => (error: unknown) => log.warn({ err: error }, message)
  const auctioning = { db, clock, ...auctioneer(surroundings) }
  const watcher = new ReauctionWatcher({
    db,
    clock,
    jobs,
    onEvent: observer.happened,
    append: (siteKey, bannerKey) =>
      appendBanner(auctioning, { siteId: BigInt(siteKey), bannerKey }),
  })
  const from = await cursorNow(db)
  await watcher.load()
  const onError = telling('pages could not be auctioned anew')
  const follower = followChanges({ db, url, timers, from, subscriber: watcher, onError })
  const budgets = startLoop({
    timers,
    onError,
    backoff: BACKOFF,
    async turn() {
      await watcher.lookAtBudgets()
      return BUDGETS_MS
    },
  })
  const teaching = startTeaching({
    db,
    clock,
    timers,
    onError: telling('events could not be learned from'),
  })
  return {
    async stop() {
      await teaching.stop()
      await budgets.stop()
      await follower.stop()
    },
  }
}

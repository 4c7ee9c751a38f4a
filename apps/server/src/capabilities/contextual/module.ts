import { seededDraws } from '@placard/learning'
import { startLoop } from '../../platform/background/loop.ts'
import { bindJob, type Jobs } from '../../platform/jobs/job.ts'
import {
  backgroundWork,
  type CapabilityModule,
  type ProcessBase,
  routeGroup,
  warnOf,
} from '../../platform/module.ts'
import type { LiveUpdates } from '../../platform/live-updates/live-updates.ts'
import { type Config, readableHostsOf } from '../../settings/config.ts'
import { auctionSiteJob, auctionSitesJob } from './auction/jobs.ts'
import { appendBanner } from './auction/operations-auction.ts'
import { ReauctionWatcher } from './auction/watcher.ts'
import type { Classifier } from './classify/classifier.ts'
import { createOpenAiClassifier } from './classify/openai-classifier.ts'
import {
  openAdProducts,
  openContentTaxonomy,
  openLexicalClassifier,
} from './classify/reference-data.ts'
import type { ResourceDeps } from '../../platform/resources/index.ts'
import { measureServeIndex, observeContextual } from './metrics.ts'
import { createFetcher } from '../../platform/http/fetcher.ts'
import {
  crawlSiteJob,
  crawlSitesJob,
  forgetPagesJob,
  judgePageJob,
  visitPagesJob,
} from './pages/jobs.ts'
import { openPageReader } from './pages/page-reader.ts'
import { listWantedContent, type WantedDeps } from './pages/operations-wanted.ts'
import { contextualRoutes } from './routes.ts'
import { openServeIndex, type ServeIndex } from './serving/serve-index.ts'
import { startRankerFeedback } from './serving/ranker-feedback.ts'

export const CONTEXTUAL_JOBS = [
  crawlSitesJob,
  auctionSitesJob,
  forgetPagesJob,
  crawlSiteJob,
  visitPagesJob,
  judgePageJob,
  auctionSiteJob,
]

const SEEDS = 2 ** 32
const BUDGETS_MS = 1_000
const BACKOFF = { firstMs: 1_000, maxMs: 30_000 }

export interface ContextualApiDeps extends Pick<ProcessBase, keyof ResourceDeps | 'timers'> {
  readonly jobs: Jobs | undefined
  readonly liveUpdates: LiveUpdates
}

/** Pages and their categories, and live updates of the console. */
export const contextualApi = (deps: ContextualApiDeps): CapabilityModule => ({
  name: 'contextual',
  routes: [
    routeGroup('/api/v1/admin', contextualRoutes, {
      ...deps,
      taxonomy: openContentTaxonomy(),
      ...openAdProducts(),
    }),
  ],
})

export interface ContextualServingDeps extends ProcessBase {
  /** Without a queue, unknown pages are not crawled. */
  readonly jobs: Jobs | undefined
  readonly liveUpdates: LiveUpdates
}

/** The serve index and the page index of a node. */
export async function contextualServing(
  deps: ContextualServingDeps,
): Promise<CapabilityModule & Pick<ServeIndex, 'memory'>> {
  const { clock, jobs, timers, metrics, liveUpdates } = deps
  const index = await openServeIndex(deps)
  measureServeIndex(metrics, { memory: index.memory, liveUpdates }, clock)
  return {
    name: 'contextual',
    memory: index.memory,
    followers: [index.subscriber],
    ...backgroundWork((running) => {
      if (!jobs) return
      const onError = warnOf(deps, 'new pages are not told of')
      const keeping = index.start({ jobs, timers, onError })
      running.defer(() => keeping.stop())
    }),
  }
}

export interface ContextualWorkerDeps extends ProcessBase {
  readonly config: Pick<
    Config,
    | 'CRAWL_ALLOWED_HOSTS'
    | 'CRAWL_PAUSE_MS'
    | 'PLACARD_MODE'
    | 'API_PORT'
    | 'CLASSIFIER_URL'
    | 'CLASSIFIER_MODEL'
    | 'CLASSIFIER_API_KEY'
    | 'CLASSIFIER_CALLS_PER_MINUTE'
  >
  readonly jobs: Jobs
}

/** Crawls and auctions pages, watches for changes that need an auction, and trains the ranker. */
export async function contextualWorker(deps: ContextualWorkerDeps): Promise<CapabilityModule> {
  const { config, db, clock, ids, jobs, timers, metrics } = deps
  const contextualObserver = observeContextual(metrics, deps)
  const auctioning = { db, clock, ...auctioneer(deps), contextualObserver }
  const ticking = { db, clock, jobs, contextualObserver }
  const reader = openPageReader()
  const crawling = {
    ...auctioning,
    ids,
    jobs,
    reader,
    classifier: classifierOf(deps, auctioning),
    fetcher: createFetcher({ allowedHosts: readableHostsOf(config) }),
    pauseMs: config.CRAWL_PAUSE_MS,
    pause: (ms: number) => new Promise<void>((done) => void timers.after(ms, done)),
  }
  const watcher = new ReauctionWatcher({
    db,
    clock,
    jobs,
    onEvent: contextualObserver.happened,
    append: (siteKey, bannerKey) =>
      appendBanner(auctioning, { siteId: BigInt(siteKey), bannerKey }),
  })
  await watcher.load()
  return {
    name: 'contextual',
    jobs: [
      bindJob(crawlSitesJob, ticking, '* * * * *'),
      bindJob(auctionSitesJob, ticking, '*/5 * * * *'),
      bindJob(forgetPagesJob, { db, clock }, '2-59/5 * * * *'),
      bindJob(crawlSiteJob, crawling),
      bindJob(visitPagesJob, crawling),
      bindJob(judgePageJob, crawling),
      bindJob(auctionSiteJob, auctioning),
    ],
    followers: [watcher],
    ...backgroundWork((running) => {
      running.defer(() => reader.close())
      const onError = warnOf(deps, 'pages could not be auctioned again')
      const budgets = startLoop({
        timers,
        onError,
        backoff: BACKOFF,
        async iterate() {
          await watcher.checkBudgets()
          return BUDGETS_MS
        },
      })
      running.defer(() => budgets.stop())
      const onTrainingError = warnOf(deps, 'the ranker could not be trained')
      const rankerFeedback = startRankerFeedback({ db, clock, timers, onError: onTrainingError })
      running.defer(() => rankerFeedback.stop())
    }),
  }
}

const auctioneer = ({ random }: Pick<ProcessBase, 'random'>) => ({
  taxonomy: openContentTaxonomy(),
  contentOf: openAdProducts().contentOf,
  draws: seededDraws(Math.floor(random.draw() * SEEDS)),
})

type Reference = Pick<WantedDeps, 'taxonomy' | 'contentOf'>

/**
 * The lexical classifier, unless the settings name a model. The lexical one then answers while the
 * model fails.
 */
function classifierOf(deps: ContextualWorkerDeps, reference: Reference): Classifier {
  const { config, db, clock } = deps
  const { CLASSIFIER_URL: url, CLASSIFIER_MODEL: model, CLASSIFIER_API_KEY: apiKey } = config
  const instead = openLexicalClassifier(reference.taxonomy)
  if (url === undefined) return instead
  return createOpenAiClassifier(
    {
      clock,
      taxonomy: reference.taxonomy,
      instead,
      listWanted: () => listWantedContent({ db, ...reference }),
      onError: warnOf(deps, 'the classifier did not answer'),
    },
    { url, model, apiKey, callsPerMinute: config.CLASSIFIER_CALLS_PER_MINUTE },
  )
}

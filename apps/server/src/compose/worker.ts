import type { Pool } from 'pg'
import { Type } from 'typebox'
import { auditTo, clearSessionsJob } from '../capabilities/accounts/index.ts'
import { proveLedgerJob } from '../capabilities/budgets/index.ts'
import { syncScheduleStatusJob } from '../capabilities/campaigns/index.ts'
import {
  backfillJob,
  syncStatsJob,
  tickJob,
  trimRawJob,
  watchJob,
} from '../capabilities/channels/index.ts'
import { clearSegmentsJob, keepAuctionDaysJob } from '../capabilities/decisions/index.ts'
import {
  auctionSiteJob,
  auctionSitesJob,
  crawlSiteJob,
  crawlSitesJob,
  type ContextualObserver,
  forgetPagesJob,
  observeContextual,
  visitPagesJob,
} from '../capabilities/contextual/index.ts'
import { trimEventsJob } from '../capabilities/events-out/index.ts'
import {
  refreshGeoIpJob,
  reviewAgainJob,
  trimGeoProfileJob,
} from '../capabilities/geo-profile/index.ts'
import { sendNoticesJob, trimNoticesJob } from '../capabilities/notices/index.ts'
import {
  CLICKS,
  CONVERSIONS,
  judgeAgentsJob,
  observeLearners,
  startLearner,
  stepAgentsJob,
  trimAgentsJob,
} from '../capabilities/learning/index.ts'
import {
  observeBuilder,
  requestRebuild,
  rollUpStatsJob,
  sendReportsJob,
  startBuilder,
  trimStatsJob,
} from '../capabilities/reports/index.ts'
import { channelDeps, isTicking, providersOf } from './channels.ts'
import { composeContextual, contextualJobDeps } from './contextual.ts'
import { composeEvents } from './events.ts'
import { aboutGeoIp, composeGeoWorker } from './geo.ts'
import { composeNotices } from './notices.ts'
import {
  dropDaysJob,
  forgetUsersJob,
  makeDaysJob,
  rescoreJob,
  trimTrackingJob,
} from '../capabilities/tracking/index.ts'
import { trimChangesJob } from '../platform/changes/jobs.ts'
import { pingDatabase } from '../platform/database/ping.ts'
import { clearAnswersJob } from '../platform/http/jobs.ts'
import { type HealthChecks, healthRoutes } from '../platform/http/health.ts'
import { createHttp, type Http } from '../platform/http/server.ts'
import { idsFrom } from '../platform/ids.ts'
import type { Job, RunnableJob } from '../platform/jobs/job.ts'
import { forgetSilentNodesJob } from '../platform/nodes/jobs.ts'
import { trimOutboxJob } from '../platform/outbox/jobs.ts'
import { measureQueues, observeJobs } from '../platform/telemetry/job-metrics.ts'
import { systemTimers } from '../platform/background/timers.ts'
import { metricsRoute } from '../platform/telemetry/metrics.ts'
import { openJobs } from './jobs.ts'
import type { Config } from '../settings/config.ts'
import { campaignEvents } from './campaign-events.ts'
import { metricsAccess, type Surroundings } from './api.ts'

export interface Worker {
  readonly http: Http
  /** Takes no more work, finishes what runs, lets go. */
  stop(): Promise<void>
}

const NOTHING = Type.Object({})
type Chore = Job<typeof NOTHING, never>

/** Work that comes with time alone, and when. */
const choresOf = (config: Config): readonly { readonly job: Chore; readonly cron: string }[] => [
  { job: syncScheduleStatusJob, cron: config.BANNER_SCHEDULE_SYNC_CRON },
  { job: clearSessionsJob, cron: '7 * * * *' },
  { job: clearAnswersJob, cron: '17 * * * *' },
  { job: keepAuctionDaysJob, cron: '27 * * * *' },
  { job: clearSegmentsJob, cron: '37 * * * *' },
  { job: makeDaysJob, cron: '3 * * * *' },
  { job: dropDaysJob, cron: '43 2 * * *' },
  { job: forgetUsersJob, cron: '*/15 * * * *' },
  { job: rescoreJob, cron: '* * * * *' },
  { job: trimTrackingJob, cron: '47 * * * *' },
  { job: proveLedgerJob, cron: '57 * * * *' },
  { job: trimChangesJob, cron: '*/15 * * * *' },
  { job: trimOutboxJob, cron: '*/15 * * * *' },
  { job: forgetSilentNodesJob, cron: '*/15 * * * *' },
  { job: rollUpStatsJob, cron: config.BANNER_STATS_ROLLUP_CRON },
  { job: trimEventsJob, cron: '53 * * * *' },
  { job: crawlSitesJob, cron: '* * * * *' },
  { job: auctionSitesJob, cron: '*/5 * * * *' },
  { job: forgetPagesJob, cron: '2-59/5 * * * *' },
  { job: tickJob, cron: config.CHANNEL_SYNC_CRON },
  { job: watchJob, cron: '4,19,34,49 * * * *' },
  { job: sendReportsJob, cron: '* * * * *' },
  { job: sendNoticesJob, cron: '* * * * *' },
  { job: trimStatsJob, cron: '11 * * * *' },
  { job: trimRawJob, cron: '31 * * * *' },
  { job: trimNoticesJob, cron: '23 * * * *' },
  { job: trimGeoProfileJob, cron: '33 * * * *' },
  { job: refreshGeoIpJob, cron: '13 4 * * *' },
  { job: reviewAgainJob, cron: '19 * * * *' },
  { job: stepAgentsJob, cron: '*/15 * * * *' },
  { job: judgeAgentsJob, cron: '9 * * * *' },
  { job: trimAgentsJob, cron: '23 5 * * *' },
]

/** Every job there is. */
export const jobsOf = (config: Config): readonly RunnableJob<never>[] => [
  ...choresOf(config).map(({ job }) => job),
  syncStatsJob,
  backfillJob,
  crawlSiteJob,
  visitPagesJob,
  auctionSiteJob,
]

interface WorkerSurroundings extends Surroundings {
  readonly url: string
  readonly pool: Pool
}

/** The background work of one process: jobs, the outbox relay, and a health route of its own. */
export async function composeWorker(surroundings: WorkerSurroundings): Promise<Worker> {
  const { config, db, metrics, clock } = surroundings
  const knownJobs = jobsOf(config)
  const ids = idsFrom(surroundings)
  await using opening = new AsyncDisposableStack()
  const eventsOut = composeEvents(surroundings)
  opening.defer(() => eventsOut.stop())
  const observer = observeBuilder({ ...surroundings, registry: metrics })
  const statistics = startBuilder({ db, clock, timers: systemTimers, observer })
  const observerOf = observeLearners({ ...surroundings, registry: metrics })
  for (const lessons of [CLICKS, CONVERSIONS]) {
    const observer = observerOf(lessons.evidence)
    const learner = startLearner({ db, clock, timers: systemTimers, observer, lessons })
    opening.defer(() => learner.stop())
  }
  opening.defer(() => statistics.stop())
  const geo = await composeGeoWorker(surroundings)
  opening.defer(() => geo.stop())
  const notices = composeNotices(surroundings)
  opening.defer(() => notices.stop())
  const jobs = await openJobs({
    ...surroundings,
    role: 'worker',
    jobs: knownJobs,
    observer: observeJobs(metrics),
  })
  opening.defer(() => jobs.stop())
  measureQueues(metrics, jobs)
  const contextualObserver = observeContextual(metrics, surroundings)
  const parts = { jobs, ids, eventsOut, geo, notices, contextualObserver }
  await jobs.work(knownJobs, jobDeps(surroundings, parts) as never)
  for (const { job, cron } of choresOf(config)) await jobs.schedule(job, cron, {})
  await jobs.enqueue(db, reviewAgainJob, { payload: {} })
  const contextual = await composeContextual(surroundings, { jobs, observer: contextualObserver })
  opening.defer(() => contextual.stop())
  const http = await healthServer(surroundings, {
    facts: () => ({ geoIp: aboutGeoIp(geo.geoIp) }),
    probes: {
      geoIp: async () => geo.geoIp.isFresh(),
      queue: async () => (await jobs.counts()).length > 0,
      channels: isTicking(surroundings),
    },
  })
  const opened = opening.move()
  return { http, stop: () => opened.disposeAsync() }
}

interface WorkerParts {
  readonly jobs: Awaited<ReturnType<typeof openJobs>>
  readonly ids: ReturnType<typeof idsFrom>
  readonly eventsOut: ReturnType<typeof composeEvents>
  readonly geo: Awaited<ReturnType<typeof composeGeoWorker>>
  readonly notices: ReturnType<typeof composeNotices>
  readonly contextualObserver: ContextualObserver
}

/** What any of the jobs may need. */
function jobDeps(
  surroundings: WorkerSurroundings,
  { jobs, ids, eventsOut, geo, notices, contextualObserver }: WorkerParts,
) {
  const { config, db, pool, clock } = surroundings
  return {
    db,
    clock,
    jobs,
    ids,
    ...contextualJobDeps(surroundings, contextualObserver),
    ...channelDeps(surroundings),
    providers: providersOf(surroundings),
    listSinks: () => eventsOut.listSinks(),
    webhookRetentionDays: config.WEBHOOK_RETENTION_DAYS,
    pool,
    random: surroundings.random,
    audit: auditTo({ ids, clock }),
    geoIp: geo.geoIp,
    geoReview: geo.reviewDeps,
    notices: notices.sending,
    rawRetentionDays: config.CHANNEL_RAW_RETENTION_DAYS,
    statsRetentionDays: statsRetentionDays(config),
    observationRetentionDays: config.GEO_OBSERVATION_RETENTION_DAYS,
    events: campaignEvents(ids),
    auctionRetentionDays: config.AUCTION_RETENTION_DAYS,
    retentionDays: retentionDays(config),
    rebuildStats: (day: string) => requestRebuild(db, day, clock.now()),
  }
}

const statsRetentionDays = (config: Config) => ({
  quarters: config.STATS_QUARTER_RETENTION_DAYS,
  days: config.STATS_DAY_RETENTION_DAYS,
})

const retentionDays = (config: Config) => ({
  impressions: config.EVENT_RETENTION_DAYS,
  views: config.EVENT_RETENTION_DAYS,
  clicks: config.EVENT_RETENTION_DAYS,
  conversions: config.CONVERSION_RETENTION_DAYS,
})

/** Nobody signs in at a worker: its routes are for probes and Prometheus. */
async function healthServer(
  surroundings: Surroundings,
  { facts, probes }: Required<Pick<HealthChecks, 'facts' | 'probes'>>,
): Promise<Http> {
  const { config, db, log, metrics } = surroundings
  const http = await createHttp({
    log: log,
    ids: idsFrom(surroundings),
    trustedProxies: [],
    permitsPerMinute: config.RATE_LIMIT_PERMITS_PER_MINUTE,
    identify: async () => undefined,
  })
  healthRoutes(http, {
    isReady: () => true,
    facts: () => ({
      ...facts(),
      queue: syncStatsJob.queue!,
      uptime: Math.round(process.uptime()),
    }),
    probes: { database: () => pingDatabase(db), ...probes },
  })
  metricsRoute(http, { registry: metrics, access: metricsAccess(config) })
  return http
}

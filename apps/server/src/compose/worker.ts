import { accountsWorker } from '../capabilities/accounts/module.ts'
import { budgetsWorker } from '../capabilities/budgets/module.ts'
import { campaignsWorker } from '../capabilities/campaigns/module.ts'
import { changeSetsWorker } from '../capabilities/change-sets/module.ts'
import { channelsWorker } from '../capabilities/channels/module.ts'
import { consentWorker } from '../capabilities/consent/module.ts'
import { contextualWorker } from '../capabilities/contextual/module.ts'
import { decisionsWorker } from '../capabilities/decisions/module.ts'
import { eventsWorker } from '../capabilities/events-out/module.ts'
import { firstStepsWorker } from '../capabilities/first-steps/module.ts'
import { frequencyWorker } from '../capabilities/frequency/module.ts'
import { geoProfileWorker } from '../capabilities/geo-profile/module.ts'
import { inventoryWorker } from '../capabilities/inventory/module.ts'
import { learningWorker } from '../capabilities/learning/module.ts'
import { noticesWorker } from '../capabilities/notices/module.ts'
import { reportsWorker } from '../capabilities/reports/module.ts'
import { trackingWorker } from '../capabilities/tracking/module.ts'
import { cursorNow } from '../platform/database/ordered-feed.ts'
import { pingDatabase } from '../platform/database/ping.ts'
import { housekeepingWorker } from '../platform/housekeeping.ts'
import { healthRoutes } from '../platform/http/health.ts'
import { createHttp, type Http } from '../platform/http/server.ts'
import type { Jobs } from '../platform/jobs/job.ts'
import { openJobs } from '../platform/jobs/open.ts'
import type { CapabilityModule } from '../platform/module.ts'
import { followersOf, followingOf, healthOf, startModules, stoppedBy } from '../platform/modules.ts'
import { measureSetAside } from '../platform/set-aside/metrics.ts'
import { measureQueues, observeJobs } from '../platform/telemetry/job-metrics.ts'
import { metricsRoute } from '../platform/telemetry/metrics.ts'
import { metricsAccess, type PlacardBase } from './base.ts'
import { JOBS } from './jobs.ts'
import { SEALED_COLUMNS } from './sealed.ts'
import { openStorage } from './storage.ts'

export interface Worker {
  readonly http: Http
  /** Takes no more jobs, finishes running ones, and closes. */
  stop(): Promise<void>
}

/** Placard's background work. Remove a line, and this process runs without that capability. */
export async function workerModules(
  base: PlacardBase,
  jobs: Jobs,
): Promise<readonly CapabilityModule[]> {
  const events = eventsWorker(base)
  const reports = reportsWorker({ ...base, storage: openStorage(base.config) })
  return [
    events,
    reports,
    housekeepingWorker({ ...base, listSinks: events.listSinks, sealedColumns: SEALED_COLUMNS }),
    accountsWorker(base),
    firstStepsWorker(base),
    campaignsWorker(base),
    changeSetsWorker(base),
    inventoryWorker({ ...base, jobs }),
    decisionsWorker(base),
    consentWorker(base),
    frequencyWorker(base),
    budgetsWorker(base),
    trackingWorker({
      ...base,
      rebuildStats: reports.rebuildStats,
      eraseFromDeliveries: events.eraseFromDeliveries,
    }),
    learningWorker(base),
    await geoProfileWorker({ ...base, jobs }),
    noticesWorker(base),
    channelsWorker({ ...base, jobs }),
    await contextualWorker({ ...base, jobs }),
  ]
}

/** Opens the queue, starts the modules, runs their jobs and answers health probes. */
export async function composeWorker(base: PlacardBase): Promise<Worker> {
  const { metrics } = base
  await using opening = new AsyncDisposableStack()
  const observer = observeJobs(metrics)
  const jobs = await openJobs({ ...base, role: 'worker', jobs: JOBS, observer })
  opening.defer(() => jobs.stop())
  measureQueues(metrics, jobs)
  measureSetAside(metrics, base.db)

  const from = await cursorNow(base.db)
  const modules = (await workerModules(base, jobs)).map(stoppedBy(opening))
  await startModules(modules)
  const scheduled = modules.flatMap((module) => module.jobs ?? [])
  await jobs.work(scheduled)
  // Jobs end before the modules they use.
  opening.defer(() => jobs.stop())
  for (const { definition, cron } of scheduled) {
    if (cron !== undefined) await jobs.schedule(definition, cron, {})
  }
  const follower = followersOf(modules, { ...base, from })
  opening.defer(() => follower.stop())

  const queue = { name: 'queue', probes: { queue: async () => (await jobs.counts()).length > 0 } }
  const http = await healthServer(base, [...modules, queue, followingOf(follower)])
  const opened = opening.move()
  return { http, stop: () => opened.disposeAsync() }
}

/** Nobody signs in to a worker: its routes are for probes and Prometheus. */
async function healthServer(
  base: PlacardBase,
  modules: readonly CapabilityModule[],
): Promise<Http> {
  const { config, db, log, ids, metrics } = base
  const http = await createHttp({
    log,
    ids,
    trustedProxies: [],
    permitsPerMinute: config.RATE_LIMIT_PERMITS_PER_MINUTE,
    identify: async () => undefined,
  })
  const { facts, probes, isReady } = healthOf(modules)
  healthRoutes(http, {
    isReady,
    facts: () => ({ ...facts(), uptime: Math.round(process.uptime()) }),
    probes: { database: () => pingDatabase(db), ...probes },
  })
  metricsRoute(http, { registry: metrics, access: metricsAccess(config) })
  return http
}

import { accountsApi } from '../capabilities/accounts/module.ts'
import { bookingApi } from '../capabilities/booking/module.ts'
import { budgetsApi } from '../capabilities/budgets/module.ts'
import { advertiser, campaign } from '../capabilities/campaigns/index.ts'
import { campaignsApi } from '../capabilities/campaigns/module.ts'
import { changeSetsApi } from '../capabilities/change-sets/module.ts'
import { channelsApi } from '../capabilities/channels/module.ts'
import { taxonomyFormats } from '../capabilities/contextual/index.ts'
import { consentApi } from '../capabilities/consent/module.ts'
import { contextualApi } from '../capabilities/contextual/module.ts'
import { banner, requestApprovalsOfSlot } from '../capabilities/creatives/index.ts'
import { creativesApi } from '../capabilities/creatives/module.ts'
import { eventsApi } from '../capabilities/events-out/module.ts'
import { firstStepsApi } from '../capabilities/first-steps/module.ts'
import { frequencyApi } from '../capabilities/frequency/module.ts'
import { sessionDecided } from '../capabilities/geo-profile/index.ts'
import { geoProfileApi } from '../capabilities/geo-profile/module.ts'
import { publisher } from '../capabilities/inventory/index.ts'
import { inventoryApi } from '../capabilities/inventory/module.ts'
import { learningApi } from '../capabilities/learning/module.ts'
import { noticesApi } from '../capabilities/notices/module.ts'
import { proposalsApi } from '../capabilities/proposals/module.ts'
import { reportsApi } from '../capabilities/reports/module.ts'
import { searchApi } from '../capabilities/search/module.ts'
import { trackingApi } from '../capabilities/tracking/module.ts'
import { pingDatabase } from '../platform/database/ping.ts'
import type { Identify } from '../platform/http/access.ts'
import { healthRoutes } from '../platform/http/health.ts'
import { serveReference } from '../platform/http/reference/routes.ts'
import { createHttp, type Http } from '../platform/http/server.ts'
import { openQueueBoard } from '../platform/jobs/open.ts'
import { LiveUpdates } from '../platform/live-updates/live-updates.ts'
import type { CapabilityModule } from '../platform/module.ts'
import { addHooks, healthOf, mountRoutes, startModules, stoppedBy } from '../platform/modules.ts'
import { measureRequests, metricsRoute } from '../platform/telemetry/metrics.ts'
import { linkSchemesOf } from '../settings/config.ts'
import { type ApiBase, metricsAccess } from './base.ts'
import { demoSignIns, shopModule, withDemoReaders } from './demo.ts'
import { operationsApi } from './operations.ts'
import { pagesModule } from './pages.ts'
import { SEARCHABLES } from './search.ts'
import type { Serving } from './serving.ts'
import { SWITCHES } from './switches.ts'

export interface Api {
  readonly http: Http
  /** The node asks for no more traffic and finishes what it has. */
  drain(): void
  /** Answers requests under way, and closes. */
  stop(): Promise<void>
}

/** Everything people manage. Remove a line, and this process runs without that capability. */
export function apiModules(base: ApiBase, liveUpdates: LiveUpdates): readonly CapabilityModule[] {
  const { config } = base
  return [
    pagesModule(),
    ...(config.PLACARD_MODE === 'demo' ? [shopModule(base)] : []),
    creativesApi(base),
    inventoryApi({ ...base, whenSlotAppears: requestApprovalsOfSlot }),
    campaignsApi(base),
    changeSetsApi(base),
    searchApi({ ...base, searchables: SEARCHABLES }),
    bookingApi(base),
    proposalsApi({ ...base, proposable: [advertiser, campaign, banner, publisher] }),
    frequencyApi(base),
    consentApi(base),
    contextualApi({ ...base, liveUpdates }),
    channelsApi(base),
    budgetsApi(base),
    learningApi(base),
    trackingApi(base),
    operationsApi(base),
    firstStepsApi(base),
    eventsApi(base),
    noticesApi(base),
    reportsApi(base),
    geoProfileApi(base),
  ]
}

/** One node's API; `serving` adds ads. Requests with `demoKey` speak for the demo's readers. */
export async function composeApi(base: ApiBase, serving?: Serving, demoKey?: string): Promise<Api> {
  await using opening = new AsyncDisposableStack()
  const accounts = accountsApi({
    ...base,
    switchDefinitions: SWITCHES,
    demo: demoSignIns(base.config),
    whenSessionDecided: sessionDecided,
  })
  const managing = [accounts, ...apiModules(base, serving?.liveUpdates ?? new LiveUpdates(base.db))]
  managing.forEach(stoppedBy(opening))
  await startModules(managing)

  let draining = false
  const http = await openHttp(base, withDemoReaders(accounts.identify, demoKey))
  opening.defer(() => http.close())
  const modules = [...managing, ...(serving?.modules ?? [])]
  await mountAll(http, { base, modules, isDraining: () => draining })
  await openQueueBoard(http, { ...base, ...accounts, jobs: base.knownJobs })
  await serveReference(http)
  const opened = opening.move()
  return { http, drain: () => (draining = true), stop: () => opened.disposeAsync() }
}

async function openHttp(base: ApiBase, identify: Identify): Promise<Http> {
  const { config, metrics, tracing } = base
  const http = await createHttp({
    ...base,
    trustedProxies: config.TRUSTED_PROXIES.split(/[\s,]+/).filter(Boolean),
    permitsPerMinute: config.RATE_LIMIT_PERMITS_PER_MINUTE,
    accountPermitsPerMinute: config.RATE_LIMIT_ACCOUNT_PERMITS_PER_MINUTE,
    identify,
    linkSchemes: linkSchemesOf(config),
    formats: taxonomyFormats(),
    hasFastLane: tracing === undefined && config.LOG_LEVEL !== 'debug',
  })
  await tracing?.attach(http)
  measureRequests(http, metrics)
  return http
}

interface Mounting {
  readonly base: ApiBase
  readonly modules: readonly CapabilityModule[]
  isDraining(): boolean
}

/** Not ready while draining, or while a module is not: events could not be stored. */
async function mountAll(http: Http, { base, modules, isDraining }: Mounting): Promise<void> {
  const { config, db, metrics } = base
  const { isReady, probes, facts } = healthOf(modules)
  addHooks(http, modules)
  healthRoutes(http, {
    isReady: () => !isDraining() && isReady(),
    probes: { database: () => pingDatabase(db), ...probes },
    facts,
  })
  metricsRoute(http, { registry: metrics, access: metricsAccess(config) })
  await mountRoutes(http, modules)
}

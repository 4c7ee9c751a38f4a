import { applyChange, type SpendVerdict } from '@placard/decision-engine'
import { systemLoad } from '../../platform/background/load.ts'
import type { Countries } from '../../platform/geo-ip/countries.ts'
import { keepGeoIp } from '../../platform/geo-ip/keeper.ts'
import { bindJob } from '../../platform/jobs/job.ts'
import {
  backgroundWork,
  type CapabilityModule,
  type ProcessBase,
  routeGroup,
  warnOf,
} from '../../platform/module.ts'
import type { Switches } from '../../platform/switches/view.ts'
import type { Config } from '../../settings/config.ts'
import type { Secrets } from '../../settings/secrets.ts'
import type { BudgetBook } from '../budgets/index.ts'
import { type ConsentCounts, createConsentReader } from '../consent/index.ts'
import type { Counters, Visits } from '../frequency/index.ts'
import type { Sealer } from '../tracking/index.ts'
import { type Catalogue, type CatalogueDeps, openCatalogue } from './catalogue/catalogue.ts'
import type { DeliverySources } from './delivery/facts.ts'
import { DeliveryKeeper, keepChecking } from './delivery/keeper.ts'
import { deliveryRoutes } from './delivery/routes.ts'
import { createExplainer, type Explainer, liveForExplanation } from './explain/explain.ts'
import { explainRoutes } from './explain/routes.ts'
import { clearSegmentsJob, keepAuctionDaysJob, prepareAuctionDays } from './jobs.ts'
import { createDecisionMetrics, measureCatalogue, measureHoldLimits } from './metrics.ts'
import { measureReaders } from './readers/metrics.ts'
import { createReaders, type RequestReaders } from './readers/reader-of-request.ts'
import type { Readers } from './readers/reader.ts'
import { readerRoutes } from './readers/routes.ts'
import { knownReadersSubscriber, loadKnownReaders } from './readers/known-readers-feed.ts'
import { loadPublishers, publishersSubscriber } from './readers/publishers-feed.ts'
import { Publishers } from './readers/publishers.ts'
import { createReaderMemory } from './readers/reader-memory.ts'
import { createRecorder } from './records/record-writer.ts'
import type { Recorder } from './records/recorder.ts'
import { auctionRoutes } from './records/routes.ts'
import type { PageIndex } from './serving/ad-request.ts'
import { HolderLimits } from './serving/holder-limits.ts'
import { type HoldTimes, RequestLive } from './serving/request-holds.ts'
import { type ServingDeps, servingRoutes } from './serving/routes.ts'
import { SitePacing } from './serving/site-pacing.ts'

/** A page call begins about as many holds. */
const SLOTS_PER_PAGE = 10

export const DECISION_JOBS = [keepAuctionDaysJob, clearSegmentsJob]

export interface ReadersServingDeps extends Pick<
  ProcessBase,
  'db' | 'clock' | 'timers' | 'log' | 'metrics'
> {
  readonly config: Pick<Config, 'GEOIP_PATH' | 'TCF_VENDOR_ID' | 'CONSENT_WITHOUT_P2'>
  readonly secrets: Pick<Secrets, 'userKeySecret'>
}

export interface ReadersServing {
  readonly readers: RequestReaders
  readonly publishers: Publishers
}

/** Builds readers from requests: what is stored of them, and the country by the current Geo-IP file. */
export async function readersServing(
  deps: ReadersServingDeps,
): Promise<CapabilityModule & ReadersServing> {
  const { db, clock, metrics, config, secrets } = deps
  const known = createReaderMemory()
  await loadKnownReaders(db, known)
  const publishers = new Publishers()
  await loadPublishers(db, publishers)
  const onError = warnOf(deps, 'the Geo-IP file was not read again')
  const keeper = await keepGeoIp({ ...deps, file: config.GEOIP_PATH, onError })
  const geo: Countries = {
    countryOf: (address) => keeper.countries.countryOf(address),
    get builtAt() {
      return keeper.countries.builtAt
    },
  }
  const readers = createReaders({
    secret: secrets.userKeySecret,
    clock,
    geo,
    known,
    readConsent: createConsentReader({
      vendorId: config.TCF_VENDOR_ID,
      withoutPurpose2: config.CONSENT_WITHOUT_P2,
    }),
  })
  measureReaders(metrics, { clock, geo, known })
  return {
    name: 'readers',
    readers,
    publishers,
    routes: [routeGroup('/api/v1', readerRoutes, { db, clock, readers, publishers })],
    followers: [knownReadersSubscriber(db, known), publishersSubscriber(db, publishers)],
    stop: async () => keeper.stop(),
  }
}

export interface RecordsServingDeps extends Pick<
  ProcessBase,
  'db' | 'clock' | 'timers' | 'log' | 'metrics'
> {
  readonly readers: Pick<RequestReaders, 'userKeysOf'>
}

export interface RecordsServing {
  readonly recorder: Recorder
}

/** Writes the records of decisions after the answers. */
export async function recordsServing(
  deps: RecordsServingDeps,
): Promise<CapabilityModule & RecordsServing> {
  await prepareAuctionDays(deps)
  const recorder = createRecorder({ ...deps, load: systemLoad })
  return {
    name: 'records',
    recorder,
    routes: [routeGroup('/api/v1/admin', auctionRoutes, deps)],
    stop: () => recorder.flush(),
  }
}

/** What a decision needs from other capabilities: money, counts, the reader and a recorder. */
export interface DecisionPorts {
  readonly budgets: BudgetBook
  readonly counters: Counters
  /** Since when publishers know their readers. */
  readonly visits?: Visits | undefined
  readonly readers: Readers
  readonly consentCounts?: Pick<ConsentCounts, 'note'> | undefined
  readonly publishers: Publishers
  readonly recorder: Recorder
  readonly sealer: Sealer
  readonly holdTimes?: HoldTimes | undefined
  /** What is known about pages before they are requested. */
  readonly pages?: PageIndex | undefined
}

export interface DecisionsServingDeps
  extends
    Pick<ProcessBase, 'db' | 'clock' | 'random' | 'ids' | 'metrics' | 'log' | 'timers' | 'node'>,
    DecisionPorts,
    Pick<Required<CatalogueDeps>, 'scorer'> {
  /** The budget book that takes advertisers' and campaigns' terms from the catalogue. */
  readonly terms: CatalogueDeps['budgets']
  readonly switches: Switches
  /** Ad products that children do not see. */
  readonly blockedForChildren: ReadonlySet<string>
  readonly config: Pick<
    Config,
    | 'PUBLIC_URL'
    | 'NEW_VISITOR_SECONDS'
    | 'RESERVATIONS_PER_READER'
    | 'RESERVATION_UNVOUCHED_SECONDS'
  >
}

export interface DecisionsServing {
  readonly catalogue: Catalogue
  /** Decides again with the outcome of every candidate, and holds nothing. */
  readonly explainer: Explainer
  /** Checks which campaigns deliver. */
  readonly delivery: Pick<DeliveryKeeper, 'check'>
  /** What the doors of other languages answer with. */
  readonly serving: ServingDeps
  /**
   * Parks a campaign that is exhausted or ahead of plan, or lets it bid again. Call it between
   * decisions.
   */
  park(campaignKey: number, verdict: SpendVerdict): void
}

/** Answers ad requests from the catalogue in memory, and explains the answers. */
export async function decisionsServing(
  deps: DecisionsServingDeps,
): Promise<CapabilityModule & DecisionsServing> {
  const { db, clock, metrics, budgets, counters, config } = deps
  const catalogue = await openCatalogue({
    db,
    clock,
    budgets: deps.terms,
    scorer: deps.scorer,
    onRefused: (row) => deps.log.warn(row, 'the index has set a row aside'),
  })
  const { content, index } = catalogue
  measureCatalogue(metrics, catalogue, clock)
  const live = { content, budgets, counters }
  const liveOf = async (userKey: string | undefined) => {
    const counts = userKey === undefined ? undefined : await counters.read(userKey)
    return liveForExplanation(new RequestLive(live, { counts, isDry: true }), live)
  }
  const explainer = createExplainer({ index, pages: deps.pages, liveOf })
  const sources: DeliverySources = {
    index,
    content,
    budgets,
    live: liveForExplanation(new RequestLive(live, { counts: undefined, isDry: true }), live),
    isServing: () => deps.switches.isOn('decisions.serving'),
  }
  const keeper = new DeliveryKeeper({ ...deps, load: systemLoad, sources })
  const newVisitorMs = config.NEW_VISITOR_SECONDS * 1_000
  const [holdsMax, windowMs] = [
    config.RESERVATIONS_PER_READER,
    config.RESERVATION_UNVOUCHED_SECONDS * 1_000,
  ]
  const holdLimits = new HolderLimits({ max: holdsMax, windowMs })
  const callLimits = new HolderLimits({ max: Math.ceil(holdsMax / SLOTS_PER_PAGE), windowMs })
  measureHoldLimits(metrics, holdLimits)
  const serving = {
    ...deps,
    readers: countingConsent(deps),
    newVisitorMs,
    holdLimits,
    catalogue,
    // The site must not pace campaigns whose bid agent already plans their day.
    sitePacing: new SitePacing({ content, budgets, agents: index.bidMultipliers, callLimits }),
    metrics: createDecisionMetrics(metrics),
    publicUrl: config.PUBLIC_URL?.replace(/\/+$/, ''),
    childLimits: { blockedAdProducts: deps.blockedForChildren },
  }
  return {
    name: 'decisions',
    catalogue,
    explainer,
    delivery: keeper,
    serving,
    park: (campaignKey, verdict) =>
      applyChange(index, { put: 'spend-verdict', record: { campaignKey, verdict } }),
    routes: [
      routeGroup('/api/v1', servingRoutes, serving),
      routeGroup('/api/v1/admin', explainRoutes, { ...deps, newVisitorMs, explainer, content }),
      routeGroup('/api/v1/admin', deliveryRoutes, { db, clock, sources, liveOf }),
    ],
    followers: [catalogue.subscriber],
    ...backgroundWork((running) => {
      const onError = warnOf(deps, 'the delivery of campaigns was not checked')
      const checking = keepChecking(keeper, { ...deps, onError })
      running.defer(() => checking.stop())
    }),
  }
}

/** Readers of requests for ads, counted by what they refuse. */
function countingConsent({ readers, consentCounts }: DecisionPorts): Readers {
  if (consentCounts === undefined) return readers
  return {
    ...readers,
    readerOf(request, given) {
      const reader = readers.readerOf(request, given)
      consentCounts.note(given.publisherKey, reader.permissions.reason)
      return reader
    },
  }
}

export interface DecisionsWorkerDeps extends Pick<ProcessBase, 'db' | 'clock'> {
  readonly config: Pick<Config, 'AUCTION_RETENTION_DAYS'>
}

export function decisionsWorker({ config, db, clock }: DecisionsWorkerDeps): CapabilityModule {
  const auctionRetentionDays = config.AUCTION_RETENTION_DAYS
  return {
    name: 'decisions',
    jobs: [
      bindJob(keepAuctionDaysJob, { db, clock, auctionRetentionDays }, '27 * * * *'),
      bindJob(clearSegmentsJob, { db, clock }, '37 * * * *'),
    ],
  }
}

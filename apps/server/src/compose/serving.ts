import { systemLoad } from '../platform/background/load.ts'
import type { FastifyBaseLogger } from 'fastify'
import type { Pool } from 'pg'
import type { Registry } from 'prom-client'
import { applyChange, type SpendVerdict } from '@placard/decision-engine'
import {
  type BudgetBook,
  createLeasedBook,
  startLeaseRenewal,
  keepSweeping,
  type LeasedBook,
  limitsSubscriber,
  listSpent,
  measureBudgets,
  openLeasePool,
} from '../capabilities/budgets/index.ts'
import type { ServeIndex } from '../capabilities/contextual/index.ts'
import {
  auctionRoutes,
  type Catalogue,
  createDecisionMetrics,
  createExplainer,
  createReaders,
  createRecorder,
  createSegmentMemory,
  type Explainer,
  explainRoutes,
  type HoldTimes,
  loadSegments,
  measureCatalogue,
  measureReaders,
  openCatalogue,
  type PageIndex,
  prepareAuctionDays,
  type Readers,
  readerRoutes,
  type RequestReaders,
  type Recorder,
  RequestLive,
  type SegmentMemory,
  segmentsSubscriber,
  servingRoutes,
  SitePacing,
} from '../capabilities/decisions/index.ts'
import {
  type Counters,
  createCounters,
  listSettledBy,
  openSharedCounters,
  pagesOfSeen,
} from '../capabilities/frequency/index.ts'
import {
  adoptModels,
  AgentTerms,
  ClickPredictor,
  followBidAgents,
} from '../capabilities/learning/index.ts'
import {
  createSealer,
  type LinkLives,
  parseKeyRing,
  type Sealer,
} from '../capabilities/tracking/index.ts'
import {
  type ChangeFollower,
  type ChangeSubscriber,
  combineSubscribers,
  followChanges,
} from '../platform/changes/changes.ts'
import type { Random } from '../platform/random.ts'
import { type Clock, systemUptime } from '../platform/clock.ts'
import type { Database } from '../platform/database/connect.ts'
import type { Http } from '../platform/http/server.ts'
import type { Countries } from '../platform/geo-ip/countries.ts'
import { keepGeoIp } from '../platform/geo-ip/keeper.ts'
import { idsFrom } from '../platform/ids.ts'
import type { RedisConnection } from '../platform/redis/connect.ts'
import { openSwitches } from '../platform/switches/view.ts'
import { systemTimers, type Timers } from '../platform/background/timers.ts'
import { SWITCHES } from './switches.ts'

/** What decisions ask of others: money, counts, the reader, and a place for records. */
export interface ServingPorts {
  readonly budgets: BudgetBook
  readonly counters: Counters
  readonly readers: Readers
  readonly recorder: Recorder
  readonly sealer: Sealer
  readonly holdTimes?: HoldTimes | undefined
  /** What servers said of users, kept fresh by the same follower. */
  readonly segments?: SegmentMemory
  /** What was found out about pages before they were asked for. */
  readonly pages?: PageIndex | undefined
  /** Who else follows changes. */
  readonly subscribers?: readonly ChangeSubscriber[]
}

export interface ServingSurroundings {
  readonly db: Database
  /** For the connection that listens for changes. */
  readonly url: string
  readonly clock: Clock
  readonly random: Random
  readonly log: FastifyBaseLogger
  readonly metrics: Registry
  readonly timers?: Timers
  /** Under which browsers reach the API; else as they addressed it. */
  readonly publicUrl?: string | undefined
}

export interface Serving {
  readonly catalogue: Catalogue
  readonly follower: ChangeFollower
  /** Decides once more, with every candidate's fate, and holds nothing. */
  readonly explainer: Explainer
  /** Public routes, under `/api/v1`. */
  addRoutes(http: Http): void
  /** Under `/api/v1/admin`. */
  addAdminRoutes?(http: Http): void
  /** What else the health of the node hangs on. */
  readonly probes?: Readonly<Record<string, () => Promise<boolean>>> | undefined
  /** Where caps can be off, because they are counted in Redis. */
  readonly areCapsOff?: (() => boolean) | undefined
  /** A campaign is exhausted or ahead of plan, or may spend again: between decisions only. */
  park(campaignKey: number, verdict: SpendVerdict): void
  /** Writes what is still to be recorded, and follows no more changes. */
  stop(): Promise<void>
}

/** Loads the catalogue and keeps it fresh: one follower of the change feed for all that need it. */
export async function openServing(
  surroundings: ServingSurroundings,
  ports: ServingPorts,
): Promise<Serving> {
  const { db, url, clock, log, metrics, timers = systemTimers } = surroundings
  const predictor = new ClickPredictor()
  const terms = new AgentTerms(ports.budgets)
  const catalogue = await openCatalogue({ db, clock, budgets: terms, scorer: predictor })
  const switches = await openSwitches(db, SWITCHES)
  const models = adoptModels({ db, predictor, catalogue, switches })
  const { index } = catalogue
  await using opening = new AsyncDisposableStack()
  const agents = followBidAgents({ db, clock, timers, index, terms, switches })
  opening.defer(() => agents.stop())
  await models.onReload()
  await agents.subscriber.onReload()
  const { segments } = ports
  if (segments) await loadSegments(db, segments)
  measureCatalogue(metrics, catalogue, clock)
  const follower = followChanges({
    db,
    url,
    timers,
    from: catalogue.cursor,
    subscriber: combineSubscribers(db, [
      catalogue.subscriber,
      switches.subscriber,
      models,
      agents.subscriber,
      ...(segments ? [segmentsSubscriber(db, segments)] : []),
      ...(ports.subscribers ?? []),
    ]),
    onError: (error) => log.warn({ err: error }, 'changes could not be followed'),
  })
  opening.move()
  const deps = {
    ...ports,
    catalogue,
    switches,
    clock,
    random: surroundings.random,
    ids: idsFrom(surroundings),
    sitePacing: sitePacingOf(catalogue, ports.budgets),
    metrics: createDecisionMetrics(metrics),
    publicUrl: surroundings.publicUrl,
  }
  const { counters } = ports
  const liveDeps = { content: catalogue.content, budgets: ports.budgets, counters }
  const explainer = createExplainer({
    index: catalogue.index,
    pages: ports.pages,
    async liveOf(userKey) {
      const counts = userKey === undefined ? undefined : await counters.read(userKey)
      return new RequestLive(liveDeps, { counts, isDry: true })
    },
  })
  return {
    catalogue,
    follower,
    explainer,
    addRoutes: (http) => servingRoutes(http, deps),
    park: (campaignKey, verdict) =>
      applyChange(catalogue.index, { put: 'spend-verdict', record: { campaignKey, verdict } }),
    async stop() {
      agents.stop()
      await follower.stop()
      await ports.recorder.flush()
    },
  }
}

/** Serving, and what tracking shares with it. */
export interface ComposedServing extends Serving {
  readonly budgets: BudgetBook
  readonly counters: Counters
  readonly readers: RequestReaders
  readonly sealer: Sealer
  readonly holdTimes: HoldTimes | undefined
}

interface LeaseSurroundings extends ServingSurroundings {
  /** How long this node's money outlives it. */
  readonly leaseSeconds?: number | undefined
}

interface CountingSurroundings extends ServingSurroundings {
  readonly pool: Pool
  /** Where several nodes share what users have seen. */
  readonly redis?: RedisConnection | undefined
  /** How long a decision waits for it. */
  readonly redisTimeoutMs?: number | undefined
  /** How this process is called where others look for what it left behind. */
  readonly node?: string | undefined
}

/** Serving with what it decides by in this process: money leased, segments followed, records behind. */
export async function composeServing(
  surroundings: LeaseSurroundings &
    CountingSurroundings & {
      readonly userKeySecret: string
      readonly trackingKeys: string
      readonly linkLives?: LinkLives
      readonly holdTimes?: HoldTimes
      readonly geoFile: string | undefined
      readonly serveIndex?: ServeIndex | undefined
    },
): Promise<ComposedServing> {
  const { db, pool, clock, random, serveIndex, timers = systemTimers } = surroundings
  await prepareAuctionDays({ db, clock })
  // What was opened is closed again at the end, and also when the rest of the start fails.
  await using opening = new AsyncDisposableStack()
  const segments = createSegmentMemory()
  const { readers, ...reading } = await openReaders(surroundings, segments)
  opening.defer(() => reading.stop())
  const leased = createLeasedBook({
    clock,
    random,
    uptime: systemUptime,
    onVerdictChange: (...turn) => serving.park(...turn),
  })
  const { book } = leased
  const counting = await openCounters(surroundings)
  opening.defer(() => counting.stop())
  const { counters } = counting
  const { trackingKeys, linkLives } = surroundings
  const sealer = createSealer(parseKeyRing(trackingKeys), random, linkLives)
  const limits = limitsSubscriber({ db, pool, clock, onReset: leased.refresh })
  await limits.onReload()
  book.restore(await listSpent(pool, clock.now()))
  const serving = await openServing(surroundings, {
    budgets: book,
    counters,
    readers,
    sealer,
    segments,
    recorder: createRecorder({ ...surroundings, load: systemLoad }),
    pages: serveIndex?.memory,
    subscribers: [limits, ...subscribersOf(serveIndex)],
    holdTimes: surroundings.holdTimes,
  })
  opening.defer(() => serving.stop())
  const leases = await openLeases(surroundings, leased)
  opening.defer(() => leases.stop())
  const sweeping = keepSweeping(book, timers)
  opening.defer(() => sweeping.stop())
  const opened = opening.move()

  return {
    ...serving,
    budgets: book,
    counters,
    readers,
    sealer,
    holdTimes: surroundings.holdTimes,
    probes: counting.probes,
    areCapsOff: counting.areCapsOff,
    addRoutes(http) {
      serving.addRoutes(http)
      readerRoutes(http, { db, clock, readers })
    },
    addAdminRoutes(http) {
      auctionRoutes(http, { db, userKeyOf: readers.userKeyOf })
      explainRoutes(http, { db, clock, readers, explainer: serving.explainer })
    },
    stop: () => opened.disposeAsync(),
  }
}

const subscribersOf = (index: ServeIndex | undefined) => (index ? [index.subscriber] : [])

interface ReaderSurroundings extends ServingSurroundings {
  readonly userKeySecret: string
  readonly geoFile: string | undefined
}

/** Readers, and their countries by the file as it is now: who replaces it need not start anew. */
async function openReaders(
  { clock, log, metrics, userKeySecret: secret, ...surroundings }: ReaderSurroundings,
  segments: SegmentMemory,
): Promise<{ readonly readers: RequestReaders; stop(): void }> {
  const { geoFile: file, timers = systemTimers } = surroundings
  const onError = (error: unknown) => log.warn({ err: error }, 'the Geo-IP file was not read again')
  const keeper = await keepGeoIp({ file, clock, timers, onError })
  const geo: Countries = {
    countryOf: (address) => keeper.countries.countryOf(address),
    get builtAt() {
      return keeper.countries.builtAt
    },
  }
  const readers = createReaders({ secret, clock, geo, segments })
  measureReaders(metrics, { clock, geo, segments })
  return { readers, stop: () => keeper.stop() }
}

const REDIS_TIMEOUT_MS = 100

/** What users have seen: shared with other nodes in Redis, or in the memory of the one node. */
async function openCounters(surroundings: CountingSurroundings): Promise<{
  readonly counters: Counters
  readonly probes: Serving['probes']
  readonly areCapsOff?: () => boolean
  stop(): Promise<void>
}> {
  const { redis, pool, clock, random, log, metrics, timers = systemTimers } = surroundings
  const listSeen = (at: Date) => pagesOfSeen(pool, at)
  if (redis) {
    const onError = (error: unknown) => log.warn({ err: error }, 'caps could not be asked')
    const counters = await openSharedCounters({
      redis,
      timeoutMs: surroundings.redisTimeoutMs ?? REDIS_TIMEOUT_MS,
      node: surroundings.node ?? 'api',
      clock,
      random,
      timers,
      metrics,
      listSeen,
      listSettledBy: (node, at) => listSettledBy(pool, node, at),
      onError,
    })
    const probes = { redis: async () => counters.isEnforced() }
    const areCapsOff = () => !counters.isEnforced()
    return { counters, probes, areCapsOff, stop: () => counters.stop() }
  }
  const counters = createCounters({ clock, random })
  for await (const seen of listSeen(clock.now())) counters.restore(seen)
  return { counters, probes: {}, stop: async () => {} }
}

const LEASE_SECONDS = 60
/** With very many campaigns the rest is leased while the first requests come. */
const FIRST_LEASES_MS = 3_000

/** From the first request on there is money to spend: the node has leased before it is asked. */
async function openLeases(
  { url, log, metrics, leaseSeconds, timers = systemTimers }: LeaseSurroundings,
  leased: LeasedBook,
): Promise<{ stop(): Promise<void> }> {
  const pool = openLeasePool(url)
  const keeper = startLeaseRenewal({
    ...leased,
    pool,
    timers,
    uptime: systemUptime,
    leaseMs: (leaseSeconds ?? LEASE_SECONDS) * 1_000,
    onError: (error) => log.warn({ err: error }, 'leases could not be renewed'),
  })
  measureBudgets(metrics, { ...leased, keeper })
  await Promise.race([keeper.refill(), elapsed(timers, FIRST_LEASES_MS)])
  return {
    async stop() {
      await keeper.stop()
      await pool.end()
    },
  }
}

/** Campaigns whose bid agent plans their day are not planned a second time. */
const sitePacingOf = ({ content, index }: Catalogue, budgets: BudgetBook): SitePacing =>
  new SitePacing({ content, budgets, agents: index.bidMultipliers })

const elapsed = (timers: Timers, ms: number) =>
  new Promise<void>((resolve) => void timers.after(ms, resolve))

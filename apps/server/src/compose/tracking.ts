import { systemLoad } from '../platform/background/load.ts'
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { DAY_MS } from '@placard/calendar'
import type { FastifyBaseLogger } from 'fastify'
import type { Pool } from 'pg'
import type { Registry } from 'prom-client'
import { ledgerRoutes } from '../capabilities/budgets/index.ts'
import { advertiser, campaign } from '../capabilities/campaigns/index.ts'
import {
  destinationOf,
  endHolds,
  findAuctionOf,
  forgetUser,
  keepHolds,
  listShowingsOf,
  listShowingsOfUser,
} from '../capabilities/decisions/index.ts'
import {
  addQuarantined,
  conversionRoutes,
  createIngest,
  createRequestLabeller,
  createTrackingMetrics,
  type Ingest,
  keepWaiting,
  listStoredTimes,
  measureStaged,
  openIngestPool,
  openSqliteSpool,
  openThreadedSettler,
  parseRanges,
  privacyRoutes,
  type Settlement,
  type Spool,
  type ThreadedSettler,
  type TooOld,
  type TrackingMetrics,
  trackingAdminRoutes,
  trackingRoutes,
} from '../capabilities/tracking/index.ts'
import type { ComposedServing } from './serving.ts'
import { keepBlockedSessions } from '../capabilities/geo-profile/index.ts'
import { type Config, linkSchemesOf } from '../settings/config.ts'
import type { Random } from '../platform/random.ts'
import type { Clock } from '../platform/clock.ts'
import type { Database } from '../platform/database/connect.ts'
import type { Principal } from '../platform/http/principal.ts'
import type { Http } from '../platform/http/server.ts'
import { StartRefused } from '../platform/problem.ts'
import { getRow, type Resource } from '../platform/resources/index.ts'
import { systemTimers, type Timers } from '../platform/background/timers.ts'

export interface TrackingSurroundings {
  readonly config: Config
  readonly db: Database
  readonly pool: Pool
  /** For the connections that settle events. */
  readonly url: string
  /** How this process is called in the books. */
  readonly node: string
  readonly clock: Clock
  readonly random: Random
  readonly log: FastifyBaseLogger
  readonly metrics: Registry
  readonly timers?: Timers
  readonly serving: ComposedServing
}

export interface Tracking {
  /** Public routes and conversions; their paths are whole. */
  addRoutes(http: Http): void
  /** Under `/api/v1/admin`. */
  addAdminRoutes(http: Http): void
  /** The spool can be written: events are safe even when the database goes away. */
  isReady(): boolean
  /** All that was taken is safe; nothing more is taken. */
  stop(): Promise<void>
}

/** Events from the first request to the books; what they settle is told to the decisions of this node. */
export async function composeTracking(surroundings: TrackingSurroundings): Promise<Tracking> {
  const { config, db, pool, clock, serving } = surroundings
  const { timers, telling } = background(surroundings)
  await using opening = new AsyncDisposableStack()
  const blocked = await keepBlockedSessions({
    db,
    timers,
    onError: telling('blocked sessions are not known'),
  })
  opening.defer(() => blocked.stop())
  const labelRequest = createRequestLabeller({
    burst: { perSecond: config.BURST_EVENTS_PER_SECOND, burst: config.BURST_EVENTS_MAX },
    dataCentres: readRanges(config.DATA_CENTRE_RANGES_PATH),
    isBlockedSession: blocked.isBlocked,
  })
  const { spool, counts, ingest } = await openIngest(surroundings, opening)

  const { sealer, readers } = serving
  const { userKeyOf } = readers
  const { content } = serving.catalogue
  const showings = { db, content, readers }
  const keyOf = keysIn(db)
  const deps = {
    clock,
    sealer,
    ingest,
    labelRequest,
    userKeyOf,
    pool,
    clickLost: counts.clickLost,
    linkSchemes: linkSchemesOf(config),
    quarantine: (event: TooOld) => addQuarantined(pool, tooOld(event)),
    describe: describedBy(readers),
    destinationOf: destinationOf.bind(undefined, showings),
    findAuction: findAuctionOf.bind(undefined, showings),
    recorded: recordedSoon(timers),
    listStoredTimes: listStoredTimes.bind(undefined, pool),
    vouchesFor: vouchingFor(content),
    listShowings: listShowingsOf.bind(undefined, db),
    getAdvertiserKey: keyOf(advertiser),
    listShowingsOfUser: listShowingsOfUser.bind(undefined, db),
    forgetInDecisions: forgetIn(surroundings),
    terms: attributionTerms(config),
    conversionWaits: () => waiting.wake(),
    spoolSettled: () => ingest.spoolSettled(),
    timers,
  }
  const onError = telling('conversions that wait could not be kept')
  const waiting = keepWaiting({ ...deps, onError })
  opening.defer(() => waiting.stop())
  const opened = opening.move()
  return {
    addRoutes(http) {
      trackingRoutes(http, deps)
      conversionRoutes(http, deps)
      privacyRoutes(http, deps)
    },
    addAdminRoutes(http) {
      const getCampaignKey = keyOf(campaign)
      trackingAdminRoutes(http, { pool, clock, getCampaignKey })
      ledgerRoutes(http, { pool, clock, getCampaignKey })
    },
    isReady: () => spool.isWritable(),
    stop: () => opened.disposeAsync(),
  }
}

const background = ({ log, timers = systemTimers }: TrackingSurroundings) => ({
  timers,
  telling: (message: string) => (error: unknown) => log.warn({ err: error }, message),
})

/** What keeps events and settles them; the stack closes it. */
async function openIngest(surroundings: TrackingSurroundings, opening: AsyncDisposableStack) {
  const { config, url, metrics, node, clock } = surroundings
  const spool = await openSqliteSpool({
    file: path.resolve(config.PLACARD_HOME, 'spool', 'events.sqlite'),
    bytesMax: config.SPOOL_BYTES_MAX,
  })
  opening.defer(() => spool.close())
  const counts = createTrackingMetrics(metrics, spool)
  const connectionsMax = config.INGEST_CONNECTIONS
  const notes = openIngestPool(url, connectionsMax)
  opening.defer(() => notes.end())
  const settler = openThreadedSettler({ pool: notes, url, node, connectionsMax, clock })
  opening.defer(() => settler.close())
  const ingest = ingestOn(surroundings, { spool, settler, counts })
  opening.defer(() => ingest.stop())
  measureStaged(metrics, ingest)
  await ingest.opened()
  return { spool, counts, ingest }
}

interface Parts {
  readonly spool: Spool
  readonly settler: ThreadedSettler
  readonly counts: TrackingMetrics
}

function ingestOn(surroundings: TrackingSurroundings, { spool, settler, counts }: Parts): Ingest {
  const { config, log, serving, timers = systemTimers } = surroundings
  const told = (error: unknown) => log.warn({ err: error }, 'events could not be settled')
  return createIngest({
    settler,
    spool,
    timers,
    load: systemLoad,
    settings: {
      batchMax: config.INGEST_BATCH_EVENTS_MAX,
      waitMsMax: config.INGEST_BATCH_MS_MAX,
      concurrentMax: config.INGEST_CONNECTIONS,
      waitingMax: config.INGEST_WAITING_EVENTS_MAX,
      deferMsMax: config.INGEST_RUSH_MS_MAX,
    },
    observer: {
      ...counts.observer,
      settled(settlement: Settlement) {
        counts.observer.settled(settlement)
        void endHolds(serving, settlement).catch(told)
      },
      kept: (events) => void keepHolds(serving, events).catch(told),
      failed: told,
    },
  })
}

const forgetIn =
  ({ db, clock, serving }: TrackingSurroundings) =>
  async (userKey: string) => ({
    ...(await forgetUser({ db, clock }, userKey)),
    counters: await serving.counters.forget(userKey),
  })

const attributionTerms = (config: Config) => ({
  model: config.ATTRIBUTION_MODEL,
  clickWindowMs: config.ATTRIBUTION_CLICK_DAYS * DAY_MS,
  viewWindowMs: config.ATTRIBUTION_VIEW_DAYS * DAY_MS,
})

/** Internal keys for public ids, of rows that the caller may see. */
const keysIn =
  (db: Database) =>
  (resource: Resource) =>
  async (principal: Principal, publicId: string): Promise<number> => {
    const { id } = await getRow(db, resource, { publicId, actor: { principal, requestId: '' } })
    return Number(id)
  }

const describedBy =
  (readers: ComposedServing['readers']) => (request: Parameters<typeof readers.readerOf>[0]) => {
    const { device, country } = readers.readerOf(request, { isTrusted: false }).context
    return { deviceType: device, countryCode: country }
  }

/** A key speaks for the placements of its own publisher; a key of the platform for all. */
const vouchingFor =
  ({ placements }: ComposedServing['catalogue']['content']) =>
  (principal: Principal | undefined, placementKey: number | undefined): boolean => {
    if (!principal?.permissions.has('serving:write')) return false
    if (principal.isPlatform) return true
    const placement = placementKey === undefined ? undefined : placements.get(placementKey)
    return placement !== undefined && BigInt(placement.accountKey) === principal.accountId
  }

const RECORDED_MS = 400
const WAITING_MAX = 200

/** Decisions are recorded behind their answers, on any node: who finds none looks again a little later. */
function recordedSoon(timers: Timers): () => Promise<void> {
  let waiting = 0
  return async () => {
    if (waiting >= WAITING_MAX) return
    waiting++
    await new Promise<void>((resolve) => void timers.after(RECORDED_MS, resolve))
    waiting--
  }
}

const tooOld = ({ eventId, claimedAtMs, receivedAtMs, event }: TooOld) => ({
  eventId,
  reason: 'too-old' as const,
  detail: `happened at ${new Date(claimedAtMs).toISOString()} by its own account`,
  event: JSON.stringify(event),
  receivedAt: new Date(receivedAtMs),
  quarantinedAt: new Date(receivedAtMs),
})

function readRanges(file: string | undefined): readonly string[] {
  if (file === undefined) return []
  try {
    return parseRanges(readFileSync(file, 'utf8'))
  } catch (error) {
    throw new StartRefused(
      `DATA_CENTRE_RANGES_PATH ${file} cannot be used: ${(error as Error).message}.`,
    )
  }
}

import path from 'node:path'
import { DAY_MS } from '@placard/calendar'
import { micros, toDecimal } from '@placard/money'
import { systemLoad } from '../../platform/background/load.ts'
import { bindJob, type Jobs } from '../../platform/jobs/job.ts'
import {
  type CapabilityModule,
  type ProcessBase,
  routeGroup,
  warnOf,
} from '../../platform/module.ts'
import {
  type Actor,
  getIds,
  type Resource,
  type ResourceDeps,
} from '../../platform/resources/index.ts'
import type { Timers } from '../../platform/background/timers.ts'
import type { Database } from '../../platform/database/connect.ts'
import type { Principal } from '../../platform/http/principal.ts'
import { type Config, linkSchemesOf } from '../../settings/config.ts'
import type { Secrets } from '../../settings/secrets.ts'
import type { BudgetBook } from '../budgets/index.ts'
import { campaign, getAdvertiserKey, getCampaignKey } from '../campaigns/index.ts'
import {
  type Catalogue,
  destinationOf,
  endHolds,
  findAuctionOf,
  type HoldTimes,
  keepHolds,
  listShowingsOf,
  type Publishers,
  type RequestReaders,
  savePurchase,
  speaksFor,
} from '../decisions/index.ts'
import type { Counters, Visits } from '../frequency/index.ts'
import { notifyInterested, type NotifyDeps } from '../notices/index.ts'
import { placement, site } from '../inventory/index.ts'
import type { HeldConversion } from './conversions/convert.ts'
import { conversionRoutes } from './conversions/routes.ts'
import { keepWaiting } from './conversions/waiting.ts'
import { watchFilmsJob } from './films/jobs.ts'
import { createIngest, type Ingest } from './intake/ingest.ts'
import { type LabellingDeps, openLabelling } from './intake/open-labelling.ts'
import { trackingRoutes } from './intake/routes.ts'
import { noticeRoutes } from './intake/routes-notices.ts'
import { progressRoutes } from './intake/routes-progress.ts'
import { openSqliteSpool, type Spool } from './intake/spool.ts'
import type { TooOld } from './intake/track.ts'
import { dropDaysJob, forgetUsersJob, makeDaysJob, trimTrackingJob } from './jobs.ts'
import type { Claims } from './links/claims.ts'
import { parseKeyRing } from './links/key-ring.ts'
import { createSealer, type Sealer } from './links/token.ts'
import { createTrackingMetrics, measureStaged, type TrackingMetrics } from './metrics.ts'
import { namingReaders } from './privacy/named-readers.ts'
import { privacyRoutes } from './privacy/routes.ts'
import { rescoreJob } from './rescoring/jobs.ts'
import { rescoreRoutes } from './rescoring/routes.ts'
import { trackingAdminRoutes } from './settlement/routes.ts'
import { openIngestPool, type Settlement } from './settlement/settler.ts'
import { listStoredTimes } from './settlement/store-events.ts'
import { addQuarantined } from './settlement/store-quarantine.ts'
import { openThreadedSettler, type ThreadedSettler } from './settlement/threaded-settler.ts'

export const TRACKING_JOBS = [
  makeDaysJob,
  dropDaysJob,
  forgetUsersJob,
  rescoreJob,
  trimTrackingJob,
  watchFilmsJob,
]

export interface TrackingApiDeps extends Pick<ProcessBase, keyof ResourceDeps | 'pool'> {
  readonly jobs: Jobs | undefined
}

/** Delivery, quarantined events and rescores, for admins. */
export const trackingApi = (deps: TrackingApiDeps): CapabilityModule => ({
  name: 'tracking',
  routes: [
    routeGroup('/api/v1/admin', rescoreRoutes, {
      ...deps,
      getCampaignKey: keyIn(campaign),
      getSiteKey: keyIn(site),
      getPlacementKey: keyIn(placement),
    }),
    routeGroup('/api/v1/admin', trackingAdminRoutes, {
      ...deps,
      getCampaignKey: getCampaignKey.bind(undefined, deps.db),
    }),
  ],
})

const keyIn =
  (resource: Resource) =>
  async (db: Database, { principal }: Actor, publicId: string): Promise<number> =>
    Number((await getIds(db, resource, { publicId, principal })).id)

export interface SealerDeps extends Pick<ProcessBase, 'random'> {
  readonly config: Pick<Config, 'LINK_IMPRESSION_HOURS' | 'LINK_CLICK_DAYS'>
  readonly secrets: Pick<Secrets, 'trackingKeys'>
}

/** Seals tracking links, and opens those of any node. */
export const sealerFor = ({ config, secrets, random }: SealerDeps): Sealer =>
  createSealer(parseKeyRing(secrets.trackingKeys), random, {
    impressionHours: config.LINK_IMPRESSION_HOURS,
    clickDays: config.LINK_CLICK_DAYS,
  })

export interface TrackingServingDeps extends Pick<
  ProcessBase,
  'db' | 'pool' | 'url' | 'clock' | 'ids' | 'timers' | 'log' | 'metrics' | 'node'
> {
  readonly config: IngestConfig &
    LabellingDeps['config'] &
    Pick<
      Config,
      | 'CLICK_ID_PARAMETER'
      | 'ATTRIBUTION_MODEL'
      | 'ATTRIBUTION_CLICK_DAYS'
      | 'ATTRIBUTION_VIEW_DAYS'
    > &
    Parameters<typeof linkSchemesOf>[0]
  readonly secrets: LabellingDeps['secrets']
  readonly redis: LabellingDeps['redis']
  readonly sealer: Sealer
  readonly readers: RequestReaders
  readonly publishers: Publishers
  readonly content: Catalogue['content']
  readonly holds: Holds
}

/** Ends the holds of settled events. */
interface Holds {
  readonly budgets: BudgetBook
  readonly counters: Counters
  readonly visits?: Visits | undefined
  readonly holdTimes?: HoldTimes | undefined
}

/** Receives events and settles them; settled events end the holds of this node. */
export async function trackingServing(deps: TrackingServingDeps): Promise<CapabilityModule> {
  const { config, db, pool, timers, readers, publishers, content, holds } = deps
  await using opening = new AsyncDisposableStack()
  const labelRequest = await openLabelling(deps, opening)
  const { spool, counts, ingest } = await openIngest(deps, opening)

  const showings = { db, content, readers, publishers }
  const handling = {
    ...deps,
    ingest,
    labelRequest,
    clickLost: counts.clickLost,
    linkSchemes: linkSchemesOf(config),
    quarantine: async (event: TooOld) => void (await addQuarantined(pool, tooOld(event))),
    describe: describedBy(readers),
    destinationOf: destinationOf.bind(undefined, showings),
    findAuction: findAuctionOf.bind(undefined, showings),
    recorded: untilRecorded(timers),
    listStoredTimes: listStoredTimes.bind(undefined, pool),
    vouchesFor: vouchingFor(content),
    siteDomainOf: (siteKey: number) => content.sites.get(siteKey)?.domain,
    clickIdParameter: config.CLICK_ID_PARAMETER,
    conversionHeld: notifyOfHeldConversion(deps),
    listShowings: listShowingsOf.bind(undefined, db),
    getAdvertiserKey: getAdvertiserKey.bind(undefined, db),
    readConsent: readers.readConsent,
    purchased: savePurchase,
    ...namingReaders({ ...deps, ...holds }),
    terms: attributionTerms(config),
    conversionWaits: () => waiting.wake(),
    spoolSettled: () => ingest.spoolSettled(),
  }
  const onError = warnOf(deps, 'conversions that wait could not be kept')
  const waiting = keepWaiting({ ...handling, onError })
  opening.defer(() => waiting.stop())
  const opened = opening.move()
  return {
    name: 'tracking',
    routes: [
      routeGroup('', trackingRoutes, handling),
      routeGroup('', progressRoutes, handling),
      routeGroup('', noticeRoutes, { ...handling, releaseHold: releasing(holds) }),
      routeGroup('', conversionRoutes, handling),
      routeGroup('', privacyRoutes, handling),
    ],
    // Events are safe without PostgreSQL as long as the spool is writable.
    isReady: () => spool.isWritable(),
    probes: { spool: async () => spool.isWritable() },
    stop: () => opened.disposeAsync(),
  }
}

const releasing =
  ({ budgets, counters }: TrackingServingDeps['holds']) =>
  async ({ reservationId, holdId }: Claims): Promise<void> => {
    if (reservationId !== undefined) budgets.release(reservationId)
    if (holdId !== undefined) await counters.release(holdId)
  }

type IngestConfig = Pick<
  Config,
  | 'PLACARD_HOME'
  | 'SPOOL_BYTES_MAX'
  | 'INGEST_CONNECTIONS'
  | 'INGEST_BATCH_EVENTS_MAX'
  | 'INGEST_BATCH_MS_MAX'
  | 'INGEST_WAITING_EVENTS_MAX'
  | 'INGEST_RUSH_MS_MAX'
>

/** Opens the ingest with settler and spool. The stack closes them. */
async function openIngest(deps: TrackingServingDeps, opening: AsyncDisposableStack) {
  const { config, url, metrics, node, clock } = deps
  const spool = await openSqliteSpool({
    file: path.resolve(config.PLACARD_HOME, 'spool', 'events.sqlite'),
    bytesMax: config.SPOOL_BYTES_MAX,
  })
  opening.defer(() => spool.close())
  const counts = createTrackingMetrics(metrics, spool)
  const connectionsMax = config.INGEST_CONNECTIONS
  const pool = openIngestPool(url, connectionsMax)
  opening.defer(() => pool.end())
  const settler = openThreadedSettler({ pool, url, node, connectionsMax, clock })
  opening.defer(() => settler.close())
  const ingest = ingestOn(deps, { spool, settler, counts })
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

function ingestOn(deps: TrackingServingDeps, { spool, settler, counts }: Parts): Ingest {
  const { config, holds, timers } = deps
  const failed = warnOf(deps, 'events could not be settled')
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
        void endHolds(holds, settlement).catch(failed)
      },
      kept: (events) => void keepHolds(holds, events).catch(failed),
      failed,
    },
  })
}

const attributionTerms = (config: TrackingServingDeps['config']) => ({
  model: config.ATTRIBUTION_MODEL,
  clickWindowMs: config.ATTRIBUTION_CLICK_DAYS * DAY_MS,
  viewWindowMs: config.ATTRIBUTION_VIEW_DAYS * DAY_MS,
})

const describedBy =
  (readers: RequestReaders) => (request: Parameters<RequestReaders['readerOf']>[0]) => {
    const nobody = { publisherKey: undefined, isTrusted: false }
    const { device, country } = readers.readerOf(request, nobody).context
    return { deviceType: device, countryCode: country }
  }

/** A key vouches for placements of its own publisher, a platform key for all. */
const vouchingFor =
  ({ placements }: Catalogue['content']) =>
  (principal: Principal | undefined, placementKey: number | undefined): boolean =>
    speaksFor(
      principal,
      placementKey === undefined ? undefined : placements.get(placementKey)?.accountKey,
    )

/**
 * Sends one notice per day and advertiser: a person should look, but does not need a thousand
 * mails.
 */
const notifyOfHeldConversion =
  (deps: NotifyDeps) =>
  async ({ conversion, limitMicros, advertiser }: HeldConversion): Promise<void> => {
    const { publicId, name, currency } = advertiser
    const value = `${toDecimal(micros(conversion.valueMicros ?? 0n))} ${currency}`
    const limit = `${toDecimal(micros(limitMicros))} ${currency}`
    await notifyInterested(
      deps,
      {
        topic: 'conversion-held',
        key: `conversion-held:${publicId}:${deps.clock.now().toISOString().slice(0, 10)}`,
        subject: `A conversion of ${name} exceeds the advertiser’s value bound`,
        words: `Its value is ${value}; the bound is ${limit}. It was quarantined. Raise the advertiser’s bound if such values are right.`,
        data: { advertiserId: publicId, eventId: conversion.eventId, value, limit },
      },
      BigInt(advertiser.accountKey),
    )
  }

const RECORDED_MS = 400
const WAITING_MAX = 200

/**
 * Any node writes a decision's record shortly after its answer, so a caller that finds none tries
 * again a little later.
 */
function untilRecorded(timers: Timers): () => Promise<void> {
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
  detail: `claimed time ${new Date(claimedAtMs).toISOString()}`,
  event: JSON.stringify(event),
  receivedAt: new Date(receivedAtMs),
  quarantinedAt: new Date(receivedAtMs),
})

export interface TrackingWorkerDeps extends Pick<ProcessBase, 'db' | 'pool' | 'clock' | 'ids'> {
  readonly config: Pick<Config, 'EVENT_RETENTION_DAYS' | 'CONVERSION_RETENTION_DAYS'>
  /** Schedules a rebuild of the reports of a UTC day. */
  rebuildStats(day: string): Promise<void>
  eraseFromDeliveries(userKeys: readonly string[]): Promise<number>
}

export function trackingWorker(deps: TrackingWorkerDeps): CapabilityModule {
  const { config, pool, clock, rebuildStats, eraseFromDeliveries } = deps
  const { EVENT_RETENTION_DAYS: events, CONVERSION_RETENTION_DAYS: conversions } = config
  const retentionDays = {
    impressions: events,
    views: events,
    clicks: events,
    progress_events: events,
    conversions,
  }
  return {
    name: 'tracking',
    jobs: [
      bindJob(makeDaysJob, { pool, clock }, '3 * * * *'),
      bindJob(dropDaysJob, { pool, clock, retentionDays }, '43 2 * * *'),
      bindJob(forgetUsersJob, { pool, clock, eraseFromDeliveries }, '*/15 * * * *'),
      bindJob(rescoreJob, { pool, clock, rebuildStats }, '* * * * *'),
      bindJob(trimTrackingJob, { pool, clock }, '47 * * * *'),
      bindJob(watchFilmsJob, deps, '*/15 * * * *'),
    ],
  }
}

import type { PublisherCounts } from '@placard/client/observations'
import { Counter, Gauge, type Registry } from 'prom-client'
import type { Clock } from '../../platform/clock.ts'
import type { Database } from '../../platform/database/connect.ts'
import type { GeoIpKeeper } from '../../platform/geo-ip/keeper.ts'
import type { IntakeObserver } from './ingest/intake.ts'
import type { GeoObserver } from './ingest/observer.ts'
import { measureQueue } from './ingest/store-queue.ts'
import { listStuckVersions } from './declared/store-versions.ts'

interface Log {
  info(fields: object, message: string): void
  warn(fields: object, message: string): void
}

type Labels = Readonly<Record<string, readonly string[]>>

/** Creates each series at zero: Prometheus sees no increase from a missing series to one. */
function countFromZero(counter: Counter, labels: Labels): Counter {
  for (const [name, values] of Object.entries(labels)) {
    for (const value of values) counter.inc({ [name]: value }, 0)
  }
  return counter
}

/** Metrics of worker and routes. Actions on a session are also logged. */
export function observeGeoProfile(registry: Registry, log: Log): GeoObserver {
  const counter = (name: string, help: string, labels: Labels = {}) =>
    countFromZero(
      new Counter({
        name: `placard_geo_${name}_total`,
        help,
        labelNames: Object.keys(labels),
        registers: [registry],
      }),
      labels,
    )
  const processed = counter('processed', 'Observations processed')
  const failures = counter('processing_failures', 'Observations that failed', {
    outcome: ['retry', 'dead'],
  })
  const misses = counter('lookup_misses', 'Addresses without a country')
  const ranked = counter('ranking_updates', 'Scores that got a new window')
  const transitions = counter('review_transitions', 'Changes of the review flag', {
    transition: ['recommended', 'cleared', 'dismissed'],
  })
  const flags = counter('suspicious_sessions', 'Flagged sessions, by outcome', {
    state: ['skipped_shadow', 'awaiting_review', 'requested'],
  })
  const blocks = counter('block_requests', 'Requests to block a session, by outcome', {
    outcome: ['succeeded', 'retry', 'failed'],
  })
  const unblocks = counter('unblock_requests', 'Requests to unblock a session, by outcome', {
    outcome: ['succeeded', 'retry', 'failed'],
  })
  const syncs = counter('country_syncs', 'Declared countries sent to the User Service', {
    outcome: ['applied', 'failed'],
  })
  return {
    processed: (observations) => processed.inc(observations),
    failed(outcome, error) {
      failures.inc({ outcome })
      log.warn({ err: error, outcome }, 'an observation failed')
    },
    lookupMissed: () => misses.inc(),
    ranked: () => ranked.inc(),
    reviewed: (transition) => transitions.inc({ transition }),
    flagged: (state) => flags.inc({ state }),
    blocked(wanted, outcome, whom) {
      const isBlock = wanted === 'requested'
      ;(isBlock ? blocks : unblocks).inc({ outcome })
      const words = isBlock ? 'blocked' : 'unblocked'
      log.info({ ...whom, outcome }, `a suspicious session is to be ${words}`)
    },
    synced: (outcome) => syncs.inc({ outcome }),
  }
}

export function observeIntake(registry: Registry): IntakeObserver {
  const accepted = new Counter({
    name: 'placard_geo_observations_accepted_total',
    help: 'Observations put into the queue',
    registers: [registry],
  })
  const refused = new Counter({
    name: 'placard_geo_observations_refused_total',
    help: 'Observations that were refused',
    labelNames: ['reason'],
    registers: [registry],
  })
  countFromZero(refused, { reason: ['full', 'off', 'failed'] })
  return {
    kept: (observations) => accepted.inc(observations),
    refused: (observations, reason) => refused.inc({ reason }, observations),
  }
}

/** The publisher has its own counters. The metric reads them on demand. */
export function measurePublisher(registry: Registry, counts: PublisherCounts): void {
  const published: Gauge = new Gauge({
    name: 'placard_geo_published',
    help: 'Reported authenticated requests since the start, by outcome',
    labelNames: ['outcome'],
    registers: [registry],
    collect() {
      for (const [outcome, count] of Object.entries(counts)) published.set({ outcome }, count)
    },
  })
}

interface Measured {
  readonly db: Database
  readonly clock: Clock
  readonly geoIp: Pick<GeoIpKeeper, 'ageSeconds'> & {
    readonly countries: Pick<GeoIpKeeper['countries'], 'isBundled'>
  }
}

/** Gauges of the worker, computed when the metrics are read. */
export function measureGeoProfile(
  registry: Registry,
  { db, clock, geoIp }: Measured,
): readonly Gauge[] {
  const gauge = (name: string, help: string, collect = async (_gauge: Gauge) => {}) => {
    const made: Gauge = new Gauge({
      name,
      help,
      registers: [registry],
      collect: () => collect(made),
    })
    return made
  }
  const oldest = gauge('placard_geo_queue_oldest_seconds', 'Age of the oldest waiting observation')
  const dead = gauge('placard_geo_queue_dead', 'Observations that could not be processed')
  const depth = async (gauge: Gauge) => {
    const queue = await measureQueue(db, clock.now()).catch(() => undefined)
    if (!queue) return
    gauge.set(queue.depth)
    oldest.set(queue.oldestSeconds)
    dead.set(queue.dead)
  }
  const openFor = async (gauge: Gauge) => {
    const now = clock.now()
    const [first] = await listStuckVersions(db, now, 1).catch(() => [])
    gauge.set(first ? (now.getTime() - first.recordedAt.getTime()) / 1_000 : 0)
  }
  return [
    oldest,
    dead,
    gauge('placard_geo_queue_depth', 'Observations that wait or are being processed', depth),
    gauge(
      'placard_geo_country_sync_oldest_seconds',
      'Age of the oldest change not applied',
      openFor,
    ),
    geoIpAge(registry, geoIp),
  ]
}

/** By the file's source: the bundled file may be old, the operator's own must not be. */
const geoIpAge = (registry: Registry, geoIp: Measured['geoIp']): Gauge => {
  const age: Gauge = new Gauge({
    name: 'placard_geoip_age_seconds',
    help: 'Age of the Geo-IP file',
    labelNames: ['source'],
    registers: [registry],
    collect() {
      age.reset()
      age.set({ source: geoIp.countries.isBundled ? 'bundled' : 'own' }, geoIp.ageSeconds())
    },
  })
  return age
}

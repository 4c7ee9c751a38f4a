import { Counter, Gauge, Histogram, type Registry } from 'prom-client'
import type { Clock } from '../../platform/clock.ts'
import type { Catalogue } from './catalogue/catalogue.ts'
import type { DecisionRecord } from './records/recorder.ts'
import { DOORS } from './serving/door-request.ts'
import type { HolderLimits } from './serving/holder-limits.ts'

export type DecisionKind = DecisionRecord['kind']
export type DecisionResult = 'filled' | 'switched-off' | 'no-consent' | NonNullable<EmptyReason>
type EmptyReason = DecisionRecord['decision']['emptyReason']

export interface DecisionMetrics {
  count(kind: DecisionKind, result: DecisionResult): void
  time(kind: DecisionKind, durationMicros: number): void
  /** A request's floor that did not come from a seller of the placement. */
  countIgnoredFloor(): void
}

const BUCKETS_SECONDS = [
  0.00001, 0.000025, 0.00005, 0.0001, 0.00025, 0.0005, 0.001, 0.0025, 0.005, 0.025, 0.1,
]
const KINDS: readonly DecisionKind[] = ['slug', 'auction', 'page', ...DOORS]
const RESULTS: readonly DecisionResult[] = [
  'filled',
  'switched-off',
  'no-consent',
  'no-candidate',
  'placement-not-found',
  'placement-not-on-site',
  'site-paced',
]

/** Only one decision in 16 is timed: a histogram costs too much for each. */
const TIMED_EVERY = 16

/** A decision adds to plain numbers. The metric collects them when it is scraped. */
export function createDecisionMetrics(registry: Registry): DecisionMetrics {
  const totals = new Map(KINDS.map((kind) => [kind, new Map(RESULTS.map((r) => [r, 0]))]))
  const decisions: Counter = new Counter({
    name: 'placard_decisions_total',
    help: 'Decisions by kind of request, and what came of them',
    labelNames: ['kind', 'result'],
    registers: [registry],
    collect() {
      for (const [kind, results] of totals) {
        for (const [result, count] of results) {
          decisions.inc({ kind, result }, count)
          results.set(result, 0)
        }
      }
    },
  })
  const durations = new Histogram({
    name: 'placard_decision_duration_seconds',
    help: `Time from the known reader to the decision, counters included; one in ${TIMED_EVERY}`,
    labelNames: ['kind'],
    buckets: BUCKETS_SECONDS,
    registers: [registry],
  })
  const ignoredFloors = new Counter({
    name: 'placard_decisions_floors_ignored_total',
    help: 'Floors in requests without a key with serving:write of the placement’s publisher',
    registers: [registry],
  })
  let untimed = 0
  return {
    countIgnoredFloor: () => ignoredFloors.inc(),
    count(kind, result) {
      const results = totals.get(kind)!
      results.set(result, results.get(result)! + 1)
    },
    time(kind, durationMicros) {
      if (++untimed < TIMED_EVERY) return
      untimed = 0
      durations.observe({ kind }, durationMicros / 1_000_000)
    },
  }
}

/** Readers who hold as much as one may: an attack, or a server that calls without its key. */
export function measureHoldLimits(registry: Registry, limits: HolderLimits): void {
  const refused: Counter = new Counter({
    name: 'placard_decisions_holds_refused_total',
    help: 'Ads not shown because their reader had begun RESERVATIONS_PER_READER reservations',
    registers: [registry],
    collect() {
      refused.reset()
      refused.inc(limits.refused)
    },
  })
}

/** Size and freshness of the index. Its lag grows while the change feed stands still. */
export function describeIndex({ index, content, freshness }: Catalogue, now: Date) {
  return {
    version: index.version,
    ads: content.ads.size,
    lagSeconds: Math.max(freshness.lagMs, freshness.stalledMs()) / 1_000,
    ageSeconds: (now.getTime() - freshness.syncedAt.getTime()) / 1_000,
  }
}

/** The same as Prometheus gauges, read when they are scraped. */
export function measureCatalogue(registry: Registry, catalogue: Catalogue, clock: Clock): void {
  const { freshness, setAside } = catalogue
  const now = () => describeIndex(catalogue, clock.now())
  const gauge = (name: string, help: string, read: () => number) =>
    new Gauge({
      name,
      help,
      registers: [registry],
      collect() {
        this.set(read())
      },
    })
  gauge('placard_index_ads', 'Ads in the decision index', () => now().ads)
  gauge('placard_index_version', 'Changes applied to the index', () => now().version)
  gauge(
    'placard_index_age_seconds',
    'Time since the index last agreed with the database',
    () => now().ageSeconds,
  )
  gauge(
    'placard_index_lag_seconds',
    'From writing the newest applied change to applying it, or how long the feed has stood still',
    () => now().lagSeconds,
  )
  gauge(
    'placard_index_rows_set_aside',
    'Rows that the index refuses; everything else goes on',
    () => setAside.size,
  )
  gauge(
    'placard_index_repaired_units',
    'What reconciliations found different from the database',
    () => freshness.repaired,
  )
}

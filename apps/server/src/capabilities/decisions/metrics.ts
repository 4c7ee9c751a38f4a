import { Counter, Gauge, Histogram, type Registry } from 'prom-client'
import type { Clock } from '../../platform/clock.ts'
import type { Catalogue } from './catalogue.ts'
import type { DecisionRecord } from './recorder.ts'

export type DecisionKind = DecisionRecord['kind']
export type DecisionResult = 'filled' | 'switched-off' | NonNullable<EmptyReason>
type EmptyReason = DecisionRecord['decision']['emptyReason']

export interface DecisionMetrics {
  count(kind: DecisionKind, result: DecisionResult): void
  time(kind: DecisionKind, durationMicros: number): void
}

const BUCKETS_SECONDS = [
  0.00001, 0.000025, 0.00005, 0.0001, 0.00025, 0.0005, 0.001, 0.0025, 0.005, 0.025, 0.1,
]
const KINDS: readonly DecisionKind[] = ['slug', 'auction', 'page']
const RESULTS: readonly DecisionResult[] = [
  'filled',
  'switched-off',
  'no-candidate',
  'placement-not-found',
  'placement-not-on-site',
  'site-paced',
]

/** Every label is looked up once, here: a decision only adds. */
export function createDecisionMetrics(registry: Registry): DecisionMetrics {
  const decisions = new Counter({
    name: 'placard_decisions_total',
    help: 'Decisions by kind of request, and what came of them',
    labelNames: ['kind', 'result'],
    registers: [registry],
  })
  const durations = new Histogram({
    name: 'placard_decision_duration_seconds',
    help: 'Time from the known reader to the decision, counters included',
    labelNames: ['kind'],
    buckets: BUCKETS_SECONDS,
    registers: [registry],
  })
  const counters = new Map(
    KINDS.flatMap((kind) =>
      RESULTS.map((result) => [`${kind} ${result}`, decisions.labels(kind, result)] as const),
    ),
  )
  const timers = new Map(KINDS.map((kind) => [kind, durations.labels(kind)]))
  return {
    count: (kind, result) => counters.get(`${kind} ${result}`)!.inc(),
    time: (kind, durationMicros) => timers.get(kind)!.observe(durationMicros / 1_000_000),
  }
}

/** How large and how fresh the index is; asked when somebody reads the metrics. */
export function measureCatalogue(registry: Registry, catalogue: Catalogue, clock: Clock): void {
  const { index, content, freshness } = catalogue
  const gauge = (name: string, help: string, read: () => number) =>
    new Gauge({
      name,
      help,
      registers: [registry],
      collect() {
        this.set(read())
      },
    })
  gauge('placard_index_ads', 'Ads in the decision index', () => content.ads.size)
  gauge('placard_index_version', 'Changes applied to the index', () => index.version)
  gauge(
    'placard_index_age_seconds',
    'Time since the index last agreed with the database',
    () => (clock.now().getTime() - freshness.syncedAt.getTime()) / 1_000,
  )
  gauge(
    'placard_index_lag_seconds',
    'From writing the newest applied change to applying it',
    () => freshness.lagMs / 1_000,
  )
  gauge(
    'placard_index_repaired_units',
    'What reconciliations found different from the database',
    () => freshness.repaired,
  )
}

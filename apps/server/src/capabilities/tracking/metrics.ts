import { Counter, Gauge, type Registry } from 'prom-client'
import type { Ingest, IngestObserver, IngestState } from './intake/ingest.ts'
import type { Settlement } from './settlement/settler.ts'
import type { Spool } from './intake/spool.ts'

export interface TrackingMetrics {
  readonly observer: Required<Omit<IngestObserver, 'failed' | 'kept'>>
  clickLost(): void
}

const LOST = ['waiting-full', 'spool-full', 'spool-broken', 'stopped', 'click-redirected'] as const
type Lost = (typeof LOST)[number]

/** Counts every event by its outcome, and every kind of loss separately. */
export function createTrackingMetrics(registry: Registry, spool: Spool): TrackingMetrics {
  const settled = new Counter({
    name: 'placard_events_settled_total',
    help: 'Events that were stored, by kind and label',
    labelNames: ['kind', 'label'],
    registers: [registry],
  })
  const repeats = new Counter({
    name: 'placard_events_repeated_total',
    help: 'Events that were stored already',
    registers: [registry],
  })
  const overDelivered = new Counter({
    name: 'placard_events_over_delivered_total',
    help: 'Events after their budget was used up: stored and not charged',
    registers: [registry],
  })
  const quarantined = new Counter({
    name: 'placard_events_quarantined_total',
    help: 'Events that no table accepts',
    registers: [registry],
  })
  const early = new Counter({
    name: 'placard_clicks_early_total',
    help: 'Clicks before their impression was settled: waiting, or judged at once because too many wait',
    labelNames: ['fate'],
    registers: [registry],
  })
  for (const fate of ['waits', 'too-many']) early.inc({ fate }, 0)
  const lost = new Counter({
    name: 'placard_events_lost_total',
    help: 'Events that were not taken, and why; alert on any',
    labelNames: ['why'],
    registers: [registry],
  })
  for (const why of LOST) lost.inc({ why }, 0)
  const lose = (count: number, why: Lost) => lost.inc({ why }, count)
  const state = measureSpool(registry, spool)

  return {
    clickLost: () => lose(1, 'click-redirected'),
    observer: {
      settled(settlement) {
        for (const [kind, label, count] of countsOf(settlement)) settled.inc({ kind, label }, count)
        for (const [label, count] of Object.entries(settlement.progress))
          settled.inc({ kind: 'progress', label }, count)
        repeats.inc(settlement.repeats)
        quarantined.inc(settlement.quarantined)
        early.inc({ fate: 'waits' }, settlement.early)
        early.inc({ fate: 'too-many' }, settlement.earlyRefused)
        overDelivered.inc(
          settlement.fresh.filter(({ billing }) => billing === 'over-delivery').length,
        )
      },
      refused: lose,
      changed: (now: IngestState) => state.set(now === 'spooling' ? 1 : 0),
    },
  }
}

/** Events that this node has staged and not settled yet. Usually seconds. */
export function measureStaged(registry: Registry, ingest: Pick<Ingest, 'stagedCount'>): void {
  const depth: Gauge = new Gauge({
    name: 'placard_noted_events',
    help: 'Events that this node has acknowledged and noted, and not settled yet',
    registers: [registry],
    collect: () => depth.set(ingest.stagedCount()),
  })
}

function measureSpool(registry: Registry, spool: Spool): Gauge {
  const depth: Gauge = new Gauge({
    name: 'placard_spool_events',
    help: 'Events on the local disk that wait for PostgreSQL',
    registers: [registry],
    collect: () => depth.set(spool.count()),
  })
  return new Gauge({
    name: 'placard_spooling',
    help: '1 while PostgreSQL is unavailable and events go to the local disk',
    registers: [registry],
  })
}

function countsOf({ fresh }: Settlement): (readonly [string, string, number])[] {
  const counts = new Map<string, number>()
  for (const { event } of fresh) {
    const name = `${event.kind} ${event.label}`
    counts.set(name, (counts.get(name) ?? 0) + 1)
  }
  return [...counts].map(([name, count]) => {
    const [kind = '', label = ''] = name.split(' ')
    return [kind, label, count]
  })
}

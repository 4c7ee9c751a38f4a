import { Counter, Gauge, type Registry } from 'prom-client'
import type { Clock } from '../../../platform/clock.ts'
import type { Database } from '../../../platform/database/connect.ts'
import type { BuilderObserver } from './builder.ts'
import { findOldestToAdd } from './store-rebuilds.ts'

interface ObserverDeps {
  readonly registry: Registry
  readonly db: Database
  readonly clock: Clock
  readonly log: {
    info(fields: object, message: string): void
    warn(fields: object, message: string): void
  }
}

export function observeBuilder({ registry, db, clock, log }: ObserverDeps): BuilderObserver {
  const added = new Counter({
    name: 'placard_stats_events_total',
    help: 'Events added to the sums that reports read',
    registers: [registry],
  })
  const lag: Gauge = new Gauge({
    name: 'placard_rollup_lag_seconds',
    help: 'Age of the oldest settled events that reports do not show yet',
    registers: [registry],
    async collect() {
      const oldest = await findOldestToAdd(db)
      lag.set(oldest ? Math.max(0, clock.now().getTime() - oldest.getTime()) / 1_000 : 0)
    },
  })
  return {
    added: (events) => added.inc(events),
    rebuilt: (day) => log.info({ day }, 'statistics of a day rebuilt'),
    failed: (error) => log.warn({ err: error }, 'statistics could not be added'),
  }
}

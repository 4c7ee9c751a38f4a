import { Counter, Gauge, type Registry } from 'prom-client'
import type { Clock } from '../../platform/clock.ts'
import type { Database } from '../../platform/database/connect.ts'
import type { NoticeObserver } from './sending.ts'
import { findOldestWaiting } from './store.ts'

interface MetricsDeps {
  readonly registry: Registry
  readonly db: Database
  readonly clock: Clock
}

export function observeNotices({ registry, db, clock }: MetricsDeps): NoticeObserver {
  const tries = new Counter({
    name: 'placard_notices_total',
    help: 'Mails and calls to recipients: sent, waiting for another attempt, or failed for good',
    labelNames: ['way', 'result'],
    registers: [registry],
  })
  const lag: Gauge = new Gauge({
    name: 'placard_notices_lag_seconds',
    help: 'Seconds since the oldest unsent notice became due',
    registers: [registry],
    async collect() {
      const oldest = await findOldestWaiting(db)
      lag.set(oldest ? Math.max(0, clock.now().getTime() - oldest.getTime()) / 1_000 : 0)
    },
  })
  return { tried: (way, result) => tries.inc({ way, result }) }
}

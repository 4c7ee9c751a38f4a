import { Counter, Gauge, type Registry } from 'prom-client'
import type { Clock } from '../../platform/clock.ts'
import type { Database } from '../../platform/database/connect.ts'
import type { DeliveryObserver } from './delivery/endpoint-delivery.ts'
import { readDeliveryFigures } from './delivery/store.ts'

interface MetricsDeps {
  readonly registry: Registry
  readonly db: Database
  readonly clock: Clock
  readonly log: { warn(fields: object, message: string): void }
}

/** Metrics of webhooks: attempts, waiting events and their age, dead letters. */
export function observeWebhooks({ registry, db, clock, log }: MetricsDeps): DeliveryObserver {
  const attempts = new Counter({
    name: 'placard_webhook_attempts_total',
    help: 'Calls of webhook endpoints: delivered, failed with another attempt to come, or dead',
    labelNames: ['result'],
    registers: [registry],
  })
  const lag = new Gauge({
    name: 'placard_webhook_lag_seconds',
    help: 'Age of the oldest event that waits for an endpoint',
    registers: [registry],
  })
  const deliveries: Gauge = new Gauge({
    name: 'placard_webhook_deliveries',
    help: 'Events that wait for an endpoint (pending) or are dead letters (dead)',
    labelNames: ['status'],
    registers: [registry],
    async collect() {
      const { pending, dead, oldestPending } = await readDeliveryFigures(db)
      deliveries.set({ status: 'pending' }, pending)
      deliveries.set({ status: 'dead' }, dead)
      const waitedMs = oldestPending ? clock.now().getTime() - oldestPending.getTime() : 0
      lag.set(Math.max(0, waitedMs) / 1_000)
    },
  })
  return {
    tried: (result) => attempts.inc({ result }),
    switchedOff: (endpointId, reason) =>
      log.warn({ endpointId, reason }, 'webhook endpoint switched off'),
  }
}

import { drizzle } from 'drizzle-orm/node-postgres'
import { keepConnection } from '../changes/kept-connection.ts'
import { takeTurns } from '../changes/turns.ts'
import type { Database } from '../database/connect.ts'
import type { Timers } from '../timers.ts'
import { type JobOrder, ORDERS_CHANNEL, saveRelayed, takeOrders } from './orders.ts'

export interface OrderRelayOptions {
  readonly url: string
  readonly timers: Timers
  /** The same order may come twice: its id says so. */
  handOver(orders: readonly JobOrder[]): Promise<void>
  /** Called between looks for orders, about once a minute. */
  onMinute(): Promise<void>
  onError(error: unknown): void
}

const BATCH_MAX = 500
const POLL_MS = 2_000
const POLLS_PER_MINUTE = 30
const BACKOFF = { firstMs: 200, maxMs: 5_000 }

/** Carries orders to their queue after commit. Any number of processes may: each takes others. */
export function startOrderRelay(options: OrderRelayOptions): { stop(): Promise<void> } {
  const { url, timers, onError } = options
  let db: Database | undefined
  let polls = 0

  const turns = takeTurns({
    timers,
    backoff: BACKOFF,
    onError,
    async turn() {
      if (!db) return POLL_MS
      if (polls++ % POLLS_PER_MINUTE === 0) await options.onMinute()
      // No transaction is open while the queue is asked: the change feed would wait for it.
      const orders = await takeOrders(db, BATCH_MAX)
      if (orders.length === 0) return POLL_MS
      await options.handOver(orders)
      await saveRelayed(
        db,
        orders.map(({ id }) => id),
      )
      return orders.length < BATCH_MAX ? POLL_MS : 0
    },
  })
  const connection = keepConnection({
    url,
    timers,
    onError,
    applicationName: 'placard-job-orders',
    async onConnected(client) {
      client.on('notification', () => turns.wake())
      await client.query(`listen ${ORDERS_CHANNEL}`)
      db = drizzle(client)
      turns.retryNow()
    },
    onLost: () => (db = undefined),
  })

  return {
    async stop() {
      await turns.stop()
      await connection.stop()
    },
  }
}

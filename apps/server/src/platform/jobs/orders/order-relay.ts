import { drizzle } from 'drizzle-orm/node-postgres'
import { keepConnection } from '../../changes/kept-connection.ts'
import { startLoop } from '../../background/loop.ts'
import type { Database } from '../../database/connect.ts'
import type { Timers } from '../../background/timers.ts'
import { type JobOrder, ORDERS_CHANNEL, takeOrders } from './orders.ts'

export interface OrderRelayOptions {
  readonly url: string
  readonly timers: Timers
  /** Collects orders for this long, so that one statement takes many. */
  readonly gatherMs: number
  /** May get the same order twice, with the same id. */
  handOver(orders: readonly JobOrder[]): Promise<void>
  onError(error: unknown): void
}

const BATCH_MAX = 500
const POLL_MS = 2_000
const BACKOFF = { firstMs: 200, maxMs: 5_000 }

/** Moves orders to their queue after commit. Any number of processes may; each takes different ones. */
export function startOrderRelay(options: OrderRelayOptions): { stop(): Promise<void> } {
  const { url, timers, onError } = options
  let db: Database | undefined
  /** Recorded with the next read; most have started by then and need no record. */
  let handedOver: readonly string[] = []
  const loop = startLoop({
    timers,
    backoff: BACKOFF,
    onError,
    async iterate() {
      if (!db) return POLL_MS
      // No open transaction during the hand-over: it would hold back the change feed.
      const orders = await takeOrders(db, { limit: BATCH_MAX, handedOver })
      handedOver = []
      if (orders.length === 0) return POLL_MS
      await options.handOver(orders)
      handedOver = orders.map(({ id }) => id)
      return orders.length < BATCH_MAX ? POLL_MS : 0
    },
  })
  let cancelGathering: (() => void) | undefined
  const hear = () => {
    if (options.gatherMs === 0) return loop.wake()
    cancelGathering ??= timers.after(options.gatherMs, () => {
      cancelGathering = undefined
      loop.wake()
    })
  }
  const connection = keepConnection({
    url,
    timers,
    onError,
    applicationName: 'placard-job-orders',
    async onConnected(client) {
      client.on('notification', hear)
      await client.query(`listen ${ORDERS_CHANNEL}`)
      db = drizzle(client)
      loop.retryNow()
    },
    onLost: () => (db = undefined),
  })

  return {
    async stop() {
      cancelGathering?.()
      await loop.stop()
      await connection.stop()
    },
  }
}

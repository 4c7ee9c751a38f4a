import { startLoop } from '../background/loop.ts'
import type { Database } from '../database/connect.ts'
import type { Timers } from '../background/timers.ts'
import { forgetNode, type LivingNode, saveSignOfLife } from './store.ts'

export interface KeepAliveOptions extends Pick<LivingNode, 'id' | 'role' | 'version'> {
  readonly db: Database
  readonly timers: Timers
  uptimeSeconds(): number
  facts(): LivingNode['facts']
  onError(error: unknown): void
}

const PULSE_MS = 10_000
const BACKOFF = { firstMs: 1_000, maxMs: PULSE_MS }

/** Sends a heartbeat of this process; a clean end deletes its row. */
export function keepAlive(options: KeepAliveOptions): { stop(): Promise<void> } {
  const { db, timers, id, role, version, onError } = options
  const loop = startLoop({
    timers,
    backoff: BACKOFF,
    onError,
    async iterate() {
      const report = { uptimeSeconds: options.uptimeSeconds(), facts: options.facts() }
      await saveSignOfLife(db, { id, role, version, ...report })
      return PULSE_MS
    },
  })
  return {
    async stop() {
      await loop.stop()
      await forgetNode(db, id).catch(onError)
    },
  }
}

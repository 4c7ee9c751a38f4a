import { Counter, type Registry } from 'prom-client'
import { startLoop } from '../../../platform/background/loop.ts'
import type { Timers } from '../../../platform/background/timers.ts'
import type { Visitor, VisitRow } from './visits.ts'

export interface VisitsBookOptions {
  save(rows: readonly VisitRow[]): Promise<void>
  readonly timers: Timers
  readonly metrics: Registry
  onError(error: unknown): void
}

/** Writes visits to the database, behind the decisions. */
export interface VisitsBook {
  note(row: VisitRow): void
  /** What waits about the reader is not written any more. */
  forget(visitor: Visitor): void
  flush(): Promise<void>
  stop(): Promise<void>
}

const EVERY_MS = 1_000
const BATCH_MAX = 5_000
/** While the database is unavailable; readers beyond that are new again after a restart. */
const WAITING_MAX = 100_000
const BACKOFF = { firstMs: 1_000, maxMs: 30_000 }

export function openVisitsBook({ save, timers, metrics, onError }: VisitsBookOptions): VisitsBook {
  const waiting = new Map<string, VisitRow>()
  const dropped = new Counter({
    name: 'placard_visits_unwritten_total',
    help: 'Visits of readers that were not written because too many waited for the database',
    registers: [metrics],
  })

  const flush = async (): Promise<void> => {
    while (waiting.size > 0) {
      const rows = [...waiting.values()].slice(0, BATCH_MAX)
      await save(rows)
      for (const row of rows) if (waiting.get(nameOf(row)) === row) waiting.delete(nameOf(row))
    }
  }
  const loop = startLoop({
    timers,
    backoff: BACKOFF,
    onError,
    async iterate() {
      await flush()
      return EVERY_MS
    },
  })
  return {
    note(row) {
      if (waiting.size >= WAITING_MAX && !waiting.has(nameOf(row))) return dropped.inc()
      waiting.set(nameOf(row), row)
    },
    forget: (visitor) => void waiting.delete(nameOf(visitor)),
    flush,
    async stop() {
      await loop.stop()
      await flush()
    },
  }
}

const nameOf = ({ publisherKey, userKey }: Visitor) => `${publisherKey} ${userKey}`

import { Counter, Gauge, Histogram, type Registry } from 'prom-client'
import { backoffMs } from '../../../platform/background/backoff.ts'
import { type Load, untilLow } from '../../../platform/background/load.ts'
import { systemTimers, type Timers } from '../../../platform/background/timers.ts'
import { type BatchDeps, writeBatch } from './write-batch.ts'
import { RecordQueue } from './record-queue.ts'
import type { PackedBatch } from './packed-batch.ts'
import type { DecisionRecord, Recorder } from './recorder.ts'

export interface RecorderDeps extends BatchDeps {
  readonly metrics: Registry
  readonly load: Pick<Load, 'isHigh'>
  readonly timers?: Timers
  readonly bytesMax?: number
}

/** Small, so that sending a batch never holds up decisions. */
const BATCH_MAX = 500
const BYTES_MAX = 64 * 1_048_576
/** How long a single record waits for more. */
const LINGER_MS = 200
/** While the load is high a batch waits up to 150 ms, or until 4,000 records are queued. */
const DEFER = { msMax: 150, queuedMax: 4_000 }
const BACKOFF = { firstMs: 100, maxMs: 5_000 }
/** A flush at shutdown must end. */
const FLUSH_TRIES_MAX = 3

/**
 * Writes records after the reply, one batch at a time, without a pause while a full batch is
 * queued. A record waits at most 200 ms, under high load about half a second. A transient fault is
 * retried without end; meanwhile records queue up, and beyond 64 MB the oldest are dropped and
 * counted.
 */
export function createRecorder(deps: RecorderDeps): Recorder {
  const { log, load, timers = systemTimers, bytesMax = BYTES_MAX } = deps
  const queue = new RecordQueue({ batchMax: BATCH_MAX, bytesMax })
  const meters = createMeters(deps.metrics, () => queue.size)
  const rest = createRest(timers)
  let running: Promise<void> | undefined
  let flushes = 0
  const isUrgent = () => flushes > 0 || queue.size >= DEFER.queuedMax

  const write = async (batch: PackedBatch): Promise<void> => {
    for (let tries = 1; ; tries++) {
      try {
        const endTimer = meters.duration.startTimer()
        meters.count(await writeBatch(deps, batch))
        endTimer()
        return
      } catch (error) {
        meters.failures.inc()
        log.warn(
          { err: error, tries, waiting: queue.size },
          'auction records cannot be written now',
        )
        if (flushes > 0 && tries >= FLUSH_TRIES_MAX) {
          meters.count({ dropped: batch.size + queue.clear() })
          return
        }
        await rest.take(backoffMs(BACKOFF, tries), 'after a fault')
      }
    }
  }

  const run = async (): Promise<void> => {
    while (queue.size > 0) {
      if (!queue.hasFullBatch && flushes === 0) await rest.take(LINGER_MS, 'for company')
      await untilLow(load, { timers, msMax: DEFER.msMax, isUrgent })
      const batch = queue.take()!
      await write(batch)
      queue.giveBack(batch)
    }
    running = undefined
  }

  let unpacked: DecisionRecord[] = []
  /** Runs once per event-loop tick, after its replies have left. */
  const pack = () => {
    const records = unpacked
    unpacked = []
    for (const record of records) {
      const dropped = queue.push(record)
      if (dropped > 0) meters.count({ dropped })
    }
    if (queue.size === 0) return
    if (running === undefined) running = run()
    if (queue.hasFullBatch) rest.end('for company')
  }

  return {
    record(record) {
      if (unpacked.length === 0) setImmediate(pack)
      unpacked.push(record)
    },
    async flush() {
      pack()
      flushes++
      rest.end('for company')
      rest.end('after a fault')
      await running
      flushes--
    },
  }
}

type Cause = 'for company' | 'after a fault'

/** A pause that can be cut short, but only for its own cause. */
function createRest(timers: Timers) {
  let current: { readonly cause: Cause; end(): void } | undefined
  return {
    take: (ms: number, cause: Cause) =>
      new Promise<void>((resolve) => {
        const cancel = timers.after(ms, resolve)
        current = { cause, end: () => (cancel(), resolve()) }
      }),
    end(cause: Cause) {
      if (current?.cause === cause) current.end()
    },
  }
}

function createMeters(registry: Registry, waiting: () => number) {
  const records = new Counter({
    name: 'placard_auction_records_total',
    help: 'Records of decisions: added, repeated, refused by the database, dropped for want of room',
    labelNames: ['result'],
    registers: [registry],
  })
  const registers = [registry]
  return {
    waiting: new Gauge({
      name: 'placard_auction_records_waiting',
      help: 'Records of decisions that are not written yet',
      registers,
      collect() {
        this.set(waiting())
      },
    }),
    failures: new Counter({
      name: 'placard_auction_write_failures_total',
      help: 'Batches that must be written again',
      registers,
    }),
    duration: new Histogram({
      name: 'placard_auction_write_seconds',
      help: 'Time to write a batch of records',
      buckets: [0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1, 5],
      registers,
    }),
    count(results: Readonly<Record<string, number>>) {
      for (const [result, count] of Object.entries(results)) {
        if (count > 0) records.inc({ result }, count)
      }
    },
  }
}

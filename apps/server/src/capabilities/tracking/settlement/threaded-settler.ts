import { setImmediate as nextLoopIteration } from 'node:timers/promises'
import { Worker } from 'node:worker_threads'
import type { Pool } from 'pg'
import type { Clock } from '../../../platform/clock.ts'
import { packEvents } from '../intake/packed-events.ts'
import type { FullSettler, SettledEvent, Settlement } from './settler.ts'
import { stageBatch, listStagedBatches } from './store-staging.ts'

/** Options of the settling thread. */
export interface SettlerThreadOptions {
  readonly url: string
  readonly node: string
  readonly connectionsMax: number
}

/** Settle these events, or these staged batches. */
type SettleRequest = { readonly countsRepeats: boolean } & (
  | { readonly kind: 'events'; readonly events: string }
  | { readonly kind: 'staged'; readonly ids: readonly number[]; readonly ahead: readonly number[] }
)

/** A message to the thread. `atMs` is the current time: the thread has no clock of its own. */
export type SettlerRequest =
  | (SettleRequest & { readonly id: number; readonly atMs: number })
  | { readonly kind: 'close' }

export type SettlerAnswer =
  | { readonly kind: 'settled'; readonly id: number; readonly settlement: PackedSettlement }
  /** `postMessage` drops the code of an error. */
  | { readonly kind: 'failed'; readonly id: number; readonly error: Error; readonly code: unknown }

export interface ThreadedSettlerDeps extends SettlerThreadOptions {
  readonly clock: Clock
  /** Stages events from this thread, so that acknowledging them does not wait for the other. */
  readonly pool: Pool
  readonly program?: URL
}

export interface ThreadedSettler extends FullSettler {
  /** Resolves when all requests are answered. */
  close(): Promise<void>
}

/**
 * Settles in a separate thread, so that a large batch delays no request. This thread writes the
 * staging table; the settling thread reads it and answers with what decisions need.
 */
export function openThreadedSettler(deps: ThreadedSettlerDeps): ThreadedSettler {
  const { pool } = deps
  const thread = new SettlerThread(deps)
  return {
    settle: (events, { countsRepeats }) =>
      thread.ask({ kind: 'events', events: packEvents(events), countsRepeats }),
    staging: {
      add: (events) => stageBatch(pool, events),
      list: (query) => listStagedBatches(pool, query),
      settle: (ids, { countsRepeats, ahead = [] }) =>
        thread.ask({ kind: 'staged', ids, ahead, countsRepeats }),
    },
    close: () => thread.close(),
  }
}

const PROGRAM = new URL('./settler-thread.ts', import.meta.url)

interface PendingRequest {
  resolve(settlement: Settlement): void
  reject(error: Error): void
}

/** A broken thread is treated like an unavailable database: a new thread retries its requests. */
class SettlerThread {
  private readonly deps: ThreadedSettlerDeps
  private readonly pending = new Map<number, PendingRequest>()
  private worker: Worker | undefined
  private nextId = 1

  constructor(deps: ThreadedSettlerDeps) {
    this.deps = deps
    this.worker = this.start()
  }

  ask(request: SettleRequest): Promise<Settlement> {
    const id = this.nextId++
    const worker = (this.worker ??= this.start())
    return new Promise((resolve, reject) => {
      this.pending.set(id, { resolve, reject })
      worker.ref()
      post(worker, { ...request, id, atMs: this.deps.clock.now().getTime() })
    })
  }

  async close(): Promise<void> {
    const { worker } = this
    if (worker === undefined) return
    const ended = new Promise((resolve) => worker.once('exit', resolve))
    worker.ref()
    post(worker, { kind: 'close' })
    await ended
  }

  private start(): Worker {
    const { program = PROGRAM, url, node, connectionsMax } = this.deps
    const options: SettlerThreadOptions = { url, node, connectionsMax }
    const worker = new Worker(program, { workerData: options })
    worker.unref()
    worker.on('message', (answer: SettlerAnswer) => void this.answer(answer))
    worker.once('error', (error: Error) => this.fail(worker, error))
    worker.once('exit', () => this.fail(worker, new Error('the settling thread has ended')))
    return worker
  }

  private async answer(answer: SettlerAnswer): Promise<void> {
    const pending = this.take(answer.id)
    if (answer.kind === 'failed') {
      const { error, code } = answer
      return pending?.reject(code === undefined ? error : Object.assign(error, { code }))
    }
    pending?.resolve(await unpackInParts(answer.settlement))
  }

  private take(id: number): PendingRequest | undefined {
    const pending = this.pending.get(id)
    this.pending.delete(id)
    if (this.pending.size === 0) this.worker?.unref()
    return pending
  }

  private fail(worker: Worker, error: Error): void {
    if (this.worker !== worker) return
    this.worker = undefined
    for (const id of this.pending.keys()) this.take(id)?.reject(error)
  }
}

function post(worker: Worker, request: SettlerRequest): void {
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread has no origin
  worker.postMessage(request)
}

/** Yields between the parts, so that requests are served. */
async function unpackInParts({ parts, ...rest }: PackedSettlement): Promise<Settlement> {
  const fresh: SettledEvent[] = []
  for (const part of parts) {
    if (fresh.length > 0) await nextLoopIteration()
    fresh.push(...unpackSettled(part))
  }
  return { ...rest, fresh }
}

/** A settlement in the form that threads exchange. */
interface PackedSettlement extends Omit<Settlement, 'fresh'> {
  /** JSON texts of 500 events each: parsing text is faster than structured cloning. */
  readonly parts: readonly string[]
}

const PART = 500

export function packSettlement({ fresh, ...rest }: Settlement): PackedSettlement {
  const parts: string[] = []
  for (let at = 0; at < fresh.length; at += PART) {
    parts.push(JSON.stringify(fresh.slice(at, at + PART).map(rowOf)))
  }
  return { ...rest, parts }
}

const rowOf = ({ event, billing, chargedMillis }: SettledEvent) => [
  event.kind,
  event.label,
  event.pricing,
  event.campaignKey,
  event.budgetDay,
  event.reservationId,
  event.holdId,
  billing,
  chargedMillis.toString(),
]

const unpackSettled = (part: string): SettledEvent[] =>
  (JSON.parse(part) as Row[]).map(
    ([kind, label, pricing, campaignKey, budgetDay, reservationId, holdId, billing, millis]) => ({
      event: {
        kind,
        label,
        pricing,
        campaignKey: campaignKey ?? undefined,
        budgetDay,
        reservationId: reservationId ?? undefined,
        holdId: holdId ?? undefined,
      },
      billing,
      chargedMillis: BigInt(millis),
    }),
  )

type Event = SettledEvent['event']
type Row = readonly [
  kind: Event['kind'],
  label: Event['label'],
  pricing: Event['pricing'],
  campaignKey: number | null,
  budgetDay: number,
  reservationId: string | null,
  holdId: string | null,
  billing: SettledEvent['billing'],
  millis: string,
]

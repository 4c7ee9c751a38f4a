import { setImmediate as nextTurn } from 'node:timers/promises'
import { Worker } from 'node:worker_threads'
import type { Pool } from 'pg'
import type { Clock } from '../../../platform/clock.ts'
import { packEvents } from '../intake/packed-events.ts'
import { type PackedSettlement, unpackSettled } from './packed-settlement.ts'
import type { FullSettler, SettledEvent, Settlement } from './settler.ts'
import { addNote, listNotes } from './store-staging.ts'

/** Options of the settling thread. */
export interface SettlerThreadOptions {
  readonly url: string
  readonly node: string
  readonly connectionsMax: number
}

interface Ask {
  readonly id: number
  /** The current time: the thread has no clock of its own. */
  readonly atMs: number
  readonly countsRepeats: boolean
}

/** Requests to the thread: settle these events, or these staged batches. */
export type SettlerRequest =
  | (Ask & { readonly kind: 'events'; readonly events: string })
  | (Ask & {
      readonly kind: 'notes'
      readonly ids: readonly number[]
      readonly ahead: readonly number[]
    })
  | { readonly kind: 'close' }

type Wish = { readonly countsRepeats: boolean } & (
  | { readonly kind: 'events'; readonly events: string }
  | { readonly kind: 'notes'; readonly ids: readonly number[]; readonly ahead: readonly number[] }
)

export type SettlerAnswer =
  | { readonly kind: 'settled'; readonly id: number; readonly settlement: PackedSettlement }
  /** `postMessage` drops the code of an error. */
  | { readonly kind: 'failed'; readonly id: number; readonly error: Error; readonly code: unknown }

export interface ThreadedSettlerDeps extends SettlerThreadOptions {
  readonly clock: Clock
  /** For notes: what is acknowledged does not wait for the thread. */
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
    inbox: {
      add: (events) => addNote(pool, events),
      list: (query) => listNotes(pool, query),
      settle: (ids, { countsRepeats, ahead = [] }) =>
        thread.ask({ kind: 'notes', ids, ahead, countsRepeats }),
    },
    close: () => thread.close(),
  }
}

const PROGRAM = new URL('./settler-thread.ts', import.meta.url)

interface Asked {
  resolve(settlement: Settlement): void
  reject(error: Error): void
}

/** A broken thread is treated like an unavailable database: a new thread retries its requests. */
class SettlerThread {
  private readonly deps: ThreadedSettlerDeps
  private readonly asked = new Map<number, Asked>()
  private worker: Worker | undefined
  private nextId = 1

  constructor(deps: ThreadedSettlerDeps) {
    this.deps = deps
    this.worker = this.start()
  }

  ask(wish: Wish): Promise<Settlement> {
    const id = this.nextId++
    const worker = (this.worker ??= this.start())
    return new Promise((resolve, reject) => {
      this.asked.set(id, { resolve, reject })
      worker.ref()
      post(worker, { ...wish, id, atMs: this.deps.clock.now().getTime() })
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
    worker.once('exit', () => this.fail(worker, new Error('the thread that settles has ended')))
    return worker
  }

  private async answer(answer: SettlerAnswer): Promise<void> {
    const asked = this.take(answer.id)
    if (answer.kind === 'failed') {
      const { error, code } = answer
      return asked?.reject(code === undefined ? error : Object.assign(error, { code }))
    }
    asked?.resolve(await unpackInTurns(answer.settlement))
  }

  private take(id: number): Asked | undefined {
    const asked = this.asked.get(id)
    this.asked.delete(id)
    if (this.asked.size === 0) this.worker?.unref()
    return asked
  }

  private fail(worker: Worker, error: Error): void {
    if (this.worker !== worker) return
    this.worker = undefined
    for (const id of this.asked.keys()) this.take(id)?.reject(error)
  }
}

function post(worker: Worker, request: SettlerRequest): void {
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread has no origin
  worker.postMessage(request)
}

/** Yields between the parts, so that requests are served. */
async function unpackInTurns({ parts, ...rest }: PackedSettlement): Promise<Settlement> {
  const fresh: SettledEvent[] = []
  for (const part of parts) {
    if (fresh.length > 0) await nextTurn()
    fresh.push(...unpackSettled(part))
  }
  return { ...rest, fresh }
}

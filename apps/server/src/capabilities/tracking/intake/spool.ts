import { mkdir, open } from 'node:fs/promises'
import path from 'node:path'
import { Worker } from 'node:worker_threads'
import type { TrackedEvent } from './event.ts'

/** Keeps events on the local disk while PostgreSQL is unavailable. First in, first out, bounded. */
export interface Spool {
  /** Answers `kept` only after fsync, so that a power loss loses nothing. */
  append(events: readonly TrackedEvent[]): Promise<'kept' | 'full'>
  /** The oldest events. They stay until `remove`. */
  read(limit: number): Promise<SpoolPage>
  remove(through: number): Promise<void>
  /** Number of spooled events, as of the last answer of the thread. */
  count(): number
  /** Whether the last write succeeded. After a failure each call tries another write. */
  isWritable(): boolean
  close(): Promise<void>
}

interface SpoolPage {
  readonly events: readonly TrackedEvent[]
  /** The argument for `remove` once these events are settled. */
  readonly through: number
}

export interface SqliteSpoolOptions {
  readonly file: string
  /** The spool refuses events beyond this size. */
  readonly bytesMax: number
}

/** Requests to the thread, which answers in the same order. */
export type SpoolRequest =
  | { readonly kind: 'append'; readonly id: number; readonly events: readonly string[] }
  | { readonly kind: 'read'; readonly id: number; readonly limit: number }
  | { readonly kind: 'remove'; readonly id: number; readonly through: number }
  | { readonly kind: 'probe' | 'close'; readonly id: number }

export type SpoolAnswer =
  | { readonly id: number; readonly kind: 'opened' | 'done'; readonly count: number }
  | { readonly id: number; readonly kind: 'full'; readonly count: number }
  | {
      readonly id: number
      readonly kind: 'page'
      readonly count: number
      readonly events: readonly string[]
      readonly through: number
    }
  | {
      readonly id: number
      readonly kind: 'failed'
      readonly count: number
      readonly reason: string
    }

type Request = SpoolRequest extends infer Each
  ? Each extends unknown
    ? Omit<Each, 'id'>
    : never
  : never

/**
 * A spool in a SQLite file. A thread writes it, so that no request waits for the disk. The file is
 * locked while it is open: a second process cannot take the same events.
 */
export async function openSqliteSpool(options: SqliteSpoolOptions): Promise<Spool> {
  await mkdir(path.dirname(options.file), { recursive: true })
  await keepPrivate(options.file)
  const thread = new SpoolThread(options)
  await thread.opened
  return {
    async append(events) {
      const texts = events.map((event) => JSON.stringify(event))
      const answer = await thread.ask({ kind: 'append', events: texts })
      return answer.kind === 'full' ? 'full' : 'kept'
    },
    async read(limit) {
      const answer = await thread.ask({ kind: 'read', limit })
      if (answer.kind !== 'page') throw new Error(`the spool answered ${answer.kind}`)
      const { events, through } = answer
      return { events: events.map((text) => JSON.parse(text) as TrackedEvent), through }
    },
    async remove(through) {
      await thread.ask({ kind: 'remove', through })
    },
    count: () => thread.count,
    isWritable: () => thread.isWritable(),
    async close() {
      await thread.ask({ kind: 'close' })
      await thread.ended
    },
  }
}

/**
 * Events identify readers, so only the owner may read the file. SQLite's side files get the same
 * mode.
 */
async function keepPrivate(file: string): Promise<void> {
  const handle = await open(file, 'a', 0o600)
  await handle.chmod(0o600)
  await handle.close()
}

interface PendingRequest {
  resolve(answer: SpoolAnswer): void
  reject(error: Error): void
}

const OPENING = 0

class SpoolThread {
  count = 0
  private hasFailed = false
  private isProbing = false
  readonly opened: Promise<SpoolAnswer>
  readonly ended: Promise<void>
  private readonly worker: Worker
  private readonly pending = new Map<number, PendingRequest>()
  private nextId = OPENING + 1
  private broken: Error | undefined

  constructor(options: SqliteSpoolOptions) {
    this.worker = new Worker(new URL('./spool-thread.ts', import.meta.url), { workerData: options })
    this.worker.unref()
    this.opened = new Promise((resolve, reject) => this.pending.set(OPENING, { resolve, reject }))
    this.ended = new Promise((resolve) => this.worker.once('exit', () => resolve()))
    this.worker.on('message', (answer: SpoolAnswer) => this.answer(answer))
    this.worker.on('error', (error: Error) => this.fail(error))
    this.worker.once('exit', () => this.fail(new Error('the spool is closed')))
  }

  ask(request: Request): Promise<SpoolAnswer> {
    if (this.broken) return Promise.reject(this.broken)
    const id = this.nextId++
    return new Promise((resolve, reject) => {
      this.pending.set(id, { resolve, reject })
      this.worker.ref()
      // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread has no origin
      this.worker.postMessage({ ...request, id })
    })
  }

  isWritable(): boolean {
    if (this.hasFailed && !this.isProbing) {
      this.isProbing = true
      void this.ask({ kind: 'probe' }).then(
        () => (this.isProbing = false),
        () => (this.isProbing = false),
      )
    }
    return !this.hasFailed
  }

  private answer(answer: SpoolAnswer): void {
    this.count = answer.count
    this.hasFailed = answer.kind === 'failed'
    const pending = this.take(answer.id)
    if (answer.kind === 'failed') pending?.reject(new Error(answer.reason))
    else pending?.resolve(answer)
  }

  private take(id: number): PendingRequest | undefined {
    const pending = this.pending.get(id)
    this.pending.delete(id)
    if (this.pending.size === 0) this.worker.unref()
    return pending
  }

  private fail(error: Error): void {
    this.broken ??= error
    this.hasFailed = true
    for (const id of this.pending.keys()) this.take(id)?.reject(this.broken)
  }
}

import { drizzle } from 'drizzle-orm/node-postgres'
import { keepConnection } from '../changes/kept-connection.ts'
import type { Timers } from '../background/timers.ts'
import type { Backoff } from '../background/backoff.ts'
import { startLoop } from '../background/loop.ts'
import type { Database } from '../database/connect.ts'
import { type CloudEvent, toCloudEvent } from './event.ts'
import {
  CursorMoved,
  type Cursors,
  type EventSource,
  moveCursors,
  openCursors,
  outboxSource,
  readSources,
} from './sources.ts'
import { OUTBOX_CHANNEL, tryLeaderLock } from './store.ts'

/** A destination of events. */
export interface Sink {
  /** Names the cursor; a new name starts from the beginning. */
  readonly name: string
  /**
   * Called at least once per event, in order. Returns when the receiver has them durably; throws to get the
   * same ones again. Must end when the signal aborts, or the next attempt overtakes this one.
   */
  deliver(events: readonly CloudEvent[], signal: AbortSignal): Promise<void>
}

export interface RelayObserver {
  delivered(sink: string, events: number): void
  /** Reports the time of the oldest undelivered event; undefined if there is none. */
  waiting(sink: string, since: Date | undefined): void
  failed(sink: string, error: unknown): void
}

export interface RelayOptions {
  readonly url: string
  readonly sinks: readonly Sink[]
  /** Default: the outbox. */
  readonly sources?: readonly EventSource[]
  /** The `source` of every event. */
  readonly source: string
  readonly timers: Timers
  readonly observer: RelayObserver
  readonly batchMax?: number
  readonly pollMs?: number
  readonly deliverTimeoutMs?: number
  readonly backoff?: Backoff
}

export interface Relay {
  /** Waits for batches in flight. */
  stop(): Promise<void>
}

/** Delivers every source's events to every sink. Any number of processes may run one; one leads per sink. */
export function startRelay(options: RelayOptions): Relay {
  const relays = options.sinks.map((sink) => relayTo(sink, options))
  return {
    async stop() {
      await Promise.all(relays.map((relay) => relay.stop()))
    },
  }
}

/** A connection and what is valid only while it lasts: the leader lock and the cursors. */
interface Session {
  readonly db: Database
  leads: boolean
  cursors: Cursors | undefined
}

const HELD_BACK_MS = 50
const BACKOFF = { firstMs: 500, maxMs: 60_000 }

function relayTo(sink: Sink, options: RelayOptions): Relay {
  const { url, timers, observer, pollMs = 1_000, backoff = BACKOFF } = options
  const onError = (error: unknown) => observer.failed(sink.name, error)
  let session: Session | undefined

  const loop = startLoop({
    timers,
    backoff,
    onError,
    async iterate() {
      if (!session) return pollMs
      session.leads ||= await tryLeaderLock(session.db, sink.name)
      if (!session.leads) return pollMs
      const state = await relayBatch(session, { sink, options })
      return state === 'more' ? 0 : state === 'held-back' ? HELD_BACK_MS : pollMs
    },
  })

  const connection = keepConnection({
    url,
    timers,
    onError,
    applicationName: 'placard-outbox',
    async onConnected(client) {
      client.on('notification', () => loop.wake())
      await client.query(`listen ${OUTBOX_CHANNEL}`)
      session = { db: drizzle(client), leads: false, cursors: undefined }
      loop.retryNow()
    },
    onLost: () => (session = undefined),
  })

  return {
    async stop() {
      await loop.stop()
      await connection.stop()
    },
  }
}

async function relayBatch(
  session: Session,
  { sink, options }: { sink: Sink; options: RelayOptions },
): Promise<string> {
  const { db } = session
  const { sources = [outboxSource], batchMax = 200, observer } = options
  const cursors = (session.cursors ??= await openCursors(db, { sink: sink.name, sources }))
  const page = await readSources(db, { sources, cursors, limit: batchMax, wants: () => true })
  observer.waiting(sink.name, page.events[0]?.time)
  if (page.events.length > 0) {
    const events = page.events.map((event) => toCloudEvent(event, options.source))
    await deliverInTime(sink, events, options)
  }
  await moveOn(session, { sink: sink.name, sources, from: cursors, to: page.next })
  if (page.events.length > 0) observer.delivered(sink.name, page.events.length)
  if (page.state === 'end') observer.waiting(sink.name, undefined)
  return page.state
}

async function moveOn(session: Session, move: Parameters<typeof moveCursors>[1]): Promise<void> {
  try {
    await moveCursors(session.db, move)
    session.cursors = move.to
  } catch (error) {
    if (error instanceof CursorMoved) session.cursors = undefined
    throw error
  }
}

async function deliverInTime(
  sink: Sink,
  events: readonly CloudEvent[],
  { timers, deliverTimeoutMs = 30_000 }: RelayOptions,
): Promise<void> {
  const controller = new AbortController()
  const { promise: timeOver, reject } = Promise.withResolvers<never>()
  const cancel = timers.after(deliverTimeoutMs, () => {
    controller.abort()
    reject(new Error(`${sink.name} did not take the events within ${deliverTimeoutMs} ms`))
  })
  try {
    await Promise.race([sink.deliver(events, controller.signal), timeOver])
  } finally {
    cancel()
  }
}

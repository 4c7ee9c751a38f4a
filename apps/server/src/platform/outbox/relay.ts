import { drizzle } from 'drizzle-orm/node-postgres'
import { keepConnection } from '../changes/kept-connection.ts'
import type { Timers } from '../timers.ts'
import { type Backoff, takeTurns } from '../changes/turns.ts'
import type { Database } from '../database/connect.ts'
import { type FeedCursor, readFeed } from '../database/ordered-feed.ts'
import { type CloudEvent, toCloudEvent } from './event.ts'
import { moveCursor, openCursor, OUTBOX_CHANNEL, outboxFeed, tryLead } from './store.ts'

/** Where events are told. */
export interface Sink {
  /** Names the cursor: a new name starts over. */
  readonly name: string
  /**
   * At least once and in order; returns when the receiver has them for good, throws to get the same
   * again. Must end when the signal aborts, or the next try overtakes this one.
   */
  deliver(events: readonly CloudEvent[], signal: AbortSignal): Promise<void>
}

export interface RelayObserver {
  delivered(sink: string, events: number): void
  failed(sink: string, error: unknown): void
}

export interface RelayOptions {
  readonly url: string
  readonly sinks: readonly Sink[]
  /** The `source` of every event: who says so. */
  readonly source: string
  readonly timers: Timers
  readonly observer: RelayObserver
  readonly batchMax?: number
  readonly pollMs?: number
  readonly deliverTimeoutMs?: number
  readonly backoff?: Backoff
}

export interface Relay {
  /** Waits for the batches under way. */
  stop(): Promise<void>
}

/** Tells every sink what is in the outbox. Any number of processes may: one of them leads per sink. */
export function startRelay(options: RelayOptions): Relay {
  const relays = options.sinks.map((sink) => relayTo(sink, options))
  return {
    async stop() {
      await Promise.all(relays.map((relay) => relay.stop()))
    },
  }
}

/** A connection, and what is only true as long as it lasts: the lead, and the cursor's place. */
interface Session {
  readonly db: Database
  leads: boolean
  cursor: FeedCursor | undefined
}

const HELD_BACK_MS = 50
const BACKOFF = { firstMs: 500, maxMs: 60_000 }

function relayTo(sink: Sink, options: RelayOptions): Relay {
  const { url, timers, observer, pollMs = 1_000, backoff = BACKOFF } = options
  const onError = (error: unknown) => observer.failed(sink.name, error)
  let session: Session | undefined

  const turns = takeTurns({
    timers,
    backoff,
    onError,
    async turn() {
      if (!session) return pollMs
      session.leads ||= await tryLead(session.db, sink.name)
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
      client.on('notification', () => turns.wake())
      await client.query(`listen ${OUTBOX_CHANNEL}`)
      session = { db: drizzle(client), leads: false, cursor: undefined }
      turns.retryNow()
    },
    onLost: () => (session = undefined),
  })

  return {
    async stop() {
      await turns.stop()
      await connection.stop()
    },
  }
}

async function relayBatch(
  session: Session,
  { sink, options }: { sink: Sink; options: RelayOptions },
): Promise<string> {
  const { db } = session
  const from = (session.cursor ??= await openCursor(db, sink.name))
  const page = await readFeed(db, outboxFeed, { after: from, limit: options.batchMax ?? 200 })
  if (page.rows.length === 0) return page.state

  const events = page.rows.map((event) => toCloudEvent(event, options.source))
  await deliverInTime(sink, events, options)
  if (!(await moveCursor(db, { sink: sink.name, from, to: page.next }))) {
    session.cursor = undefined
    throw new Error(`Another relay has moved the cursor of ${sink.name}`)
  }
  session.cursor = page.next
  options.observer.delivered(sink.name, events.length)
  return page.state
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

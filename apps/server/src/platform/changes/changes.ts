import {
  cursorNow,
  type Feed,
  type FeedCursor,
  readFeed,
  trimFeed,
} from '../database/ordered-feed.ts'
import type { Database } from '../database/connect.ts'
import { keepConnection } from './kept-connection.ts'
import type { Timers } from '../background/timers.ts'
import { startLoop } from '../background/loop.ts'

/** A row was written; what it is now, the subscriber reads itself. */
export interface Change {
  readonly entity: string
  readonly entityId: bigint
  readonly operation: 'insert' | 'update' | 'delete'
  readonly changedAt: Date
}

export interface ChangeSubscriber {
  /** At least once and in order; when it throws, the same changes come again. */
  onChanges(changes: readonly Change[]): Promise<void> | void
  /** Changes were missed: loads everything again and returns the cursor of that load. */
  onReload(): Promise<FeedCursor>
  /** Now and then, compares all with the database and repairs what is different. */
  onReconcile?(): Promise<void> | void
}

export interface FollowOptions {
  readonly db: Database
  readonly url: string
  readonly from: FeedCursor
  readonly subscriber: ChangeSubscriber
  readonly timers: Timers
  readonly batchMax?: number
  readonly pollMs?: number
  readonly reconcileMs?: number
  onError(error: unknown): void
}

export interface ChangeFollower {
  cursor(): FeedCursor
  stop(): Promise<void>
}

const CHANNEL = 'placard_changes'
/** An open transaction holds the feed back and ends without a word, so look often. */
const HELD_BACK_MS = 50
const BACKOFF = { firstMs: 100, maxMs: 2_000 }

/** Hands every change behind the cursor to the subscriber: woken by NOTIFY, polled as a backstop. */
export function followChanges(options: FollowOptions): ChangeFollower {
  const { db, url, subscriber, timers, onError, pollMs = 1_000, batchMax = 1_000 } = options
  let cursor = options.from
  const reconciliation = dueEvery(options.reconcileMs ?? 60_000, timers)

  const turns = startLoop({
    timers,
    onError,
    backoff: BACKOFF,
    async iterate() {
      if (reconciliation.isDue()) {
        await subscriber.onReconcile?.()
        reconciliation.done()
      }
      const page = await readFeed(db, changesFeed, { after: cursor, limit: batchMax })
      if (page.state === 'trimmed') {
        cursor = await subscriber.onReload()
        return 0
      }
      if (page.rows.length > 0) await subscriber.onChanges(page.rows)
      cursor = page.next
      return { more: 0, 'held-back': HELD_BACK_MS, end: pollMs }[page.state]
    },
  })
  reconciliation.start(() => turns.wake())

  const ears = keepConnection({
    url,
    applicationName: 'placard-changes',
    timers,
    onError,
    async onConnected(client) {
      client.on('notification', () => turns.wake())
      await client.query(`listen ${CHANNEL}`)
      // What was said while nobody listened is not said again.
      turns.retryNow()
    },
  })

  return {
    cursor: () => cursor,
    async stop() {
      reconciliation.stop()
      await Promise.all([ears.stop(), turns.stop()])
    },
  }
}

function dueEvery(ms: number, timers: Timers) {
  let due = false
  let cancel: (() => void) | undefined
  const start = (onDue: () => void) => {
    cancel = timers.after(ms, () => {
      due = true
      onDue()
      start(onDue)
    })
  }
  return { start, stop: () => cancel?.(), isDue: () => due, done: () => (due = false) }
}

export const changesFeed: Feed<Change> = {
  table: 'changes',
  columns: ['entity', 'entity_id', 'operation', 'changed_at'],
  timeColumn: 'changed_at',
  parse: (row) => ({
    entity: row['entity'] as string,
    entityId: BigInt(row['entity_id'] as string),
    operation: row['operation'] as Change['operation'],
    changedAt: new Date(row['changed_at'] as string),
  }),
}

/** Loads in one snapshot, with the cursor to follow from: nothing between the two can be missed. */
export function loadAtCursor<Loaded>(
  db: Database,
  load: (db: Database) => Promise<Loaded>,
): Promise<{ readonly cursor: FeedCursor; readonly loaded: Loaded }> {
  return db.transaction(
    async (db) => {
      const cursor = await cursorNow(db)
      return { cursor, loaded: await load(db) }
    },
    { isolationLevel: 'repeatable read', accessMode: 'read only' },
  )
}

/** Several subscribers on one feed. If one fails, all get the same changes again. */
export function combineSubscribers(
  db: Database,
  subscribers: readonly ChangeSubscriber[],
): ChangeSubscriber {
  return {
    async onChanges(changes) {
      for (const subscriber of subscribers) await subscriber.onChanges(changes)
    },
    async onReload() {
      const cursor = await cursorNow(db)
      for (const subscriber of subscribers) await subscriber.onReload()
      return cursor
    },
    async onReconcile() {
      for (const subscriber of subscribers) await subscriber.onReconcile?.()
    },
  }
}

const TRIM_BATCH = 10_000
const TRIM_BATCHES_MAX = 100

/** Forgets old changes; a reader that is further behind is told to reload. Returns how many. */
export async function trimOldChanges(db: Database, olderThan: Date): Promise<number> {
  let trimmed = 0
  for (let batch = 0; batch < TRIM_BATCHES_MAX; batch++) {
    const count = await trimFeed(db, changesFeed, { olderThan, limit: TRIM_BATCH })
    trimmed += count
    if (count < TRIM_BATCH) break
  }
  return trimmed
}

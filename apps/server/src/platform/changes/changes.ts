import {
  cursorNow,
  type Feed,
  type FeedCursor,
  readFeed,
  trimFeed,
} from '../database/ordered-feed.ts'
import type { Database } from '../database/connect.ts'
import { keepConnection } from './kept-connection.ts'
import { systemUptime, type Uptime } from '../clock.ts'
import { failureOf } from '../database/failure.ts'
import type { Timers } from '../background/timers.ts'
import { startLoop } from '../background/loop.ts'

/** A row was written. The subscriber reads the row itself. */
export interface Change {
  readonly entity: string
  readonly entityId: bigint
  readonly operation: 'insert' | 'update' | 'delete'
  readonly changedAt: Date
}

export interface ChangeSubscriber {
  /** Called at least once per change, in order. If it throws, the same changes come again. */
  onChanges(changes: readonly Change[]): Promise<void> | void
  /** Changes were missed: reload everything and return the cursor of that load. */
  onReload(): Promise<FeedCursor>
  /** Called once a minute: compare everything with the database and repair differences. */
  onReconcile?(): Promise<void> | void
  /** Called before each read of the feed: retry subscribers that were left behind. */
  catchUp?(): Promise<void>
  /** For how long a subscriber has been left behind; 0 if none is. */
  behindMs?(): number
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
  readonly uptime?: Uptime
  onError(error: unknown): void
}

/** Health of the feed. */
export interface FeedStanding {
  /**
   * For how long changes have been stuck: an open transaction holds the feed back, the subscriber
   * fails or hangs, or one of several was left behind. 0 while all is well.
   */
  readonly stalledMs: number
  /** The last read failed because PostgreSQL did not answer. */
  readonly isUnavailable: boolean
}

export interface ChangeFollower {
  cursor(): FeedCursor
  standing(): FeedStanding
  stop(): Promise<void>
}

const CHANNEL = 'placard_changes'
/** Nothing announces the end of the open transaction that holds the feed back, so poll often. */
const HELD_BACK_MS = 50
const BACKOFF = { firstMs: 100, maxMs: 2_000 }
/** The feed is read every second; this much longer without a read is still healthy. */
const QUIET_MS = 4_000

/** Delivers every change after the cursor to the subscriber. NOTIFY wakes it; polling is the backstop. */
export function followChanges(options: FollowOptions): ChangeFollower {
  const { db, url, subscriber, timers, onError, pollMs = 1_000, batchMax = 1_000 } = options
  const { uptime = systemUptime } = options
  let cursor = options.from
  let movedAtMs = uptime.nowMs()
  let isUnavailable = false
  const reconciliation = dueEvery(options.reconcileMs ?? 60_000, timers)

  const loop = startLoop({
    timers,
    onError(error) {
      isUnavailable = failureOf(error) === 'unavailable'
      onError(error)
    },
    backoff: BACKOFF,
    async iterate() {
      await subscriber.catchUp?.()
      if (reconciliation.isDue()) {
        await subscriber.onReconcile?.()
        reconciliation.done()
      }
      const page = await readFeed(db, changesFeed, { after: cursor, limit: batchMax })
      if (page.state === 'trimmed') {
        cursor = await subscriber.onReload()
        movedAtMs = uptime.nowMs()
        return 0
      }
      if (page.rows.length > 0) await subscriber.onChanges(page.rows)
      cursor = page.next
      isUnavailable = false
      if (page.state !== 'held-back' || page.rows.length > 0) movedAtMs = uptime.nowMs()
      return { more: 0, 'held-back': HELD_BACK_MS, end: pollMs }[page.state]
    },
  })
  reconciliation.start(() => loop.wake())

  const listener = keepConnection({
    url,
    applicationName: 'placard-changes',
    timers,
    onError,
    async onConnected(client) {
      client.on('notification', () => loop.wake())
      await client.query(`listen ${CHANNEL}`)
      // Notifications sent while the connection was down are lost.
      loop.retryNow()
    },
  })

  return {
    cursor: () => cursor,
    standing() {
      const silentMs = uptime.nowMs() - movedAtMs
      const ownMs = silentMs > pollMs + QUIET_MS ? silentMs : 0
      return { stalledMs: Math.max(ownMs, subscriber.behindMs?.() ?? 0), isUnavailable }
    },
    async stop() {
      reconciliation.stop()
      await Promise.all([listener.stop(), loop.stop()])
    },
  }
}

const STALLED_MS_MAX = 30_000

/**
 * False: the node acts on outdated rows and should get no traffic. An unavailable PostgreSQL does not
 * count: no other node would know more, and decisions continue from memory.
 */
export function isFollowing(follower: Pick<ChangeFollower, 'standing'>): boolean {
  const { stalledMs, isUnavailable } = follower.standing()
  return isUnavailable || stalledMs < STALLED_MS_MAX
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

/** Loads in one snapshot together with the cursor to follow from, so that no change falls between. */
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

const TRIM_BATCH = 10_000
const TRIM_BATCHES_MAX = 100

/** Deletes old changes; a reader further behind must reload. Returns how many. */
export async function trimOldChanges(db: Database, olderThan: Date): Promise<number> {
  let trimmed = 0
  for (let batch = 0; batch < TRIM_BATCHES_MAX; batch++) {
    const count = await trimFeed(db, changesFeed, { olderThan, limit: TRIM_BATCH })
    trimmed += count
    if (count < TRIM_BATCH) break
  }
  return trimmed
}

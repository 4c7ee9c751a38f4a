import { Counter, Gauge, type Registry } from 'prom-client'
import { startLoop } from '../../../platform/background/loop.ts'
import { retryUntil } from '../../../platform/background/retry.ts'
import type { Random } from '../../../platform/random.ts'
import { type Clock, systemUptime, type Uptime } from '../../../platform/clock.ts'
import { type RedisConnection, untilReady } from '../../../platform/redis/connect.ts'
import type { Timers } from '../../../platform/background/timers.ts'
import type { Counters, SeenRow } from '../counters/counters.ts'
import { createRedisVisits, type RedisVisits } from '../visits/redis-visits.ts'
import type { VisitRow, Visits } from '../visits/visits.ts'
import type { Attempt } from './gathered.ts'
import { createRedisCounters, type RedisCounters } from './redis-counters.ts'

export interface SharedCountersOptions {
  /** Gives up on an answer after `timeoutMs`. */
  readonly redis: RedisConnection
  readonly timeoutMs: number
  /** The name of this process in settled batches. */
  readonly node: string
  readonly clock: Clock
  readonly random: Random
  readonly timers: Timers
  readonly metrics: Registry
  readonly uptime?: Uptime
  /** Settled counts of the current windows. */
  listSeen(at: Date): AsyncIterable<readonly SeenRow[]>
  /**
   * Counts of users that this process settled last. It may have crashed before it restored them to
   * Redis.
   */
  listSettledBy(node: string, at: Date): Promise<readonly SeenRow[]>
  /** Visits of the readers who are still remembered, the latest first. */
  listVisits(at: Date): AsyncIterable<readonly VisitRow[]>
  /** Takes visits that the database should know. */
  noteVisit(row: VisitRow): void
  onError(error: unknown): void
}

export interface SharedCounters extends Counters {
  /** Under the same guard, on the same clock. */
  readonly visits: Visits
  /** Redis answers and has all earlier counts. */
  isEnforced(): boolean
  stop(): Promise<void>
}

const EPOCH_KEY = 'placard:caps-epoch'
const REFILL_KEY = 'placard:caps-refill'
/** Renewed with each page, so that a node that crashes blocks others only this long. */
const REFILL_LOCK_MS = 10_000
/** Retry deadline for a page that Redis does not take at once. */
const REFILL_RETRY_SECONDS = 5
/** When each node was last alive, by the clock of Redis. */
const NODES_KEY = 'placard:caps-nodes'
/** A node silent for this long may have crashed. Far shorter than a hold. */
const SILENT_MS = 5_000
const NODES_MAX = 20
const WATCH_MS = 1_000
const WAIT_FOR_REFILL_MS = 100
/** After a failure, decisions skip Redis for this long. */
const SKIP_MS = 500
/** After this time the node starts without caps. */
const WAIT_AT_START_MS = 3_000
const BACKOFF = { firstMs: 100, maxMs: 1_000 }

/**
 * The counts of a node: in Redis, on the clock of Redis, which all nodes share. Refilled from the
 * database if Redis lost them (its epoch is gone). Without caps while Redis is unavailable.
 */
export async function openSharedCounters(options: SharedCountersOptions): Promise<SharedCounters> {
  const { clock, timers, onError, timeoutMs, uptime = systemUptime } = options
  const state = {
    offsetMs: 0,
    skipUntilMs: 0,
    isEnforced: false,
    hasMissed: false,
    isNew: true,
  }
  const sharedClock = { now: () => new Date(clock.now().getTime() + state.offsetMs) }
  const uncounted = measure(options.metrics, state)
  const orUncapped = async <Value>(
    call: () => Promise<Value>,
    { answer, callCount }: { answer: () => Value; callCount: number },
  ): Promise<Value> => {
    if (uptime.nowMs() >= state.skipUntilMs) {
      try {
        return await retryIfPaused(call, { uptime, timeoutMs })
      } catch (error) {
        state.skipUntilMs = uptime.nowMs() + SKIP_MS
        state.isEnforced = false
        onError(error)
      }
    }
    state.hasMissed = true
    uncounted.inc(callCount)
    return answer()
  }
  const attemptFor =
    (counts: 'caps' | 'nothing'): Attempt =>
    (call, { answer, users }) =>
      orUncapped(call, {
        answer: () => Array.from({ length: users }, () => answer),
        callCount: counts === 'caps' ? users : 0,
      })
  const shared = { ...options, clock: sharedClock }
  const counters = createRedisCounters({ ...shared, attempt: attemptFor('caps') })
  const visits = createRedisVisits({
    ...shared,
    attempt: attemptFor('nothing'),
    note: options.noteVisit,
  })
  const orNothing = (call: () => void | Promise<void>) =>
    orUncapped(async () => call(), { answer: () => {}, callCount: 1 })
  const watching = { ...options, uptime, counters, visits, state, sharedClock }
  await untilReady(options.redis, { timers, ms: WAIT_AT_START_MS })
  await watch(watching).catch(onError)
  const loop = startLoop({ timers, backoff: BACKOFF, onError, iterate: () => watch(watching) })

  return {
    read: (userKey) => counters.read(userKey),
    prolong: (ids, holdMs) => orNothing(() => counters.prolong(ids, holdMs)),
    release: (id) => orNothing(() => counters.release(id)),
    // An erasure must not report success while Redis is unavailable.
    forget: (userKey) => counters.forget(userKey),
    restore: (rows, ended) => orNothing(() => counters.restore(rows, ended)),
    visits,
    isEnforced: () => state.isEnforced,
    stop: () => loop.stop(),
  }
}

/**
 * A process that was stopped for a while runs its timers first and reads answers after them. Its
 * timeout says nothing about Redis, so it calls once more.
 */
async function retryIfPaused<Value>(
  call: () => Promise<Value>,
  { uptime, timeoutMs }: { readonly uptime: Uptime; readonly timeoutMs: number },
): Promise<Value> {
  const startMs = uptime.nowMs()
  try {
    return await call()
  } catch (error) {
    if (uptime.nowMs() - startMs < 2 * timeoutMs) throw error
    return call()
  }
}

interface Watching extends SharedCountersOptions {
  readonly counters: RedisCounters
  readonly visits: RedisVisits
  readonly sharedClock: Clock
  readonly uptime: Uptime
  readonly state: {
    offsetMs: number
    skipUntilMs: number
    isEnforced: boolean
    hasMissed: boolean
    isNew: boolean
  }
}

/** Follows the time of Redis, and checks that it still has the counts. */
async function watch(watching: Watching): Promise<number> {
  const { redis, state } = watching
  const epoch = await followTime(watching)
  if (epoch === null) {
    state.isEnforced = false
    const isOurs = await redis.set(REFILL_KEY, watching.node, 'PX', REFILL_LOCK_MS, 'NX')
    if (!isOurs) return WAIT_FOR_REFILL_MS
    try {
      // Another node may have done it between the two reads.
      if ((await redis.get(EPOCH_KEY)) === null) {
        await refill(watching)
        await refillVisits(watching)
      }
      await redis.set(EPOCH_KEY, '1')
    } finally {
      await releaseRefill(watching)
    }
  } else if (state.hasMissed) {
    await refill(watching)
  }
  await restoreForSilentNodes(watching)
  if (!state.isEnforced) {
    await watching.counters.prepare()
    await watching.visits.prepare()
  }
  // Redis has just answered, so decisions may use it again.
  state.skipUntilMs = 0
  state.isEnforced = true
  return WATCH_MS
}

/** Returns the epoch. A slow answer says little about the time. */
async function followTime({ redis, clock, uptime, timeoutMs, state }: Watching) {
  const startAtMs = clock.now().getTime()
  const startMs = uptime.nowMs()
  const [[seconds, micros], epoch] = await Promise.all([redis.time(), redis.get(EPOCH_KEY)])
  const tookMs = uptime.nowMs() - startMs
  if (tookMs < timeoutMs || state.isNew) {
    const redisMs = Number(seconds) * 1_000 + Number(micros) / 1_000
    state.offsetMs = Math.round(redisMs - startAtMs - tookMs / 2)
  }
  return epoch
}

/**
 * A node may crash between the commit of a batch and the restore of its counts. When its holds end,
 * its users would seem to have seen less than they did. Any node that notices restores the counts
 * from the database. It removes the name last, so that another node repeats the work if this one
 * crashes.
 */
async function restoreForSilentNodes(watching: Watching): Promise<void> {
  const { redis, node, counters, sharedClock, state, listSettledBy } = watching
  const now = sharedClock.now()
  const isOurNameTaken = state.isNew && (await redis.zscore(NODES_KEY, node)) !== null
  const silent = await redis.zrangebyscore(
    NODES_KEY,
    0,
    now.getTime() - SILENT_MS,
    'LIMIT',
    0,
    NODES_MAX,
  )
  for (const name of isOurNameTaken ? [...silent, node] : silent) {
    if (name !== node || isOurNameTaken) await counters.restore(await listSettledBy(name, now))
    await redis.zrem(NODES_KEY, name)
  }
  await redis.zadd(NODES_KEY, now.getTime(), node)
  state.isNew = false
}

/** Never lowers a count, so decisions can go on meanwhile. */
async function refill(watching: Watching): Promise<void> {
  const { counters, listSeen, sharedClock, state, redis } = watching
  state.hasMissed = false
  for await (const rows of listSeen(sharedClock.now())) {
    await withRetries(watching, async () => counters.restore(rows))
    await withRetries(watching, () => redis.pexpire(REFILL_KEY, REFILL_LOCK_MS))
  }
}

/** Readers of before are no newcomers. */
async function refillVisits(watching: Watching): Promise<void> {
  const { visits, listVisits, sharedClock, redis } = watching
  for await (const rows of listVisits(sharedClock.now())) {
    await withRetries(watching, async () => visits.restore(rows))
    await withRetries(watching, () => redis.pexpire(REFILL_KEY, REFILL_LOCK_MS))
  }
}

/**
 * After a failure the next node can try at once. If Redis does not answer, the lock expires by
 * itself.
 */
async function releaseRefill({ redis, node, onError }: Watching): Promise<void> {
  try {
    if ((await redis.get(REFILL_KEY)) === node) await redis.del(REFILL_KEY)
  } catch (error) {
    onError(error)
  }
}

/** A pause of Redis must not restart a long refill. */
const withRetries = <Answer>(
  { timers, uptime, onError }: Watching,
  call: () => Promise<Answer>,
): Promise<Answer> =>
  retryUntil(call, {
    seconds: REFILL_RETRY_SECONDS,
    timers,
    uptime,
    isTransient: () => true,
    onWait: onError,
  })

function measure(registry: Registry, state: { readonly isEnforced: boolean }): Counter {
  // oxlint-disable-next-line no-new -- the registry keeps it
  new Gauge({
    name: 'placard_frequency_enforced',
    help: '1 while Redis answers and has the counts of users, 0 while caps are not enforced',
    registers: [registry],
    collect() {
      this.set(state.isEnforced ? 1 : 0)
    },
  })
  return new Counter({
    name: 'placard_frequency_open_total',
    help: 'Unanswered calls about caps: the ad was served, or the impression was not counted',
    registers: [registry],
  })
}

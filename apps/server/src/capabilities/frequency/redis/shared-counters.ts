import { Counter, Gauge, type Registry } from 'prom-client'
import { startLoop } from '../../../platform/background/loop.ts'
import { retryUntil } from '../../../platform/background/retry.ts'
import type { Random } from '../../../platform/random.ts'
import { type Clock, systemUptime, type Uptime } from '../../../platform/clock.ts'
import { type RedisConnection, untilReady } from '../../../platform/redis/connect.ts'
import type { Timers } from '../../../platform/background/timers.ts'
import type { Counters, SeenRow } from '../counters/counters.ts'
import { createRedisCounters, type RedisCounters } from './redis-counters.ts'

export interface SharedCountersOptions {
  /** Gives an answer up after `timeoutMs`. */
  readonly redis: RedisConnection
  readonly timeoutMs: number
  /** As settled batches name this process. */
  readonly node: string
  readonly clock: Clock
  readonly random: Random
  readonly timers: Timers
  readonly metrics: Registry
  readonly uptime?: Uptime
  /** What settlement has written, of the windows of this moment. */
  listSeen(at: Date): AsyncIterable<readonly SeenRow[]>
  /** Of those whom this process settled for last: it may have ended before it told. */
  listSettledBy(node: string, at: Date): Promise<readonly SeenRow[]>
  onError(error: unknown): void
}

export interface SharedCounters extends Counters {
  /** Redis answers, and knows all that was counted before. */
  isEnforced(): boolean
  stop(): Promise<void>
}

const EPOCH_KEY = 'placard:caps-epoch'
const REFILL_KEY = 'placard:caps-refill'
/** Renewed with each page. A node that ends meanwhile is in the way for no longer. */
const REFILL_LOCK_MS = 10_000
/** A page that Redis does not take at once is offered again. */
const REFILL_PATIENCE_SECONDS = 5
/** When each node was last heard of, by the clock of Redis. */
const NODES_KEY = 'placard:caps-nodes'
/** A silent node has ended, or may be: far sooner than a hold does. */
const SILENT_MS = 5_000
const NODES_MAX = 20
const WATCH_MS = 1_000
const WAIT_FOR_REFILL_MS = 100
/** After a failure Redis is left alone for so long, and decisions do not wait for it. */
const LEFT_ALONE_MS = 500
/** Then the node starts without caps. */
const WAIT_AT_START_MS = 3_000
const BACKOFF = { firstMs: 100, maxMs: 1_000 }

/**
 * Counts in Redis as a node uses them: on the clock of Redis, which all nodes share; filled again from
 * the database when Redis has forgotten them (its epoch is gone); and without caps while it is away.
 */
export async function openSharedCounters(options: SharedCountersOptions): Promise<SharedCounters> {
  const { clock, timers, onError, timeoutMs, uptime = systemUptime } = options
  const state = {
    offsetMs: 0,
    leaveAloneUntilMs: 0,
    isEnforced: false,
    hasMissed: false,
    isNew: true,
  }
  const sharedClock = { now: () => new Date(clock.now().getTime() + state.offsetMs) }
  const uncounted = measure(options.metrics, state)
  const orOpen = async <Value>(
    ask: () => Promise<Value>,
    { answer, questions }: { answer: () => Value; questions: number },
  ): Promise<Value> => {
    if (uptime.nowMs() >= state.leaveAloneUntilMs) {
      try {
        return await unlessPaused(ask, { uptime, timeoutMs })
      } catch (error) {
        state.leaveAloneUntilMs = uptime.nowMs() + LEFT_ALONE_MS
        state.isEnforced = false
        onError(error)
      }
    }
    state.hasMissed = true
    uncounted.inc(questions)
    return answer()
  }
  const counters = createRedisCounters({
    ...options,
    clock: sharedClock,
    attempt: (ask, { answer, users }) =>
      orOpen(ask, { answer: () => Array.from({ length: users }, () => answer), questions: users }),
  })
  const orNothing = (ask: () => void | Promise<void>) =>
    orOpen(async () => ask(), { answer: () => {}, questions: 1 })
  const watching = { ...options, uptime, counters, state, sharedClock }
  await untilReady(options.redis, { timers, ms: WAIT_AT_START_MS })
  await watch(watching).catch(onError)
  const loop = startLoop({ timers, backoff: BACKOFF, onError, iterate: () => watch(watching) })

  return {
    read: (userKey) => counters.read(userKey),
    prolong: (ids, holdMs) => orNothing(() => counters.prolong(ids, holdMs)),
    release: (id) => orNothing(() => counters.release(id)),
    // Whoever wants to be forgotten must not be told so by a Redis that is away.
    forget: (userKey) => counters.forget(userKey),
    restore: (rows, ended) => orNothing(() => counters.restore(rows, ended)),
    isEnforced: () => state.isEnforced,
    stop: () => loop.stop(),
  }
}

/**
 * A process that was stopped for a while finds its timers first and the answers after that: what it
 * gave up far too late says nothing about Redis, and is asked once more.
 */
async function unlessPaused<Value>(
  ask: () => Promise<Value>,
  { uptime, timeoutMs }: { readonly uptime: Uptime; readonly timeoutMs: number },
): Promise<Value> {
  const askedMs = uptime.nowMs()
  try {
    return await ask()
  } catch (error) {
    if (uptime.nowMs() - askedMs < 2 * timeoutMs) throw error
    return ask()
  }
}

interface Watching extends SharedCountersOptions {
  readonly counters: RedisCounters
  readonly sharedClock: Clock
  readonly uptime: Uptime
  readonly state: {
    offsetMs: number
    leaveAloneUntilMs: number
    isEnforced: boolean
    hasMissed: boolean
    isNew: boolean
  }
}

/** Follows the time of Redis, and looks whether it still knows what it was told. */
async function watch(watching: Watching): Promise<number> {
  const { redis, state } = watching
  const epoch = await followTime(watching)
  if (epoch === null) {
    state.isEnforced = false
    const isOurs = await redis.set(REFILL_KEY, watching.node, 'PX', REFILL_LOCK_MS, 'NX')
    if (!isOurs) return WAIT_FOR_REFILL_MS
    try {
      // Another may have done it between the two questions.
      if ((await redis.get(EPOCH_KEY)) === null) await refill(watching)
      await redis.set(EPOCH_KEY, '1')
    } finally {
      await releaseRefill(watching)
    }
  } else if (state.hasMissed) {
    await refill(watching)
  }
  await tellOfSilent(watching)
  if (!state.isEnforced) await watching.counters.prepare()
  // It has just answered: nobody passes it by any longer.
  state.leaveAloneUntilMs = 0
  state.isEnforced = true
  return WATCH_MS
}

/** Returns the epoch. An answer that took long says little about the time. */
async function followTime({ redis, clock, uptime, timeoutMs, state }: Watching) {
  const askedAtMs = clock.now().getTime()
  const askedMs = uptime.nowMs()
  const [[seconds, micros], epoch] = await Promise.all([redis.time(), redis.get(EPOCH_KEY)])
  const tookMs = uptime.nowMs() - askedMs
  if (tookMs < timeoutMs || state.isNew) {
    const redisMs = Number(seconds) * 1_000 + Number(micros) / 1_000
    state.offsetMs = Math.round(redisMs - askedAtMs - tookMs / 2)
  }
  return epoch
}

/**
 * A node may have ended between the commit of a batch and telling Redis of it; then the holds end and
 * their users would have seen less than they did. Whoever notices tells what the books say. The name
 * goes last: who ends meanwhile leaves it to the next.
 */
async function tellOfSilent(watching: Watching): Promise<void> {
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

/** Never lowers a count, so that decisions may go on meanwhile. */
async function refill(watching: Watching): Promise<void> {
  const { counters, listSeen, sharedClock, state, redis } = watching
  state.hasMissed = false
  for await (const rows of listSeen(sharedClock.now())) {
    await patiently(watching, async () => counters.restore(rows))
    await patiently(watching, () => redis.pexpire(REFILL_KEY, REFILL_LOCK_MS))
  }
}

/** Whoever fails lets the next one try at once; if Redis does not hear it, the lock ends by itself. */
async function releaseRefill({ redis, node, onError }: Watching): Promise<void> {
  try {
    if ((await redis.get(REFILL_KEY)) === node) await redis.del(REFILL_KEY)
  } catch (error) {
    onError(error)
  }
}

/** A pause of Redis must not begin a long refill anew. */
const patiently = <Answer>(
  { timers, uptime, onError }: Watching,
  ask: () => Promise<Answer>,
): Promise<Answer> =>
  retryUntil(ask, {
    seconds: REFILL_PATIENCE_SECONDS,
    timers,
    uptime,
    isTransient: () => true,
    onWait: onError,
  })

function measure(registry: Registry, state: { readonly isEnforced: boolean }): Counter {
  // oxlint-disable-next-line no-new -- the registry keeps it
  new Gauge({
    name: 'placard_frequency_enforced',
    help: '1 while Redis answers and knows what users have seen; 0: caps are open',
    registers: [registry],
    collect() {
      this.set(state.isEnforced ? 1 : 0)
    },
  })
  return new Counter({
    name: 'placard_frequency_open_total',
    help: 'Questions about caps that went unanswered: the ad was shown, or the impression not counted',
    registers: [registry],
  })
}

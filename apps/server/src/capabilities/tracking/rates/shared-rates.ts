import { createHmac } from 'node:crypto'
import type { Clock } from '../../../platform/clock.ts'
import { startLoop } from '../../../platform/background/loop.ts'
import type { Timers } from '../../../platform/background/timers.ts'
import type { RedisConnection } from '../../../platform/redis/connect.ts'
import { type Limits, WINDOWS_MS } from './limits.ts'
import { MemoryRates, type Rates } from './rates.ts'

export interface SharedRatesDeps {
  readonly redis: RedisConnection
  readonly clock: Clock
  /** The name of this node among all. */
  readonly node: string
  /** Hashes senders, so that Redis holds no address. */
  readonly secret: string
}

/** Rates that the nodes of one Redis share. */
export interface SharedRates {
  /** Rates of one dimension: reader, device, address or site. */
  ratesOf(dimension: string, sendersMax?: number): Rates
  /** Tells the other nodes what this one counted, and learns what they did. True if some senders still wait. */
  exchange(): Promise<boolean>
}

/**
 * A sender is shared once a node has this part of one node's part of a limit. What the nodes do not share of a sender
 * is then less than a quarter of its limit in all.
 */
const UNSHARED_PARTS = 4
const SENDERS_PER_EXCHANGE = 500
const WAITING_MAX = 20_000
const NODES_KEY = 'placard:rate-nodes'
/** A node that has not exchanged for this long is not counted. */
const NODE_LIFE_MS = 30_000

const ADD = `
local total = redis.call('incrby', KEYS[1], ARGV[1])
redis.call('pexpire', KEYS[1], ARGV[2])
return total`

interface ScriptedRedis {
  placardRateAdd(key: string, events: number, lifeMs: number): Promise<number>
}

interface Waiting {
  readonly sender: string
  readonly name: string
  readonly limits: Limits
  readonly rates: MemoryRates
}

/** Nothing waits for Redis: events are judged from memory, and counts are exchanged beside them. */
export function createSharedRates({ redis, clock, node, secret }: SharedRatesDeps): SharedRates {
  redis.defineCommand('placardRateAdd', { numberOfKeys: 1, lua: ADD })
  const scripts = redis as unknown as ScriptedRedis
  const waiting = new Map<string, Waiting>()
  let nodes = 1

  const keyOf = (name: string, window: number, number: number) => {
    const subject = `${name} ${window} ${number}`
    return `placard:rate:${createHmac('sha256', secret).update(subject).digest('base64url').slice(0, 22)}`
  }

  async function exchangeWindow(one: Waiting, window: number): Promise<void> {
    const { sender, name, limits, rates } = one
    const count = rates.countOf(sender, window)
    if (count === undefined) return
    const { number, own, shared } = count
    if (shared === 0 && own * nodes * UNSHARED_PARTS <= limits[window]!) return
    // Noted before it is sent: a failure loses counts, and never doubles them.
    rates.setShared(sender, window, own)
    const [events, before] = await Promise.all([
      scripts.placardRateAdd(keyOf(name, window, number), own - shared, 2 * WINDOWS_MS[window]!),
      redis.get(keyOf(name, window, number - 1)),
    ])
    rates.learn(sender, window, { number, events, eventsBefore: Number(before ?? 0) })
  }

  async function countNodes(): Promise<void> {
    const nowMs = clock.now().getTime()
    await redis.zadd(NODES_KEY, nowMs, node)
    await redis.zremrangebyscore(NODES_KEY, 0, nowMs - NODE_LIFE_MS)
    nodes = Math.max(1, await redis.zcard(NODES_KEY))
  }

  return {
    ratesOf(dimension, sendersMax) {
      const rates: MemoryRates = new MemoryRates({
        ...(sendersMax !== undefined && { sendersMax }),
        onEvent(sender, limits) {
          const name = `${dimension} ${sender}`
          if (waiting.size < WAITING_MAX) waiting.set(name, { sender, name, limits, rates })
        },
      })
      return rates
    },
    async exchange() {
      await countNodes()
      const taken = [...waiting.values()].slice(0, SENDERS_PER_EXCHANGE)
      for (const { name } of taken) waiting.delete(name)
      await Promise.all(
        taken.flatMap((one) => WINDOWS_MS.map((_, window) => exchangeWindow(one, window))),
      )
      return waiting.size > 0
    },
  }
}

const PAUSE_MS = 1_000
const BACKOFF = { firstMs: 1_000, maxMs: 30_000 }

interface Running {
  readonly timers: Timers
  onError(error: unknown): void
}

/** Exchanges once a second, and at once while senders wait. Without Redis each node counts for itself. */
export const keepExchanging = (
  { exchange }: Pick<SharedRates, 'exchange'>,
  { timers, onError }: Running,
): { stop(): Promise<void> } =>
  startLoop({
    timers,
    onError,
    backoff: BACKOFF,
    iterate: async () => ((await exchange()) ? 0 : PAUSE_MS),
  })

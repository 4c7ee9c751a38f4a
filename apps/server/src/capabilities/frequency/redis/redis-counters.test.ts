import { DAY_SECONDS } from '@placard/calendar'
import type { Redis } from 'ioredis'
import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { connectRedis, type RedisConnection } from '../../../platform/redis/connect.ts'
import { fixedClock, type MovableClock, seededRandom } from '../../../testing/fixed.ts'
import { freshCluster, freshRedis } from '../../../testing/services/redis.ts'
import { countersContract } from '../counters/counters-contract.ts'
import { createRedisVisits } from '../visits/redis-visits.ts'
import { type OpenVisits, visitsContract } from '../visits/visits-contract.ts'
import type { Visitor } from '../visits/visits.ts'
import { createRedisCounters } from './redis-counters.ts'

vi.setConfig({ hookTimeout: 60_000, testTimeout: 120_000 })

let alone: RedisConnection
let cluster: RedisConnection
const endings: (() => Promise<void>)[] = []
beforeAll(async () => {
  const atEnd = (end: () => Promise<void>) => void endings.push(end)
  const onError = () => {}
  alone = connectRedis({ url: (await freshRedis(atEnd)).url, onError })
  cluster = connectRedis({ url: await freshCluster(atEnd), onError })
})
afterAll(async () => {
  for (const redis of [alone, cluster]) redis.disconnect()
  for (const end of endings) await end()
})

/** Each world has its own users on one shared Redis. */
function openOn(redis: RedisConnection, clock: MovableClock) {
  const world = randomUUID()
  const counters = createRedisCounters({ redis, clock, random: seededRandom(world) })
  const named = (userKey: string) => `${world} ${userKey}`
  return {
    ...counters,
    read: (userKey: string) => counters.read(named(userKey)),
    forget: (userKey: string) => counters.forget(named(userKey)),
    restore: (rows: Iterable<never>) =>
      counters.restore(
        [...(rows as Iterable<{ userKey: string }>)].map(
          (row) => ({ ...row, userKey: named(row.userKey) }) as never,
        ),
      ),
  }
}

countersContract('in Redis', { open: (clock) => openOn(alone, clock), histories: 60 })
/** Publishers of their own for each world. */
function visitsOn(redis: RedisConnection): OpenVisits {
  return ({ note, ...terms }) => {
    const world = publisherKeys++ * 10
    const real = <Named extends Visitor>(visitor: Named): Named => ({
      ...visitor,
      publisherKey: world + visitor.publisherKey,
    })
    const visits = createRedisVisits({
      ...terms,
      redis,
      note: (row) => note({ ...row, publisherKey: row.publisherKey - world }),
    })
    return {
      see: (visitor, isDry) => visits.see(real(visitor), isDry),
      restore: (rows) => visits.restore([...rows].map(real)),
      forget: (visitor) => visits.forget(real(visitor)),
    }
  }
}
let publisherKeys = 1

visitsContract('in Redis', (terms) => visitsOn(alone)(terms))
visitsContract('in a Redis Cluster', (terms) => visitsOn(cluster)(terms))

countersContract('in a Redis Cluster', { open: (clock) => openOn(cluster, clock), histories: 10 })

describe('counters in Redis', () => {
  test('a node whose clock is behind sees the counts of a node whose clock is ahead', async () => {
    const day = { scope: 'ad', key: 7, window: 'Day' } as const
    const ahead = fixedClock('2026-06-16T00:01:00Z')
    const behind = fixedClock('2026-06-15T23:59:00Z')
    const user = randomUUID()
    const open = (clock: MovableClock) =>
      createRedisCounters({ redis: alone, clock, random: seededRandom() })
    const atMs = ahead.now().getTime()
    await open(ahead).restore([{ ...day, userKey: user, impressions: 1, atMs }])

    const reader = await open(behind).read(user)

    expect(reader.seen('ad', 7, 'Day')).toBe(1)
    expect(await reader.hold([{ ...day, impressionsMax: 1 }], 60_000)).toBeUndefined()
  })

  test('a node whose clock is behind does not lower the count of a new window', async () => {
    const ahead = fixedClock('2026-06-16T00:00:00Z')
    const behind = fixedClock('2026-06-15T23:59:59.999Z')
    const fields = { scope: 'ad', key: 7, window: 'Day', userKey: randomUUID() } as const
    const restore = (clock: MovableClock, impressions: number) =>
      createRedisCounters({ redis: alone, clock, random: seededRandom() }).restore([
        { ...fields, impressions, atMs: clock.now().getTime() },
      ])

    await restore(behind, 2)
    await restore(ahead, 1)
    await restore(behind, 3)

    const counters = createRedisCounters({ redis: alone, clock: ahead, random: seededRandom() })
    expect((await counters.read(fields.userKey)).seen('ad', 7, 'Day')).toBe(1)
  })

  test('a user of whom only a hold is known expires soon after it: anybody can make users up', async () => {
    const counters = createRedisCounters({
      redis: alone,
      clock: fixedClock(),
      random: seededRandom(),
    })
    const user = randomUUID()
    const cap = { scope: 'ad', key: 7, window: 'Lifetime', impressionsMax: 5 } as const
    const secondsKept = () => alone.ttl(`placard:caps:{${user}}`)

    await (await counters.read(user)).hold([cap], 10_000)
    expect(await secondsKept()).toBeLessThanOrEqual(70)

    await counters.restore([{ ...cap, userKey: user, impressions: 1, atMs: 0 }])
    await (await counters.read(user)).hold([cap], 10_000)
    expect(await secondsKept()).toBeGreaterThan(300 * DAY_SECONDS)
  })

  test('users expire by themselves, and later if they have a lifetime cap', async () => {
    const clock = fixedClock()
    const counters = createRedisCounters({ redis: alone, clock, random: seededRandom() })
    const [short, long] = [randomUUID(), randomUUID()]
    const fields = { scope: 'ad', key: 1, impressions: 1, atMs: clock.now().getTime() } as const
    await counters.restore([
      { ...fields, userKey: short, window: 'Hour' },
      { ...fields, userKey: long, window: 'Lifetime' },
    ])

    const days = async (user: string) =>
      Math.round((await alone.ttl(`placard:caps:{${user}}`)) / DAY_SECONDS)

    expect([await days(short), await days(long)]).toEqual([62, 400])
  })

  test('reads of many users in one event-loop tick are one command, and each gets its answer', async () => {
    const counters = createRedisCounters({
      redis: alone,
      clock: fixedClock(),
      random: seededRandom(randomUUID()),
    })
    const users = Array.from({ length: 20 }, () => randomUUID())
    const cap = { scope: 'ad', key: 7, window: 'Day', impressionsMax: 1 } as const
    await (await counters.read(users[0]!)).hold([cap], 60_000)
    const before = await scriptCalls()

    const readers = await Promise.all(users.map(async (user) => counters.read(user)))
    const seen = readers.map((reader) => reader.seen('ad', 7, 'Day'))
    const holds = await Promise.all(readers.map(async (reader) => reader.hold([cap], 60_000)))

    expect((await scriptCalls()) - before).toBe(2)
    expect(seen).toEqual([1, ...users.slice(1).map(() => 0)])
    expect(holds.map((hold) => hold?.id.split('~')[0])).toEqual([undefined, ...users.slice(1)])
  })
})

async function scriptCalls(): Promise<number> {
  const stats = await (alone as Redis).info('commandstats')
  return [...stats.matchAll(/^cmdstat_eval(?:sha)?:calls=(\d+)/gm)].reduce(
    (sum, [, calls]) => sum + Number(calls),
    0,
  )
}

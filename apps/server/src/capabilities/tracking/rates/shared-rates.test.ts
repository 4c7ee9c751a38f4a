import { afterAll, beforeAll, expect, test } from 'vitest'
import { type RedisConnection, connectRedis } from '../../../platform/redis/connect.ts'
import { fixedClock } from '../../../testing/fixed.ts'
import { freshRedis, type TestRedis } from '../../../testing/services/redis.ts'
import type { Limits } from './limits.ts'
import { MANY, ratesContract, START } from './rates-contract.ts'
import { createSharedRates, type SharedRates } from './shared-rates.ts'

const ends: (() => Promise<void>)[] = []
const clock = fixedClock()
let redis: TestRedis
let connection: RedisConnection

beforeAll(async () => {
  redis = await freshRedis((end) => ends.unshift(end))
  connection = connectRedis({ url: redis.url, commandTimeoutMs: 2_000, onError: () => {} })
  ends.unshift(async () => connection.disconnect())
  await new Promise<void>((ready) => connection.once('ready', () => ready()))
})
afterAll(async () => {
  for (const end of ends) await end()
})

const aNode = (node: string, secret = 'a secret of all nodes') =>
  createSharedRates({ redis: connection, clock, node, secret })
/** Rates of nodes that know each other, and of nobody else's senders. */
async function nodes(count: number) {
  await connection.flushall()
  const all = Array.from({ length: count }, (_, at) => aNode(`node ${at}`))
  const together = async () => {
    for (const one of [...all, ...all]) await one.exchange()
  }
  await together()
  return { rates: all.map((one) => one.ratesOf('reader')), together, all }
}

let opened = 0
ratesContract('rates that nodes share', (sendersMax) =>
  aNode('lone', `secret ${opened++}`).ratesOf('reader', sendersMax),
)

const ofTenSeconds = (limit: number): Limits => [limit, MANY, MANY, MANY]

test('a sender that stays under the limit on each node is over it on both once they have told each other', async () => {
  const { rates, together } = await nodes(2)
  const [one, two] = rates as [SharedOne, SharedOne]
  const limits = ofTenSeconds(5)
  const come = (rate: SharedOne, times: number) =>
    Array.from({ length: times }, (_, ms) => rate.isTooMany('a', limits, START + ms))

  expect(come(one, 2)).toEqual([false, false])
  expect(come(two, 2)).toEqual([false, false])
  await together()
  expect([come(one, 1), come(two, 1)]).toEqual([[false], [false]])
  await together()
  expect([come(one, 1), come(two, 1)]).toEqual([[true], [true]])
  expect(two.isTooMany('b', limits, START)).toBe(false)
})

type SharedOne = ReturnType<SharedRates['ratesOf']>

test('what other nodes counted slides out of the window like what this one counted', async () => {
  const { rates, together } = await nodes(2)
  const [one, two] = rates as [SharedOne, SharedOne]
  const limits = ofTenSeconds(5)
  for (let ms = 0; ms < 4; ms++) one.isTooMany('a', limits, START + ms)
  two.isTooMany('a', limits, START)
  await together()

  expect(two.isTooMany('a', limits, START + 10_000)).toBe(true)
  expect(two.isTooMany('a', limits, START + 15_000)).toBe(false)
  expect(two.isTooMany('a', limits, START + 30_000)).toBe(false)
})

test('spread over three nodes a sender gets at most a quarter more than its limit, and what a second brings', async () => {
  const { rates, together } = await nodes(3)
  const limits = ofTenSeconds(40)
  let valid = 0
  for (let second = 0; second < 10; second++) {
    for (let event = 0; event < 12; event++) {
      const at = START + second * 1_000 + event * 80
      if (!rates[event % 3]!.isTooMany('a', limits, at)) valid++
    }
    await together()
  }

  expect(valid).toBeGreaterThanOrEqual(40)
  expect(valid).toBeLessThanOrEqual(40 * 1.25 + 12)
})

test('few events are not shared at all, and no sender can be read from Redis', async () => {
  const { rates, together } = await nodes(2)

  rates[0]!.isTooMany('198.51.100.7', ofTenSeconds(100), START)
  await together()
  expect((await connection.keys('*')).toSorted()).toEqual(['placard:rate-nodes'])

  for (let ms = 0; ms < 20; ms++) rates[0]!.isTooMany('198.51.100.7', ofTenSeconds(100), START + ms)
  await together()
  const keys = await connection.keys('placard:rate:*')
  expect(keys).toHaveLength(1)
  expect(keys[0]).not.toContain('198')
  expect(await connection.pttl(keys[0]!)).toBeLessThanOrEqual(20_000)
})

test('while Redis is away each node counts for itself, and what could not be told is not told twice', async () => {
  const { rates, together, all } = await nodes(2)
  const limits = ofTenSeconds(3)
  const come = () => rates[0]!.isTooMany('a', limits, START)
  expect([come(), come()]).toEqual([false, false])

  await redis.kill()
  await expect(all[0]!.exchange()).rejects.toThrow(/closed|timed out|ECONNREFUSED|writeable/)
  expect([come(), come()]).toEqual([false, true])
  await redis.restart()
  await expect.poll(() => connection.status).toBe('ready')
  await together()

  expect(rates[1]!.isTooMany('a', limits, START)).toBe(false)
})

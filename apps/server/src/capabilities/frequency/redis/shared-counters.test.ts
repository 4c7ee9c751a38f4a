import { Registry } from 'prom-client'
import { expect, onTestFinished, test, vi } from 'vitest'
import { systemRandom } from '../../../platform/random.ts'
import { systemClock } from '../../../platform/clock.ts'
import { connectRedis } from '../../../platform/redis/connect.ts'
import { systemTimers } from '../../../platform/background/timers.ts'
import { freshRedis } from '../../../testing/services/redis.ts'
import type { SeenRow } from '../counters/counters.ts'
import { dayOf, type VisitRow } from '../visits/visits.ts'
import { openSharedCounters } from './shared-counters.ts'

vi.setConfig({ testTimeout: 30_000 })

const CAP = { scope: 'ad', key: 7, window: 'Lifetime', impressionsMax: 2 } as const
const HOLD_MS = 60_000

interface Options {
  readonly node?: string
  readonly timeoutMs?: number
  readonly settledBy?: Readonly<Record<string, readonly SeenRow[]>>
  /** First visits in the database. */
  readonly visits?: readonly VisitRow[]
  /** Runs in the middle of a refill. */
  meanwhile?(refill: number): Promise<void>
}

async function nodeOn(
  url: string,
  settled: readonly SeenRow[] = [],
  {
    offsetMs = 0,
    node = 'one',
    timeoutMs = 1_000,
    settledBy = {},
    visits = [],
    meanwhile = async () => {},
  }: Options & { offsetMs?: number } = {},
) {
  const redis = connectRedis({ url, commandTimeoutMs: timeoutMs, onError: () => {} })
  const metrics = new Registry()
  let refills = 0
  const counters = await openSharedCounters({
    redis,
    timeoutMs,
    node,
    metrics,
    clock: systemClock(offsetMs),
    random: systemRandom,
    timers: systemTimers,
    async *listSeen() {
      refills++
      await meanwhile(refills)
      yield settled
    },
    listSettledBy: async (name) => settledBy[name] ?? [],
    async *listVisits() {
      yield visits
    },
    noteVisit: () => {},
    onError: () => {},
  })
  onTestFinished(async () => {
    await counters.stop()
    redis.disconnect()
  })
  await vi.waitFor(() => expect(redis.status).toBe('ready'), 5_000)
  return {
    redis,
    counters,
    refills: () => refills,
    show: async (userKey = 'ada') => (await counters.read(userKey)).hold([CAP], HOLD_MS),
    metric: async (name: string) => (await metrics.getSingleMetric(name)!.get()).values[0]!.value,
  }
}

test('nodes share a user’s counts', async () => {
  const { url } = await freshRedis()
  const one = await nodeOn(url)
  const two = await nodeOn(url)

  const shown = await Promise.all([one.show(), two.show(), one.show(), two.show()])

  expect(shown.filter(Boolean)).toHaveLength(2)
})

test('of several nodes that start together, one fills Redis from the settled counts', async () => {
  const { url } = await freshRedis()
  const seen = { ...CAP, userKey: 'ada', impressions: 2, atMs: Date.now() }
  const [one, two] = await Promise.all([nodeOn(url, [seen]), nodeOn(url, [seen])])

  await vi.waitFor(() => expect(two.counters.isEnforced()).toBe(true), 5_000)

  expect(one.refills() + two.refills()).toBe(1)
  expect(await one.show()).toBeUndefined()
  expect(await two.show()).toBeUndefined()
})

test('first visits fill an empty Redis from the database, and nobody can say while it is unavailable', async () => {
  const redis = await freshRedis()
  const ada = { userKey: 'ada', publisherKey: 1 }
  const firstSeconds = Math.floor(Date.now() / 1_000) - 500
  const visits = [{ ...ada, firstSeconds, seenDay: dayOf(firstSeconds) }]
  const { counters } = await nodeOn(redis.url, [], { visits })

  expect(await counters.visits.see(ada, false)).toBe(firstSeconds * 1_000)
  await redis.kill()
  expect(await counters.visits.see(ada, false)).toBeUndefined()
})

test('nodes whose clocks differ by minutes use the clock of Redis', async () => {
  const { url } = await freshRedis()
  const ahead = await nodeOn(url, [], { offsetMs: 3_600_000 })
  const behind = await nodeOn(url, [], { offsetMs: -3_600_000 })
  const cap = { ...CAP, window: 'Hour', impressionsMax: 1 } as const

  const first = await (await ahead.counters.read('ada')).hold([cap], HOLD_MS)
  const second = await (await behind.counters.read('ada')).hold([cap], HOLD_MS)

  expect(first).toBeDefined()
  expect(second).toBeUndefined()
})

test('while Redis is unavailable ads are served without caps, and that is counted', async () => {
  const redis = await freshRedis()
  const node = await nodeOn(redis.url)
  await node.show()
  await node.show()
  expect(await node.show()).toBeUndefined()
  expect(await node.metric('placard_frequency_open_total')).toBe(0)

  await redis.kill()

  expect(await node.show()).toBeDefined()
  expect(node.counters.isEnforced()).toBe(false)
  expect(await node.metric('placard_frequency_open_total')).toBeGreaterThan(0)
  expect(await node.metric('placard_frequency_enforced')).toBe(0)
})

test('if Redis stops in the middle of a call, each user of the call gets the ad and is counted', async () => {
  const redis = await freshRedis()
  const node = await nodeOn(redis.url, [], { timeoutMs: 100 })
  const users = Array.from({ length: 20 }, (_, user) => `user ${user}`)
  const readers = await Promise.all(users.map(async (user) => node.counters.read(user)))

  process.kill(redis.pid, 'SIGSTOP')
  const shown = await Promise.all([
    ...users.map((user) => node.show(user)),
    ...readers.map(async (reader) => reader.hold([CAP], HOLD_MS)),
  ])

  expect(shown.map((hold) => hold?.id)).toEqual(shown.map(() => 'uncounted'))
  expect(await node.metric('placard_frequency_open_total')).toBeGreaterThanOrEqual(2 * users.length)

  process.kill(redis.pid, 'SIGCONT')
  await vi.waitFor(async () => expect((await node.show('ada'))?.id).toMatch(/^ada~/), 5_000)
})

test('a Redis that came back empty is refilled before caps count as enforced', async () => {
  const redis = await freshRedis()
  const seen = { ...CAP, userKey: 'ada', impressions: 2, atMs: Date.now() }
  const node = await nodeOn(redis.url, [seen])
  expect(await node.show()).toBeUndefined()

  await redis.restart()

  await vi.waitFor(async () => {
    await node.show('somebody else')
    expect(node.counters.isEnforced()).toBe(true)
    expect(node.refills()).toBeGreaterThan(1)
  }, 15_000)
  expect(await node.show()).toBeUndefined()
})

test('if a node crashes after it settled and before it restored counts, another node restores them', async () => {
  const { url } = await freshRedis()
  const witness = await nodeOn(url)
  expect(await witness.show()).toBeDefined()
  await witness.redis.zadd('placard:caps-nodes', 1, 'gone')

  const seen = { ...CAP, userKey: 'ada', impressions: 2, atMs: Date.now() }
  const other = await nodeOn(url, [], { node: 'two', settledBy: { gone: [seen] } })

  expect(await other.show()).toBeUndefined()
  expect(await other.redis.zscore('placard:caps-nodes', 'gone')).toBeNull()
})

test('a node that starts under a crashed node’s name restores that node’s settled counts', async () => {
  const { url } = await freshRedis()
  await nodeOn(url, [], { node: 'pod' })

  const seen = { ...CAP, userKey: 'ada', impressions: 2, atMs: Date.now() }
  const again = await nodeOn(url, [], { node: 'pod', settledBy: { pod: [seen] } })

  expect(await again.show()).toBeUndefined()
})

test('a process that was stopped for a while calls again instead of serving without caps', async () => {
  const { url } = await freshRedis()
  const node = await nodeOn(url)
  const users = Array.from({ length: 200 }, (_, user) => `user ${user}`)

  const shown = users.map((user) => node.show(user))
  await new Promise((resolve) => setImmediate(resolve))
  stopTheProcess(2_500)

  const holds = await Promise.all(shown)
  expect(holds.filter((hold) => hold?.id === 'uncounted')).toEqual([])
  expect(await node.metric('placard_frequency_open_total')).toBe(0)
})

/** Like SIGSTOP: this process does nothing while time passes. */
const stopTheProcess = (ms: number) =>
  void Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms)

test('a pause of Redis in the middle of a refill does not leave the caps off', async () => {
  const { url } = await freshRedis()
  const admin = connectRedis({ url, commandTimeoutMs: 5_000, onError: () => {} })
  onTestFinished(() => admin.disconnect())
  const seen = { ...CAP, userKey: 'ada', impressions: 2, atMs: Date.now() }
  const node = await nodeOn(url, [seen], {
    timeoutMs: 50,
    meanwhile: async () => void (await admin.client('PAUSE', 400)),
  })

  await vi.waitFor(() => expect(node.counters.isEnforced()).toBe(true), 5_000)

  expect(await node.show()).toBeUndefined()
})

test('a failed refill is tried again at once, by this node or by another', async () => {
  const { url } = await freshRedis()
  const seen = { ...CAP, userKey: 'ada', impressions: 2, atMs: Date.now() }
  const node = await nodeOn(url, [seen], {
    async meanwhile(refill) {
      if (refill === 1) throw new Error('the database is unavailable')
    },
  })

  await vi.waitFor(() => expect(node.counters.isEnforced()).toBe(true), 5_000)

  expect(node.refills()).toBe(2)
  expect(await node.show()).toBeUndefined()
})

test('an impression always counts once: its hold ends in the step that counts it', async () => {
  const { url } = await freshRedis()
  const node = await nodeOn(url)
  const hold = (await node.show())!
  const seen = { ...CAP, userKey: 'ada', impressions: 1, atMs: Date.now() }

  await node.counters.restore([seen], [hold.id])

  expect((await node.counters.read('ada')).seen('ad', 7, 'Lifetime')).toBe(1)
  expect(await node.show()).toBeDefined()
  expect(await node.show()).toBeUndefined()
  const keyed = await node.redis.hkeys('placard:caps:{ada}')
  expect(keyed.filter((field) => field.startsWith('h'))).toHaveLength(1)
})

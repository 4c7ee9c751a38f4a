import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest'
import { cuttable } from '../testing/services/cuttable.ts'
import type { AtEnd } from '../testing/services/database.ts'
import { startPlacard } from '../testing/services/process.ts'
import { freshRedis } from '../testing/services/redis.ts'
import { scratchFolder } from '../testing/server.ts'
import { aServingWorld, type ServingWorld } from '../testing/worlds/serving-world.ts'

vi.setConfig({ testTimeout: 180_000 })

const PRODUCTION = {
  // Other tests keep the machine busy, which must not look like an unavailable Redis.
  REDIS_TIMEOUT_MS: '5000',
  PLACARD_MODE: 'production',
  PLACARD_ROLE: 'api',
  LOG_LEVEL: 'silent',
  METRICS_ACCESS: 'open',
  JWT_SECRET: 'a secret for tests, long enough to sign',
  USER_KEY_SECRET: 'a secret for tests, long enough to hash',
  ENCRYPTION_SECRET: 'a secret of the tests, long enough to lock',
  TRACKING_KEYS: '1:a-secret-of-the-tests-long-enough-to-seal',
}

/** One ad that each user may see once. */
async function aCappedWorld(atEnd: AtEnd = onTestFinished): Promise<ServingWorld> {
  const world = await aServingWorld(atEnd)
  const placement = await world.addPlacement({ type: 'feed', mode: 'auction' })
  const { ad } = await world.addBidder(placement, 5_000_000n)
  await world.pool.query(
    `insert into frequency_caps (public_id, account_id, ad_id, max_impressions_per_user, "window",
       created_at, updated_at)
     values (gen_random_uuid(), $1, $2, 1, 'Lifetime', now(), now())`,
    [world.buyer.id, ad.id],
  )
  return world
}

/** An api process as an operator starts it. */
async function startApi(settings: Readonly<Record<string, string>>, atEnd: AtEnd = onTestFinished) {
  const home = await scratchFolder(atEnd)
  const process = startPlacard({ ...PRODUCTION, PLACARD_HOME: home, ...settings }, atEnd)
  const address = /http:\S+/.exec(await process.says('Placard is ready'))![0]
  const ask = (path: string, init?: RequestInit) => fetch(`${address}${path}`, init)
  const serve = (userId: string) =>
    ask('/api/v1/ads/serve', {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'user-agent': BROWSER },
      body: JSON.stringify({ placement: 'home-top', userId }),
    })
  return {
    process,
    ask,
    /** 200 with an ad, 204 without. */
    serve: async (userId: string) => (await serve(userId)).status,
    /** Requests an ad, reports its impression, and returns whether that was acknowledged. */
    see: async (userId: string) => {
      const { impressionUrl } = (await (await serve(userId)).json()) as { impressionUrl: string }
      return (await fetch(impressionUrl, { headers: { 'user-agent': BROWSER } })).status
    },
    metric: async (name: string) => {
      const text = await (await ask('/metrics')).text()
      return Number(new RegExp(`^${name}(?:{[^}]*})? (\\S+)$`, 'm').exec(text)?.[1])
    },
    /** The answer of an admin route to a caller who must be looked up. */
    admin: async () =>
      (await ask('/api/v1/admin/campaigns', { headers: { 'x-api-key': 'plk_unknown_key' } }))
        .status,
  }
}

const BROWSER = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0'

test('api processes with one Redis share a user’s caps, come and go, and none joins without Redis', async () => {
  const { url } = await aCappedWorld()
  const settings = { DATABASE_URL: url, REDIS_URL: (await freshRedis()).url }
  const [one, two] = await Promise.all([startApi(settings), startApi(settings)])

  const answers = await Promise.all([one, two, one, two].map((node) => node.serve('ada')))

  expect(answers.toSorted((a, b) => a - b)).toEqual([200, 204, 204, 204])
  one.process.kill('SIGKILL')
  await one.process.ended
  expect([await two.serve('ada'), await two.serve('bob')]).toEqual([204, 200])
  const withoutRedis = startPlacard({ ...PRODUCTION, DATABASE_URL: url })
  const three = await startApi(settings)
  expect([await three.serve('ada'), await three.serve('bob')]).toEqual([204, 204])
  const { code, stderr } = await withoutRedis.ended
  expect(code).toBe(1)
  expect(stderr).toContain('give all of them the same REDIS_URL')
})

test('a node that starts while PostgreSQL is unreachable waits for it, and says so', async () => {
  const { url } = await aCappedWorld()
  const wire = await cuttable(url)
  wire.cut()
  const node = startPlacard({
    ...PRODUCTION,
    PLACARD_HOME: await scratchFolder(),
    DATABASE_URL: wire.url,
  })
  await node.says('trying again')

  wire.mend()

  expect(await node.says('Placard is ready')).toContain('http://')
})

test('a start continues even if its connections are killed', async () => {
  const { url, pool } = await aCappedWorld()
  const node = startPlacard({
    ...PRODUCTION,
    PLACARD_HOME: await scratchFolder(),
    DATABASE_URL: url,
  })
  const kill = async () => {
    const { rowCount } = await pool.query(
      `select pg_terminate_backend(pid) from pg_stat_activity
        where datname = current_database() and pid <> pg_backend_pid()`,
    )
    return rowCount ?? 0
  }
  for (let killed = 0; killed < 3;) killed += await kill()

  expect(await node.says('Placard is ready')).toContain('http://')
})

describe('one api process whose connections are cut one after the other', () => {
  const ends: (() => Promise<void>)[] = []
  const atEnd = (end: () => Promise<void>) => void ends.unshift(end)
  let lone: Awaited<ReturnType<typeof startLone>>

  async function startLone() {
    const { url, pool } = await aCappedWorld(atEnd)
    const wire = await cuttable(url, atEnd)
    const redis = await freshRedis(atEnd)
    const node = await startApi({ DATABASE_URL: wire.url, REDIS_URL: redis.url }, atEnd)
    return { node, wire, redis, pool }
  }

  beforeAll(async () => {
    lone = await startLone()
  })
  afterAll(async () => {
    for (const end of ends) await end()
  })

  test('without Redis, decisions go on without caps, a metric says so, and caps come back with it', async () => {
    const { node, redis } = lone
    expect([await node.serve('ada'), await node.serve('ada')]).toEqual([200, 204])
    expect(await node.metric('placard_frequency_enforced')).toBe(1)

    await redis.kill()
    expect(await node.serve('ada')).toBe(200)
    expect(await node.metric('placard_frequency_open_total')).toBeGreaterThan(0)
    expect(await node.metric('placard_frequency_enforced')).toBe(0)
    expect(await (await node.ask('/health')).json()).toMatchObject({
      status: 'degraded',
      capsOff: true,
    })
    expect((await node.ask('/health/ready')).status).toBe(200)
    expect((await node.ask('/health')).status).toBe(503)

    await redis.restart()
    await vi.waitFor(
      async () => expect(await node.metric('placard_frequency_enforced')).toBe(1),
      20_000,
    )
    expect([await node.serve('cleo'), await node.serve('cleo')]).toEqual([200, 204])
  })

  test('without PostgreSQL, decisions go on, events spool, admin routes answer 503, and everything recovers', async () => {
    const { node, wire, pool } = lone
    expect(await node.serve('emil')).toBe(200)

    wire.cut()
    expect([await node.serve('bob'), await node.serve('bob')]).toEqual([200, 204])
    expect([await node.see('fred'), await node.see('dora')]).toEqual([200, 200])
    expect(await node.metric('placard_spool_events')).toBe(2)
    expect(await node.admin()).toBe(503)
    expect((await node.ask('/health/ready')).status).toBe(200)
    expect((await node.ask('/health')).status).toBe(503)

    wire.mend()
    await vi.waitFor(async () => expect((await node.ask('/health')).status).toBe(200), 30_000)
    expect(await node.admin()).toBe(401)
    await vi.waitFor(async () => expect(await node.metric('placard_spool_events')).toBe(0), 30_000)
    const { rows } = await pool.query('select count(*)::integer as count from impressions')
    expect(rows).toEqual([{ count: 2 }])
  })

  test('without both, a node still answers from memory', async () => {
    const { node, wire, redis } = lone
    expect(await node.serve('gina')).toBe(200)

    wire.cut()
    await redis.kill()

    expect([await node.serve('gina'), await node.serve('hugo')]).toEqual([200, 200])
    expect(await node.admin()).toBe(503)
  })
})

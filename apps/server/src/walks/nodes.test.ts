import { Redis } from 'ioredis'
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

/** A placement with one ad for new readers and one for those who came before. */
async function addGreetings(world: ServingWorld): Promise<void> {
  const placement = await world.addPlacement({ slug: 'greeting', mode: 'direct', maxBanners: 2 })
  for (const headline of ['Hello', 'Welcome back']) {
    const { campaign } = await world.addBooking(placement, { banner: { headline } })
    await world.pool.query(
      `insert into campaign_targeting_rules
         (public_id, account_id, campaign_id, rule_type, operator, value, created_at, updated_at)
       values (gen_random_uuid(), $1, $2, 'new_visitor', 'eq', $3, now(), now())`,
      [campaign.accountId, campaign.id, { value: headline === 'Hello' }],
    )
  }
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
    greet: async (userId: string) => {
      const answer = await ask(`/api/v1/banners/serve/greeting?userId=${userId}`, {
        headers: { 'user-agent': BROWSER },
      })
      const { banners } = (await answer.json()) as { banners: { headline: string }[] }
      return banners.map(({ headline }) => headline)
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

describe('two api processes with one Redis', () => {
  const ends: (() => Promise<void>)[] = []
  const atEnd = (end: () => Promise<void>) => void ends.unshift(end)
  const DAY_SECONDS = 86_400
  let both: Awaited<ReturnType<typeof startBoth>>

  async function startBoth() {
    const world = await aCappedWorld(atEnd)
    await addGreetings(world)
    const redis = await freshRedis(atEnd)
    const settings = {
      DATABASE_URL: world.url,
      REDIS_URL: redis.url,
      // Caps open when Redis is slow, which is not what these tests are about.
      REDIS_TIMEOUT_MS: '10000',
      RATE_PER_ADDRESS: '1000000,1000000,1000000,6',
      // A hold must outlive the start of a third node.
      RESERVATION_UNVOUCHED_SECONDS: '300',
    }
    const [one, two] = await Promise.all([startApi(settings, atEnd), startApi(settings, atEnd)])
    const client = new Redis(redis.port)
    atEnd(async () => client.disconnect())
    return { one, two, client, world, settings }
  }

  beforeAll(async () => {
    both = await startBoth()
  })
  afterAll(async () => {
    for (const end of ends) await end()
  })

  test('a reader’s first visit to one is known on the other', async () => {
    const { one, two, client } = both
    expect(await one.greet('ada')).toEqual(['Hello'])

    const [visits] = await client.keys('placard:visits:*')
    const [[reader, visit] = []] = Object.entries(await client.hgetall(visits!))
    const [first, day] = visit!.split(' ').map(Number)
    await client.hset(visits!, reader!, `${first! - 2 * DAY_SECONDS} ${day! - 2}`)

    expect([await two.greet('ada'), await one.greet('ada')]).toEqual([
      ['Welcome back'],
      ['Welcome back'],
    ])
    expect(await two.greet('bob')).toEqual(['Hello'])
  })

  test('what an address sends to either is counted together, and what exceeds its rate is not valid', async () => {
    const { one, two, client, world } = both
    let sent = 0
    /** Each node reports an impression, and both know of it. */
    const seeOnBoth = async () => {
      for (const node of [one, two]) expect(await node.see(`reader ${sent++}`)).toBe(200)
      await vi.waitFor(async () => expect(await sharedEvents(client)).toBe(sent), 20_000)
    }

    for (let round = 0; round < 5; round++) await seeOnBoth()

    const labels = `select label, count(*)::integer as count from impressions group by label order by label`
    await vi.waitFor(
      async () =>
        expect((await world.pool.query(labels)).rows).toEqual([
          { label: 'burst', count: expect.any(Number) },
          { label: 'valid', count: expect.any(Number) },
        ]),
      20_000,
    )
  })

  test('they share a user’s caps, come and go, and none joins without Redis', async () => {
    const { one, two, settings } = both

    const answers = await Promise.all([one, two, one, two].map((node) => node.serve('ada')))

    expect(answers.toSorted((a, b) => a - b)).toEqual([200, 204, 204, 204])
    one.process.kill('SIGKILL')
    await one.process.ended
    expect([await two.serve('ada'), await two.serve('bob')]).toEqual([204, 200])
    const withoutRedis = startPlacard({ ...PRODUCTION, DATABASE_URL: settings.DATABASE_URL })
    const three = await startApi(settings)
    expect([await three.serve('ada'), await three.serve('bob')]).toEqual([204, 204])
    const { code, stderr } = await withoutRedis.ended
    expect(code).toBe(1)
    expect(stderr).toContain('give all of them the same REDIS_URL')
  })
})

/** Events of which nodes told each other. */
async function sharedEvents(client: Redis): Promise<number> {
  const keys = await client.keys('placard:rate:*')
  const counts = keys.length === 0 ? [] : await client.mget(keys)
  return counts.reduce((sum, count) => sum + Number(count), 0)
}

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

import { createConsentReader } from '../../consent/index.ts'
import { DAY_MS, DAY_SECONDS } from '@placard/calendar'
import { pino } from 'pino'
import { describe, expect, onTestFinished, test } from 'vitest'
import { systemRandom } from '../../../platform/random.ts'
import { createHttp } from '../../../platform/http/server.ts'
import { cuttable } from '../../../testing/services/cuttable.ts'
import { actorOf } from '../../../testing/world.ts'
import type { Claims } from '../links/claims.ts'
import { parseKeyRing } from '../links/key-ring.ts'
import { conversionRoutes } from './routes.ts'
import { openIngestPool } from '../settlement/settler.ts'
import { aMarket, countRows } from '../testing.ts'
import { createSealer } from '../links/token.ts'

const sealer = createSealer(parseKeyRing(`1:${'s'.repeat(40)}`), systemRandom)

async function aServer() {
  const market = await aMarket()
  const way = await cuttable(market.url)
  const pool = openIngestPool(way.url, 4)
  onTestFinished(() => pool.end())
  const { clock } = market.deps
  const http = await createHttp({
    log: pino({ level: 'silent' }),
    ids: market.deps.ids,
    trustedProxies: [],
    permitsPerMinute: 1_000_000,
    identify: async ({ headers }) =>
      headers['x-api-key']
        ? actorOf({ id: market.accountId, kind: 'advertiser' }, ['campaigns:write']).principal
        : undefined,
  })
  await http.register(async (routes) =>
    conversionRoutes(routes as typeof http, {
      clock,
      sealer,
      readConsent: createConsentReader(),
      pool,
      labelRequest: () => 'valid',
      listShowings: async () => [],
      getAdvertiserKey: async () => market.advertiserKey,
      userKeyOf: (userId) => `key of ${userId}`,
    }),
  )
  onTestFinished(() => http.close())
  const nowMs = clock.now().getTime()
  const claims: Claims = {
    kind: 'conversion',
    decisionId: market.deps.ids.next(),
    position: 0,
    utcDay: Math.floor(nowMs / DAY_MS),
    budgetDay: Math.floor(nowMs / DAY_MS),
    winner: {
      source: 'ad',
      key: 1,
      bannerKey: 2,
      campaignKey: 3,
      advertiserKey: market.advertiserKey,
    },
    placementKey: 4,
    siteKey: 5,
    userKey: 'a-user',
    pricing: 'cpc',
    chargeMicros: 1,
    reservationId: undefined,
    holdId: undefined,
    issuedAtMs: nowMs,
  }
  return { market, way, http, token: sealer.seal(claims) }
}

describe('conversions', () => {
  test('a conversion pixel takes value and order, and counts once per order', async () => {
    const { market, http, token } = await aServer()
    const url = `/t/v/${token}?kind=purchase&order=o-1&value=19990000&currency=EUR`

    const [first, second] = [await http.inject(url), await http.inject(url)]

    expect([first.statusCode, second.statusCode]).toEqual([200, 200])
    expect(first.headers['content-type']).toBe('image/gif')
    const { rows } = await market.pool.query(
      'select kind, way, order_id, value_micros, currency, user_key from conversions',
    )
    expect(rows).toEqual([
      {
        kind: 'purchase',
        way: 'pixel',
        order_id: 'o-1',
        value_micros: '19990000',
        currency: 'EUR',
        user_key: 'a-user',
      },
    ])
  })

  test('each kind of conversion link counts by itself', async () => {
    const { market, http, token } = await aServer()
    for (const kind of ['content_view', 'add_to_cart', 'content_view']) {
      const response = await http.inject({ method: 'POST', url: '/t/v', payload: { token, kind } })
      expect(response.statusCode).toBe(202)
    }

    expect(await countRows(market.pool, 'conversions')).toBe(2)
  })

  test('a server reports conversions with its key, by its own user id', async () => {
    const { market, http } = await aServer()
    const payload = {
      advertiserId: '01890000-0000-7000-8000-000000000001',
      userId: 'u',
      eventId: 'e',
      kind: 'checkout',
    }
    const post = (headers: Record<string, string>) =>
      http.inject({ method: 'POST', url: '/api/v1/conversions', payload, headers })

    expect((await post({})).statusCode).toBe(401)
    expect((await post({ 'x-api-key': 'k' })).statusCode).toBe(202)
    market.deps.clock.advance(DAY_SECONDS)
    expect((await post({ 'x-api-key': 'k' })).statusCode).toBe(202)

    const { rows } = await market.pool.query('select way, user_key from conversions')
    expect(rows).toEqual([{ way: 'server', user_key: 'key of u' }])
  })

  test('conversions get Retry-After while PostgreSQL is unavailable, and count once afterwards', async () => {
    const { market, way, http, token } = await aServer()
    const payload = { token, kind: 'purchase', orderId: 'o-1' }
    const post = () => http.inject({ method: 'POST', url: '/t/v', payload })
    way.cut()

    const refused = await post()
    way.mend()
    const back = [await post(), await post()]

    expect(refused.statusCode).toBe(503)
    expect(refused.headers['retry-after']).toBe('1')
    expect(back.map(({ statusCode }) => statusCode)).toEqual([202, 202])
    expect(await countRows(market.pool, 'conversions')).toBe(1)
  })

  test('a conversion by a forged link or from days ago is refused', async () => {
    const { http, token } = await aServer()
    const post = (payload: object) => http.inject({ method: 'POST', url: '/t/v', payload })

    const forged = await post({ token: 'forged', kind: 'purchase' })
    const old = await post({ token, kind: 'purchase', occurredAt: '2026-06-01T00:00:00Z' })

    expect(forged.json().code).toBe('TRACKING_LINK_INVALID')
    expect(old.json().code).toBe('CONVERSION_TOO_OLD')
  })
})

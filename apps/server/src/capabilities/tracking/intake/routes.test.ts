import { DAY_MS, HOUR_MS } from '@placard/calendar'
import { pino } from 'pino'
import { describe, expect, onTestFinished, test } from 'vitest'
import { systemRandom } from '../../../platform/random.ts'
import { createHttp } from '../../../platform/http/server.ts'
import { fixedClock } from '../../../testing/fixed.ts'
import type { Claims, TokenKind } from '../links/claims.ts'
import type { TrackedEvent } from './event.ts'
import type { Receipt } from './ingest.ts'
import { parseKeyRing } from '../links/key-ring.ts'
import { trackingRoutes } from './routes.ts'
import { createRequestLabeller } from './labels.ts'
import type { Limits } from './rates.ts'
import { createSealer } from '../links/token.ts'
import type { AuctionMatch, AuctionQuery, TooOld, TrackingDeps } from './track.ts'

const sealer = createSealer(parseKeyRing(`1:${'s'.repeat(40)}`), systemRandom)
const NOW = '2026-06-15T12:00:00.000Z'
const claims: Claims = {
  kind: 'impression',
  decisionId: '0197734c-1a00-7abc-8def-0123456789ab',
  position: 0,
  utcDay: 20_619,
  budgetDay: 20_620,
  winner: { source: 'ad', key: 7, bannerKey: 8, campaignKey: 9, advertiserKey: 10 },
  placementKey: 11,
  siteKey: 12,
  userKey: 'a-user',
  pricing: 'cpm',
  chargeMicros: 2_500_000,
  reservationId: 'r-1',
  holdId: 'h-1',
  issuedAtMs: Date.parse(NOW),
}
const seal = (kind: TokenKind, overrides: Partial<Claims> = {}) =>
  sealer.seal({ ...claims, kind, ...overrides })
const BROWSER = { 'user-agent': 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Firefox/140.0' }
const MANY: Limits = [1_000, 1_000, 1_000, 1_000]
const uuid = (end: string) => `01890000-0000-7000-8000-${end.padStart(12, '0')}`

async function aServer(
  overrides: Partial<Pick<TrackingDeps, 'destinationOf' | 'vouchesFor'>> & {
    receipt?: Receipt
  } = {},
) {
  const events: TrackedEvent[] = []
  const tooOld: TooOld[] = []
  const queries: AuctionQuery[] = []
  const match: { answer: AuctionMatch } = { answer: { verdict: 'unknown' } }
  let clicksLost = 0
  const http = await createHttp({
    log: pino({ level: 'silent' }),
    ids: { next: () => 'id' },
    trustedProxies: [],
    permitsPerMinute: 1_000_000,
    identify: async () => undefined,
  })
  await http.register(async (routes) =>
    trackingRoutes(routes as typeof http, {
      clock: fixedClock(NOW),
      sealer,
      ingest: {
        async accept(event) {
          events.push(event)
          return overrides.receipt ?? 'settled'
        },
      },
      labelRequest: createRequestLabeller({
        limits: { reader: MANY, device: MANY, address: MANY, site: MANY },
        isDataCentre: () => false,
        isBlockedSession: () => false,
      }),
      destinationOf: async () => ({
        landingUrl: 'https://shop.example/autumn?a=1&utm_source=placard#top',
        macros: {},
      }),
      async findAuction(query) {
        queries.push(query)
        return match.answer
      },
      listStoredTimes: async () => new Map(),
      quarantine: async (event) => void tooOld.push(event),
      clickLost: () => void clicksLost++,
      ...overrides,
    }),
  )
  onTestFinished(() => http.close())
  const get = (url: string, headers: Record<string, string> = BROWSER) =>
    http.inject({ method: 'GET', url, headers })
  const post = (url: string, payload: object, headers: Record<string, string> = BROWSER) =>
    http.inject({ method: 'POST', url, payload, headers })
  return { http, get, post, events, tooOld, queries, match, clicksLost: () => clicksLost }
}

describe('the pixel', () => {
  test('counts an impression and answers with a picture that nobody keeps', async () => {
    const { get, events } = await aServer()

    const response = await get(`/t/i/${seal('impression')}`)

    expect(response.statusCode).toBe(200)
    expect(response.headers).toMatchObject({
      'content-type': 'image/gif',
      'cache-control': 'no-store, must-revalidate',
      'cross-origin-resource-policy': 'cross-origin',
    })
    expect(response.rawPayload.subarray(0, 6).toString()).toBe('GIF89a')
    expect(events).toMatchObject([
      {
        kind: 'impression',
        label: 'valid',
        decisionDay: 20_619,
        budgetDay: 20_620,
        campaignKey: 9,
      },
    ])
  })

  test('never counts a HEAD request', async () => {
    const { http, events } = await aServer()

    const response = await http.inject({ method: 'HEAD', url: `/t/i/${seal('impression')}` })

    expect(response.statusCode).toBe(200)
    expect(events).toEqual([])
  })

  test.each([
    ['a forged link', 'forged'],
    ['a click link', seal('click')],
  ])('refuses %s', async (_, token) => {
    const { get, events } = await aServer()

    const response = await get(`/t/i/${token}`)

    expect(response.statusCode).toBe(400)
    expect(response.json()).toMatchObject({ code: 'TRACKING_LINK_INVALID' })
    expect(events).toEqual([])
  })

  test('counts an expired link with its label, and one from long ago not at all', async () => {
    const { get, events } = await aServer()
    const issuedAtMs = Date.parse(NOW) - 25 * HOUR_MS

    const late = await get(`/t/i/${seal('impression', { issuedAtMs })}`)
    await get(`/t/i/${seal('impression', { issuedAtMs: 0, utcDay: 20_619 - 46 })}`)

    expect(late.statusCode).toBe(200)
    expect(events).toMatchObject([{ label: 'expired' }])
  })

  test('is not acknowledged when the event could not be kept', async () => {
    const { get } = await aServer({ receipt: 'refused' })

    const response = await get(`/t/i/${seal('impression')}`)

    expect(response.statusCode).toBe(503)
    expect(response.json()).toMatchObject({ code: 'EVENTS_NOT_TAKEN' })
  })

  test('labels bots and requests without a user agent', async () => {
    const { get, events } = await aServer()

    await get(`/t/i/${seal('impression')}`, { 'user-agent': 'Googlebot/2.1' })
    await get(`/t/i/${seal('impression')}`, { 'user-agent': '' })

    expect(events.map(({ label }) => label)).toEqual(['bot', 'no-user-agent'])
  })

  test('remembers no user who asks for privacy', async () => {
    const { get, events } = await aServer()

    await get(`/t/i/${seal('impression')}`, { ...BROWSER, 'sec-gpc': '1' })

    expect(events[0]).toMatchObject({ userKey: undefined, sessionId: undefined })
  })
})

describe('a click', () => {
  test('is counted and goes to the destination of the ad', async () => {
    const { get, events } = await aServer()

    const response = await get(`/t/c/${seal('click')}`)

    const url = 'https://shop.example/autumn?a=1&utm_source=placard#top'
    expect(response.statusCode).toBe(302)
    expect(response.headers).toMatchObject({
      location: url,
      'cache-control': 'no-store, must-revalidate',
    })
    expect(events).toMatchObject([{ kind: 'click', otherUrl: url, label: 'valid' }])
  })

  test('goes on when the link has expired, and is labelled so', async () => {
    const { get, events } = await aServer()
    const issuedAtMs = Date.parse(NOW) - 31 * DAY_MS

    const response = await get(`/t/c/${seal('click', { issuedAtMs })}`)

    expect(response.statusCode).toBe(302)
    expect(events).toMatchObject([{ label: 'expired' }])
  })

  test('goes on when it could not be kept, and the loss is counted', async () => {
    const { get, clicksLost } = await aServer({ receipt: 'refused' })

    const response = await get(`/t/c/${seal('click')}`)

    expect(response.statusCode).toBe(302)
    expect(clicksLost()).toBe(1)
  })

  test.each(['forged', seal('impression')])('goes nowhere by %s', async (token) => {
    const { get, events } = await aServer()

    const response = await get(`/t/c/${token}?url=https://evil.example`)

    expect(response.statusCode).toBe(400)
    expect(response.headers.location).toBeUndefined()
    expect(events).toEqual([])
  })

  test('goes to no other kind of address', async () => {
    const { get, events } = await aServer({
      destinationOf: async () => ({ landingUrl: 'javascript:alert(1)', macros: {} }),
    })

    const response = await get(`/t/c/${seal('click')}`)

    expect(response.statusCode).toBe(404)
    expect(events).toEqual([])
  })

  test('a HEAD request is shown the way and not counted', async () => {
    const { http, events } = await aServer()

    const response = await http.inject({ method: 'HEAD', url: `/t/c/${seal('click')}` })

    expect(response.statusCode).toBe(302)
    expect(events).toEqual([])
  })
})

describe('a beacon', () => {
  test('gives each event its own verdict: a bad one never fails the others', async () => {
    const { post, events, tooOld } = await aServer()
    const token = seal('event')

    const response = await post('/t/e', {
      fromANewerTag: true,
      events: [
        { token, kind: 'impression' },
        { token, kind: 'view', occurredAt: '2026-06-15T11:00:00Z' },
        { token: seal('click'), kind: 'impression' },
        { token: 'forged', kind: 'click' },
        { token, kind: 'impression', occurredAt: '2026-06-14T11:59:59Z' },
        { token, kind: 'impression', occurredAt: '2026-06-15T13:00:00Z' },
        { token, kind: 'party' },
        'nonsense',
      ],
    })

    expect(response.statusCode).toBe(202)
    expect(response.json().results.map(({ verdict }: { verdict: string }) => verdict)).toEqual([
      'accepted',
      'accepted',
      'other-kind',
      'forged',
      'too-old',
      'accepted',
      'malformed',
      'malformed',
    ])
    expect(events.map(({ kind, clock }) => [kind, clock])).toEqual([
      ['impression', 'on-time'],
      ['view', 'late'],
      ['impression', 'ahead'],
    ])
    expect(events[1]!.occurredAtMs).toBe(Date.parse(NOW) - HOUR_MS)
    expect(tooOld).toHaveLength(1)
  })

  test('may come as plain text, as browsers send it across origins', async () => {
    const { http, events } = await aServer()

    const response = await http.inject({
      method: 'POST',
      url: '/t/e',
      headers: {
        ...BROWSER,
        'content-type': 'text/plain;charset=UTF-8',
        origin: 'https://a.example',
      },
      payload: JSON.stringify({ events: [{ token: seal('event'), kind: 'view' }] }),
    })

    expect(response.statusCode).toBe(202)
    expect(response.headers['access-control-allow-origin']).toBe('https://a.example')
    expect(events).toHaveLength(1)
  })

  test('has at most 50 events', async () => {
    const { post } = await aServer()

    const response = await post('/t/e', { events: Array.from({ length: 51 }, () => ({})) })

    expect(response.statusCode).toBe(400)
  })

  test('is to be sent again when an event could not be kept', async () => {
    const { post } = await aServer({ receipt: 'refused' })

    const response = await post('/t/e', { events: [{ token: seal('event'), kind: 'view' }] })

    expect(response.statusCode).toBe(503)
    expect(response.json()).toEqual({ results: [{ verdict: 'refused' }] })
  })
})

describe('events by ad and user', () => {
  const body = { adId: uuid('1'), userId: 'u', timestamp: '2026-06-15T11:58:00Z' }

  test('take what the newest auction within the hour decided', async () => {
    const { post, events, queries, match } = await aServer()
    match.answer = { verdict: 'matched', showings: [claims] }

    const response = await post('/api/v1/ads/events/impression', body)

    expect(response.statusCode).toBe(202)
    expect(response.json()).toEqual({ accepted: true })
    const atMs = Date.parse(body.timestamp)
    expect(queries).toMatchObject([
      // A reader's clock may be behind ours.
      { adId: body.adId, userId: 'u', fromMs: atMs - HOUR_MS, toMs: Date.parse(NOW) },
    ])
    expect(events).toMatchObject([
      { decisionId: claims.decisionId, label: 'valid', isUnvouched: true },
    ])
  })

  test('without an auction are counted with a label, and never billed', async () => {
    const { post, events, match } = await aServer()
    match.answer = { verdict: 'unmatched', winner: claims.winner }

    const response = await post('/api/v1/ads/events/click', body)

    expect(response.statusCode).toBe(202)
    expect(events).toMatchObject([{ kind: 'click', label: 'unmatched', chargeMicros: 0 }])
  })

  test('of things that nobody knows are accepted and not kept', async () => {
    const { post, events } = await aServer()

    expect((await post('/api/v1/ads/events/click', body)).statusCode).toBe(202)
    expect(events).toEqual([])
  })

  test('are the same event by their own id, or by ad, user and minute', async () => {
    const { post, events, match } = await aServer()
    match.answer = { verdict: 'matched', showings: [claims] }
    const send = (overrides: object) =>
      post('/api/v1/ads/events/impression', { ...body, ...overrides })

    await send({})
    await send({ timestamp: '2026-06-15T11:58:59Z' })
    await send({ timestamp: '2026-06-15T11:59:00Z' })
    await send({ eventId: 'mine' })
    await send({ eventId: 'mine', timestamp: NOW })

    const [one, two, three, four, five] = events.map(({ seenKey }) => seenKey)
    expect([two, five]).toEqual([one, four])
    expect(new Set([one, three, four]).size).toBe(3)
  })

  test('with a link need no match', async () => {
    const { post, events, queries } = await aServer()

    await post('/api/v1/ads/events/impression', { ...body, token: seal('event') })

    expect({ queries, events }).toMatchObject({ queries: [], events: [{ position: 0 }] })
    expect(events[0]).not.toHaveProperty('seenKey')
  })

  test('of a banner name their correlation id, and lose query and fragment of the page', async () => {
    const { post, events, match } = await aServer()
    match.answer = { verdict: 'matched', showings: [claims] }

    const response = await post('/api/v1/banners/events/impression', {
      correlationId: uuid('2'),
      bannerPublicId: uuid('3'),
      placementSlug: 'home-top',
      campaignPublicId: uuid('4'),
      sessionId: 'session',
      pageUrl: 'https://news.example/a?token=secret#x',
      unknownToUs: 1,
    })

    expect(response.statusCode).toBe(202)
    expect(events).toMatchObject([{ pageUrl: 'https://news.example/a', sessionId: 'session' }])
  })

  test('with faults are refused with all of them named', async () => {
    const { post } = await aServer()

    const response = await post('/api/v1/ads/events/impression', { adId: 'x', timestamp: 'y' })

    expect(response.statusCode).toBe(400)
    expect(response.json().faults.length).toBeGreaterThanOrEqual(3)
  })
})

import { HOUR_MS } from '@placard/calendar'
import { describe, expect, test } from 'vitest'
import { aServer, claims, NOW, seal } from './testing-routes.ts'

const uuid = (end: string) => `01890000-0000-7000-8000-${end.padStart(12, '0')}`

describe('events by ad and user', () => {
  const body = { adId: uuid('1'), userId: 'u', timestamp: '2026-06-15T11:58:00Z' }

  test('an event by ad and user takes price and user from the newest auction within the hour', async () => {
    const { post, events, queries, match } = await aServer()
    match.answer = { verdict: 'matched', showings: [claims] }

    const response = await post('/api/v1/ads/events/impression', body)

    expect(response.statusCode).toBe(202)
    expect(response.json()).toEqual({ accepted: true })
    const atMs = Date.parse(body.timestamp)
    expect(queries).toMatchObject([
      // The reader's clock may be behind the server's.
      { adId: body.adId, userId: 'u', fromMs: atMs - HOUR_MS, toMs: Date.parse(NOW) },
    ])
    expect(events).toMatchObject([
      { decisionId: claims.decisionId, label: 'valid', isUnvouched: true },
    ])
  })

  test('an event without an auction is counted with a label, and never billed', async () => {
    const { post, events, match } = await aServer()
    match.answer = { verdict: 'unmatched', winner: claims.winner }

    const response = await post('/api/v1/ads/events/click', body)

    expect(response.statusCode).toBe(202)
    expect(events).toMatchObject([{ kind: 'click', label: 'unmatched', chargeMicros: 0 }])
  })

  test('an event of an unknown ad or banner is accepted and not stored', async () => {
    const { post, events } = await aServer()

    expect((await post('/api/v1/ads/events/click', body)).statusCode).toBe(202)
    expect(events).toEqual([])
  })

  test('events with the same own id, or the same ad, user and minute, are one event', async () => {
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

  test('an event with a tracking link needs no match', async () => {
    const { post, events, queries } = await aServer()

    await post('/api/v1/ads/events/impression', { ...body, token: seal('event') })

    expect({ queries, events }).toMatchObject({ queries: [], events: [{ position: 0 }] })
    expect(events[0]).not.toHaveProperty('seenKey')
  })

  test('an event of a banner keeps its correlation id, and its page loses query and fragment', async () => {
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

  test('a faulty event is refused with all faults named', async () => {
    const { post } = await aServer()

    const response = await post('/api/v1/ads/events/impression', { adId: 'x', timestamp: 'y' })

    expect(response.statusCode).toBe(400)
    expect(response.json().faults.length).toBeGreaterThanOrEqual(3)
  })
})

import { HOUR_MS } from '@placard/calendar'
import { describe, expect, test } from 'vitest'
import { aServer, BROWSER, NOW, seal } from './testing-routes.ts'

describe('a beacon', () => {
  test('a beacon gives each event its own verdict: a bad one never fails the others', async () => {
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

  test('a beacon may be plain text, as browsers send it across origins', async () => {
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

  test('a beacon has at most 50 events', async () => {
    const { post } = await aServer()

    const response = await post('/t/e', { events: Array.from({ length: 51 }, () => ({})) })

    expect(response.statusCode).toBe(400)
  })

  test('a beacon must be sent again when an event could not be stored', async () => {
    const { post } = await aServer({ receipt: 'refused' })

    const response = await post('/t/e', { events: [{ token: seal('event'), kind: 'view' }] })

    expect(response.statusCode).toBe(503)
    expect(response.json()).toEqual({ results: [{ verdict: 'refused' }] })
  })
})

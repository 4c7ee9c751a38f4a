import { HOUR_MS } from '@placard/calendar'
import { describe, expect, test } from 'vitest'
import { aServer, claims, NOW, seal } from './testing-routes.ts'

const token = () => seal('impression')

describe('a step of a film', () => {
  test('counts under its name and answers with a picture that nobody keeps', async () => {
    const { get, events } = await aServer()

    const response = await get(`/t/p/${token()}/firstQuartile`)

    expect(response.statusCode).toBe(200)
    expect(response.headers).toMatchObject({
      'content-type': 'image/gif',
      'cache-control': 'no-store, must-revalidate',
    })
    expect(response.rawPayload.subarray(0, 6).toString()).toBe('GIF89a')
    expect(events).toMatchObject([{ kind: 'progress', name: 'firstQuartile', campaignKey: 9 }])
  })

  test('has one id per showing and name, so that a repeat is the same event', async () => {
    const { get, events } = await aServer()

    for (const name of ['start', 'start', 'complete']) await get(`/t/p/${token()}/${name}`)
    await get(`/t/p/${seal('impression', { position: 1 })}/start`)

    const ids = events.map(({ eventId }) => eventId)
    expect(new Set(ids).size).toBe(3)
    expect(ids[0]).toBe(ids[1])
  })

  test('takes what VAST names and numbered events of callers; anything else is refused with the name', async () => {
    const { get, events } = await aServer()

    const taken = await get(`/t/p/${token()}/custom-12`)
    const refused = await get(`/t/p/${token()}/explode`)
    const long = await get(`/t/p/${token()}/custom-12345`)

    expect([taken, refused, long].map(({ statusCode }) => statusCode)).toEqual([200, 400, 400])
    expect(refused.json().faults).toMatchObject([{ path: 'params/event' }])
    expect(events).toMatchObject([{ name: 'custom-12' }])
  })

  test('`viewable` is a view, not progress', async () => {
    const { get, events } = await aServer()

    await get(`/t/p/${token()}/viewable`)

    expect(events).toMatchObject([{ kind: 'view' }])
    expect(events[0]?.name).toBeUndefined()
  })

  test.each(['/t/p/TOKEN/start', '/t/x/TOKEN', '/t/k/TOKEN'])(
    'HEAD of %s counts nothing',
    async (url) => {
      const { http, events } = await aServer()

      const response = await http.inject({ method: 'HEAD', url: url.replace('TOKEN', token()) })

      expect(response.statusCode).toBe(200)
      expect(events).toEqual([])
    },
  )

  test('a forged link and the link of a click are refused', async () => {
    const { get, events } = await aServer()

    const forged = await get('/t/p/forged/start')
    const click = await get(`/t/p/${seal('click')}/start`)

    expect([forged.statusCode, click.statusCode]).toEqual([400, 400])
    expect(events).toEqual([])
  })

  test('after the life of its link it is labelled as expired', async () => {
    const { get, events } = await aServer()

    await get(`/t/p/${seal('impression', { issuedAtMs: Date.parse(NOW) - 25 * HOUR_MS })}/complete`)

    expect(events).toMatchObject([{ label: 'expired' }])
  })

  test('503 when it is safe nowhere', async () => {
    const { get } = await aServer({ receipt: 'refused' })

    expect((await get(`/t/p/${token()}/start`)).statusCode).toBe(503)
  })
})

describe('an error of a player', () => {
  test.each([
    ['?code=303', 'error-303'],
    ['?code=999', 'error-999'],
    ['?code=100', 'error-100'],
    ['?code=99', 'error-900'],
    ['?code=1000', 'error-900'],
    ['?code=0303', 'error-900'],
    ['?code=%5BERRORCODE%5D', 'error-900'],
    ['?code=', 'error-900'],
    ['', 'error-900'],
  ])('%s counts as %s', async (query, name) => {
    const { get, events } = await aServer()

    const response = await get(`/t/x/${token()}${query}`)

    expect(response.statusCode).toBe(200)
    expect(events).toMatchObject([{ kind: 'progress', name }])
  })
})

describe('a click that goes nowhere', () => {
  test('is the click of its showing: it counts, and the redirect of the same link counts no more', async () => {
    const { get, events } = await aServer()
    const click = seal('click')

    const counted = await get(`/t/k/${click}`)
    const redirected = await get(`/t/c/${click}`)

    expect(counted.headers['content-type']).toBe('image/gif')
    expect(redirected.statusCode).toBe(302)
    expect(events).toMatchObject([{ kind: 'click' }, { kind: 'click' }])
    expect(events[0]!.eventId).toBe(events[1]!.eventId)
  })

  test('takes no link of an impression', async () => {
    const { get } = await aServer()

    expect((await get(`/t/k/${token()}`)).statusCode).toBe(400)
  })
})

describe('progress in a beacon', () => {
  test('counts by its name; without one it is malformed', async () => {
    const { post, events } = await aServer()

    const response = await post('/t/e', {
      events: [
        { token: token(), kind: 'progress', name: 'midpoint' },
        { token: token(), kind: 'progress' },
        { token: token(), kind: 'progress', name: 'explode' },
      ],
    })

    expect(response.json().results.map(({ verdict }: { verdict: string }) => verdict)).toEqual([
      'accepted',
      'malformed',
      'malformed',
    ])
    expect(events).toMatchObject([{ kind: 'progress', name: 'midpoint' }])
  })

  test('a name changes nothing about an impression', async () => {
    const { get, post, events } = await aServer()

    await post('/t/e', { events: [{ token: token(), kind: 'impression', name: 'start' }] })
    await get(`/t/i/${token()}`)

    expect(events[0]!.eventId).toBe(events[1]!.eventId)
    expect(events[0]!.name).toBeUndefined()
    expect(events[0]!.decisionId).toBe(claims.decisionId)
  })
})

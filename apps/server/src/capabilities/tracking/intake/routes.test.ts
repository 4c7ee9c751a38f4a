import { DAY_MS, HOUR_MS } from '@placard/calendar'
import { describe, expect, test } from 'vitest'
import { aServer, BROWSER, NOW, seal } from './testing-routes.ts'

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

import { DAY_MS, HOUR_MS } from '@placard/calendar'
import { describe, expect, test } from 'vitest'
import { aServer, BROWSER, NOW, seal } from './testing-routes.ts'

describe('the pixel', () => {
  test('the pixel counts an impression and answers with an uncacheable picture', async () => {
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

  test('the pixel never counts a HEAD request', async () => {
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

  test('the pixel counts an expired link with its label, and a very old one not at all', async () => {
    const { get, events } = await aServer()
    const issuedAtMs = Date.parse(NOW) - 25 * HOUR_MS

    const late = await get(`/t/i/${seal('impression', { issuedAtMs })}`)
    await get(`/t/i/${seal('impression', { issuedAtMs: 0, utcDay: 20_619 - 46 })}`)

    expect(late.statusCode).toBe(200)
    expect(events).toMatchObject([{ label: 'expired' }])
  })

  test('the pixel does not acknowledge an event that could not be stored', async () => {
    const { get } = await aServer({ receipt: 'refused' })

    const response = await get(`/t/i/${seal('impression')}`)

    expect(response.statusCode).toBe(503)
    expect(response.json()).toMatchObject({ code: 'EVENTS_NOT_TAKEN' })
  })

  test('the pixel labels bots and requests without a user agent', async () => {
    const { get, events } = await aServer()

    await get(`/t/i/${seal('impression')}`, { 'user-agent': 'Googlebot/2.1' })
    await get(`/t/i/${seal('impression')}`, { 'user-agent': '' })

    expect(events.map(({ label }) => label)).toEqual(['bot', 'no-user-agent'])
  })

  test('the pixel stores no user who asks for privacy', async () => {
    const { get, events } = await aServer()

    await get(`/t/i/${seal('impression')}`, { ...BROWSER, 'sec-gpc': '1' })

    expect(events[0]).toMatchObject({ userKey: undefined, sessionId: undefined })
  })
})

describe('a click', () => {
  test('a click is counted and redirected to the ad’s landing page', async () => {
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

  test('a click on an expired link is labelled and still redirected', async () => {
    const { get, events } = await aServer()
    const issuedAtMs = Date.parse(NOW) - 31 * DAY_MS

    const response = await get(`/t/c/${seal('click', { issuedAtMs })}`)

    expect(response.statusCode).toBe(302)
    expect(events).toMatchObject([{ label: 'expired' }])
  })

  test('a click that could not be stored is redirected, and the loss is counted', async () => {
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

  test('a click is never redirected to a scheme that is not allowed', async () => {
    const { get, events } = await aServer({
      destinationOf: async () => ({ landingUrl: 'javascript:alert(1)', macros: {} }),
    })

    const response = await get(`/t/c/${seal('click')}`)

    expect(response.statusCode).toBe(404)
    expect(events).toEqual([])
  })

  test('a HEAD request gets the redirect and counts nothing', async () => {
    const { http, events } = await aServer()

    const response = await http.inject({ method: 'HEAD', url: `/t/c/${seal('click')}` })

    expect(response.statusCode).toBe(302)
    expect(events).toEqual([])
  })
})

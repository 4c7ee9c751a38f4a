import { expect, test } from 'vitest'
import { freshDatabase } from '../../testing/services/database.ts'
import { addUser, signInAs, startServer } from '../../testing/server.ts'
import { campaignTargetingRules, campaigns } from './tables.ts'
import { addMarket, addShownPlacement, httpFor, marketOn } from './testing.ts'

const rule = { ruleType: 'country', operator: 'in', value: { values: ['de', 'DE'] } }

test('a campaign is booked through the documented routes alone, and each refusal names its reason', async () => {
  const market = await marketOn(await freshDatabase())
  const http = await httpFor(market)
  const { placementId } = await addShownPlacement(market.deps)
  const { publicId: bannerId } = await market.addBanner()
  const post = async (url: string, payload?: object) => {
    const response = await http.inject({ method: 'POST', url, ...(payload && { payload }) })
    const { id, code, status } = response.json<Record<string, unknown>>()
    return { http: response.statusCode, id, code, status }
  }

  const body = {
    advertiserId: market.advertiserId,
    name: 'Autumn',
    startsAt: '2030-01-01T00:00:00Z',
    maxBidMicros: '1000000',
  }
  const { id } = await post('/campaigns', body)
  const at = `/campaigns/${String(id)}`
  expect(await post(`${at}/placements`, { placementId })).toMatchObject({ http: 201 })
  expect(await post(`${at}/placements`, { placementId })).toMatchObject({ http: 409 })
  expect(await post(`${at}/placements/${placementId}/banners`, { bannerId })).toMatchObject({
    http: 201,
  })
  expect(await post(`${at}/targeting-rules`, rule)).toMatchObject({ http: 201 })
  expect(await post('/targeting-rules', { ...rule, campaignId: id })).toMatchObject({ http: 201 })

  expect(await post(`${at}/schedule`)).toMatchObject({ http: 200, status: 'scheduled' })
  expect(await post(`${at}/end`)).toMatchObject({ http: 400, code: 'CAMPAIGN_INVALID_TRANSITION' })
  expect(await post(`${at}/activate`)).toMatchObject({ http: 200, status: 'active' })
  expect(await post(`${at}/pause`)).toMatchObject({ http: 200, status: 'paused' })
  expect(await post(`${at}/end`)).toMatchObject({ http: 200, status: 'ended' })
  expect(await post(`${at}/cancel`)).toMatchObject({ code: 'CAMPAIGN_INVALID_TRANSITION' })
})

test('a change with a version is refused if the row has another one', async () => {
  const market = await marketOn(await freshDatabase())
  const http = await httpFor(market)
  const { placementId } = await addShownPlacement(market.deps)
  const url = `/campaigns/${await market.addCampaign()}/placements`
  await http.inject({ method: 'POST', url, payload: { placementId } })
  const patch = (etag: string) =>
    http.inject({
      method: 'PATCH',
      url: `${url}/${placementId}`,
      payload: { isActive: false },
      headers: { 'if-match': etag },
    })

  const { headers } = await http.inject({ url: `${url}/${placementId}` })
  expect((await patch(String(headers.etag))).statusCode).toBe(200)
  expect((await patch(String(headers.etag))).statusCode).toBe(412)
})

test('a targeting rule is refused with a reason, and nothing is written', async () => {
  const market = await marketOn(await freshDatabase())
  const http = await httpFor(market)
  const url = `/campaigns/${await market.addCampaign()}/targeting-rules`
  const post = async (payload: object) =>
    (await http.inject({ method: 'POST', url, payload })).json()

  expect(await post({ ...rule, operator: 'between' })).toMatchObject({
    status: 400,
    code: 'TARGETING_RULE_INVALID_OPERATOR',
  })
  expect(await post({ ...rule, value: { values: ['DEU', 1] } })).toMatchObject({
    status: 400,
    code: 'INVALID_REQUEST',
    faults: [{ path: 'body/value/values/0' }, { path: 'body/value/values/1' }],
  })
  for (const value of [
    { colour: 1 },
    {},
    [],
    'x',
    null,
    { values: ['a\u0000'] },
    { value: 'DE' },
  ]) {
    expect(await post({ ...rule, value })).toMatchObject({ status: 400 })
  }
  expect(await market.deps.db.$count(campaignTargetingRules)).toBe(0)
})

test('a partly changed rule is judged as a whole, and a deleted one is gone', async () => {
  const market = await marketOn(await freshDatabase())
  const http = await httpFor(market)
  const list = `/campaigns/${await market.addCampaign()}/targeting-rules`
  const made = await http.inject({ method: 'POST', url: list, payload: rule })
  const { id, value } = made.json<{ id: string; value: object }>()
  const url = `${list}/${id}`
  const patch = (payload: object) => http.inject({ method: 'PATCH', url, payload })

  expect(value).toEqual({ values: ['DE'] })
  expect((await patch({ ruleType: 'hour_of_day' })).json()).toMatchObject({ status: 400 })
  expect((await patch({ operator: 'not_in', isActive: false })).json()).toMatchObject({
    operator: 'not_in',
    value: { values: ['DE'] },
    isActive: false,
  })
  const elsewhere = url.replace(/campaigns\/[^/]+/, `campaigns/${await market.addCampaign()}`)
  expect((await http.inject({ url: elsewhere })).json()).toMatchObject({
    code: 'TARGETING_RULE_NOT_FOUND',
  })
  expect((await http.inject({ method: 'DELETE', url })).statusCode).toBe(204)
  expect((await http.inject({ url: list })).json()).toEqual({ items: [] })
  expect((await http.inject({ url: `/targeting-rules/${id}` })).statusCode).toBe(404)
})

test('rules of another account’s campaign are not found', async () => {
  const market = await marketOn(await freshDatabase())
  const url = `/campaigns/${await market.addCampaign()}/targeting-rules`
  const stranger = await httpFor(await addMarket(market.deps))

  expect((await stranger.inject({ url })).statusCode).toBe(404)
  expect((await stranger.inject({ method: 'POST', url, payload: rule })).statusCode).toBe(404)
})

test('a bad import names the schema’s faults too, and a good one can be repeated safely', async () => {
  const market = await marketOn(await freshDatabase())
  const http = await httpFor(market)
  const row = { advertiserId: market.advertiserId, name: 'Import' }
  const send = (campaigns: object[]) =>
    http.inject({
      method: 'POST',
      url: '/campaigns/import',
      payload: { campaigns },
      headers: { 'idempotency-key': 'once' },
    })

  expect((await send([row, { ...row, budgetDailyMicros: '0', colour: 1 }])).json()).toMatchObject({
    faults: [{ path: 'body/campaigns/1/colour' }, { path: 'body/campaigns/1/budgetDailyMicros' }],
  })
  const [first, second] = [await send([row]), await send([row])]
  expect(first.statusCode).toBe(201)
  expect(second.json()).toEqual(first.json())
  expect(await market.deps.db.$count(campaigns)).toBe(1)
})

test('a date that only some programs can read is refused', async () => {
  const market = await marketOn(await freshDatabase())
  const http = await httpFor(market)
  const dates = [
    '0000-01-01T00:00:00Z',
    '2030-12-31T23:59:60Z',
    '2030-01-01T00:00:00+05',
    '2030-02-30T00:00:00Z',
  ]
  const post = (startsAt: string) =>
    http.inject({
      method: 'POST',
      url: '/campaigns',
      payload: { advertiserId: market.advertiserId, name: 'Autumn', startsAt },
    })

  for (const date of dates) expect((await post(date)).statusCode).toBe(400)
  expect((await post('2030-01-01T05:30:00.123456789+05:30')).json()).toMatchObject({
    startsAt: '2030-01-01T00:00:00.123Z',
  })
})

test('a campaign’s history has the changes of its parts, newest first, page by page', async () => {
  const server = await startServer()
  const { email } = await addUser(server.deps, 'ad-ops')
  const { headers } = await signInAs(server, email)
  const events = { campaignStateChanged: async () => {} }
  const market = await addMarket({ ...server.deps, events, published: [] })
  const { placementId } = await addShownPlacement(market.deps)
  const at = `/api/v1/admin/campaigns/${await market.addCampaign()}`
  const send = (method: 'POST' | 'DELETE' | 'GET', url: string, payload?: object) =>
    server.http.inject({ method, url, headers, ...(payload && { payload }) })
  await send('POST', `${at}/placements`, { placementId })
  const { id } = (await send('POST', `${at}/targeting-rules`, rule)).json()
  await send('DELETE', `${at}/targeting-rules/${id}`)
  await send('POST', `/api/v1/admin/campaigns/${await market.addCampaign()}/placements`, {
    placementId,
  })

  const first = (await send('GET', `${at}/history?limit=2`)).json()
  const second = (await send('GET', `${at}/history?cursor=${first.nextCursor}`)).json()

  const actionsOf = ({ items }: { items: { action: string }[] }) =>
    items.map(({ action }) => action)
  expect(actionsOf(first)).toEqual(['targeting-rule.delete', 'targeting-rule.create'])
  expect(actionsOf(second)).toEqual(['placement-link.create'])
  expect(second.nextCursor).toBeUndefined()
})

test('an amount above the limit is refused in words, and nothing is written', async () => {
  const market = await marketOn(await freshDatabase())
  const http = await httpFor(market)
  const patch = (budgetDailyMicros: string) =>
    http.inject({
      method: 'PATCH',
      url: `/advertisers/${market.advertiserId}`,
      payload: { budgetDailyMicros },
    })

  expect((await patch('999999999999999')).statusCode).toBe(200)
  const refused = await patch('999999999999999999')

  expect(refused.statusCode).toBe(400)
  expect(refused.json()).toMatchObject({
    faults: [
      {
        path: 'body/budgetDailyMicros',
        message: 'must be whole micros as text, from "1" to "999999999999999"',
      },
    ],
  })
  const { body } = await http.inject({ url: `/advertisers/${market.advertiserId}` })
  expect(JSON.parse(body)).toMatchObject({ budgetDailyMicros: '999999999999999' })
})

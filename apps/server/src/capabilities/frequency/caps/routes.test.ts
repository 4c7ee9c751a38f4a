import { expect, test } from 'vitest'
import { freshDatabase } from '../../../testing/services/database.ts'
import { addMarket, httpFor, marketOn, type Market } from '../../campaigns/testing.ts'
import { frequencyRoutes } from './routes.ts'

const url = '/frequency/caps'
const capHttp = async (market: Market) => {
  const http = await httpFor(market)
  frequencyRoutes(http, market.deps)
  return http
}

test('a cap on an ad, a campaign or an advertiser is created, read, changed and deleted for good', async () => {
  const market = await marketOn(await freshDatabase())
  const http = await capHttp(market)
  const campaignId = await market.addCampaign()
  const { adId } = await market.addAd(campaignId)
  const { advertiserId } = market
  const post = async (payload: object) =>
    (await http.inject({ method: 'POST', url, payload })).json()

  const cap = await post({ adId, maxImpressionsPerUser: 3 })
  expect(cap).toMatchObject({
    adId,
    campaignId: null,
    advertiserId: null,
    maxImpressionsPerUser: 3,
    window: 'Day',
  })
  expect(await post({ campaignId, maxImpressionsPerUser: 5, window: 'Lifetime' })).toMatchObject({
    campaignId,
    window: 'Lifetime',
  })
  expect(await post({ advertiserId, maxImpressionsPerUser: 9 })).toMatchObject({ advertiserId })

  const one = `${url}/${(cap as { id: string }).id}`
  const patched = await http.inject({ method: 'PATCH', url: one, payload: { window: 'Hour' } })
  expect(patched.json()).toMatchObject({ window: 'Hour', version: 2 })
  expect((await http.inject({ url: `${url}?adId=${adId}` })).json()).toEqual([patched.json()])
  expect((await http.inject({ method: 'DELETE', url: one })).statusCode).toBe(204)
  expect((await http.inject({ url: one })).json()).toMatchObject({
    status: 404,
    code: 'FREQUENCY_CAP_NOT_FOUND',
  })
})

test('a cap without a target, with two, or with a target of another account is refused', async () => {
  const market = await marketOn(await freshDatabase())
  const http = await capHttp(market)
  const campaignId = await market.addCampaign()
  const stranger = await (await addMarket(market.deps)).addCampaign()
  const { advertiserId } = market
  const codeOf = async (payload: object) =>
    (await http.inject({ method: 'POST', url, payload })).json<{ code: string }>().code

  expect(await codeOf({ maxImpressionsPerUser: 3 })).toBe('FREQUENCY_CAP_TARGET_INVALID')
  expect(await codeOf({ campaignId, advertiserId, maxImpressionsPerUser: 3 })).toBe(
    'FREQUENCY_CAP_TARGET_INVALID',
  )
  expect(await codeOf({ campaignId: stranger, maxImpressionsPerUser: 3 })).toBe(
    'CAMPAIGN_NOT_FOUND',
  )
  expect(await codeOf({ campaignId, maxImpressionsPerUser: 0 })).toBe('INVALID_REQUEST')
})

test('the list is an array, and a header leads to the next page', async () => {
  const market = await marketOn(await freshDatabase())
  const http = await capHttp(market)
  const campaignId = await market.addCampaign()
  for (const maxImpressionsPerUser of [1, 2, 3]) {
    await http.inject({ method: 'POST', url, payload: { campaignId, maxImpressionsPerUser } })
  }
  const read = async (query: string) => {
    const response = await http.inject({ url: `${url}?${query}` })
    const maxima = response
      .json<{ maxImpressionsPerUser: number }[]>()
      .map(({ maxImpressionsPerUser }) => maxImpressionsPerUser)
    return { maxima, next: response.headers['x-next-cursor'] }
  }

  const first = await read('limit=2')
  expect(first.maxima).toEqual([3, 2])
  expect(await read(`limit=2&cursor=${String(first.next)}`)).toEqual({ maxima: [1] })
  expect((await http.inject({ url: `${url}?limit=201` })).statusCode).toBe(400)
})

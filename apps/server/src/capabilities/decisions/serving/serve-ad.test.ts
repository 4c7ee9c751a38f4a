import { describe, expect, test } from 'vitest'
import { aServingWorld, startServing } from '../../../testing/worlds/serving-world.ts'

const KEY = { 'x-api-key': 'a key' }

/** Trusted callers are cached for seconds by their key, so each gets its own. */
const keyCalled = (name: string) => ({ 'x-api-key': name })

/** Two ads compete for a feed placement; the first bids more. */
async function anAuction() {
  const world = await aServingWorld()
  const placement = await world.addPlacement({ type: 'feed', mode: 'auction' })
  const best = await world.addBidder(placement, 5_000_000n)
  const second = await world.addBidder(placement, 4_000_000n)
  return { world, placement, best, second }
}

describe('POST /ads/serve', () => {
  test('ServeAd_ShouldReturnServedAdPayload', async () => {
    const { world, best } = await anAuction()
    const { serveAd, allow } = await startServing(world)
    allow('decisions:read')

    const response = await serveAd({ userId: 'u1', placementType: 'feed' }, KEY)

    expect(response.statusCode).toBe(200)
    expect(response.json()).toMatchObject({
      adId: best.ad.publicId,
      campaignId: best.campaign.publicId,
      adFormat: 'single_image',
      creativeUrl: 'https://cdn.example/red.png',
      servedAt: '2026-06-15T12:00:00.000Z',
    })
    expect(response.json().finalPrice).toBeGreaterThan(0)
  })

  test('the price is the second score plus 0.01, the charge is in the unit of the bid', async () => {
    const { world } = await anAuction()
    const { serveAd, allow } = await startServing(world)
    allow()

    const { json } = await serveAd({ placementType: 'feed' }, KEY)

    expect(json()).toMatchObject({
      finalPrice: 0.005,
      finalPriceMicros: '5000',
      charge: 4.01,
      chargeMicros: '4010000',
      pricing: 'cpm',
      currency: 'EUR',
    })
  })

  test('a caller without a key sees no price', async () => {
    const { world } = await anAuction()
    const { serveAd, allow } = await startServing(world)
    allow('serving:write')

    const fields = Object.keys((await serveAd()).json())

    expect(fields).toContain('adId')
    expect(fields.filter((field) => /price|charge|pricing|currency/i.test(field))).toEqual([])
  })

  test('without a candidate the answer is 204, and is recorded too', async () => {
    const { world } = await anAuction()
    const { serveAd, recorder } = await startServing(world)

    const response = await serveAd({ placementType: 'story' })

    expect(response.statusCode).toBe(204)
    expect(response.body).toBe('')
    expect(recorder.records).toMatchObject([
      { kind: 'auction', placementType: 'story', decision: { emptyReason: 'no-candidate' } },
    ])
  })

  test('an auction has the currency of its publisher, whether somebody wins or not', async () => {
    const { world, placement } = await anAuction()
    const { serveAd, recorder, allow } = await startServing(world)
    allow('serving:write')

    await serveAd({ placement: placement.slug, floor: 9 }, KEY)
    await serveAd({ placementType: 'feed' })
    await serveAd({ placementType: 'story' })

    const recorded = recorder.records.map(({ currency, decision }) => [
      decision.winners.length,
      currency,
    ])
    expect(recorded).toEqual([
      [0, 'EUR'],
      [1, 'EUR'],
      [0, 'EUR'],
    ])
  })

  test('a floor in a request counts only from a key of the seller with serving:write', async () => {
    const { world, placement } = await anAuction()
    const { serveAd, allow, comeFrom, metrics } = await startServing(world)
    const asks = async (floor: number, headers = {}) =>
      (await serveAd({ placement: placement.slug, floor }, headers)).statusCode

    expect(await asks(9)).toBe(200)
    allow('campaigns:write')
    comeFrom(world.seller)
    expect(await asks(9, keyCalled('plk_reads'))).toBe(200)
    allow('serving:write')
    comeFrom(world.buyer)
    expect(await asks(9, keyCalled('plk_buys'))).toBe(200)
    expect(await metrics.metrics()).toContain('placard_decisions_floors_ignored_total 3')

    comeFrom(world.seller)
    expect(await asks(4.99, keyCalled('plk_sells'))).toBe(200)
    expect(await asks(5.01, keyCalled('plk_sells'))).toBe(204)
  })

  test('the seller’s keys see prices, a buyer’s keys do not', async () => {
    const { world, placement } = await anAuction()
    const { serveAd, allow, comeFrom } = await startServing(world)
    const pricesFor = async (account: { id: bigint; kind: string }) => {
      comeFrom(account)
      const answer = await serveAd({ placement: placement.slug }, keyCalled(`plk_${account.id}`))
      return Object.keys(answer.json<object>()).filter((field) => /price|charge/i.test(field))
    }
    allow('campaigns:write')

    expect(await pricesFor(world.buyer)).toEqual([])
    expect(await pricesFor(world.seller)).toHaveLength(4)
    expect(await pricesFor({ id: 1n, kind: 'platform' })).toHaveLength(4)
  })

  test('an unknown placement is named in a problem', async () => {
    const { world } = await anAuction()
    const { serveAd } = await startServing(world)

    const response = await serveAd({ placement: 'nowhere' })

    expect(response.statusCode).toBe(404)
    expect(response.json()).toMatchObject({ code: 'PLACEMENT_NOT_FOUND' })
  })

  test('an answer is never cacheable, and any origin may ask for it', async () => {
    const { world } = await anAuction()
    const { serveAd } = await startServing(world)

    const { headers } = await serveAd({}, { origin: 'https://shop.example' })

    expect(headers).toMatchObject({
      'cache-control': 'no-store',
      'access-control-allow-origin': 'https://shop.example',
    })
  })

  test('a paused campaign is gone from the next answer', async () => {
    const { world, best, second } = await anAuction()
    const { serveAd, untilApplied } = await startServing(world)
    expect((await serveAd()).json().adId).toBe(best.ad.publicId)

    await world.pool.query(`update campaigns set status = 'paused' where id = $1`, [
      best.campaign.id,
    ])
    await untilApplied()

    expect((await serveAd()).json().adId).toBe(second.ad.publicId)
  })

  test('when a budget refuses the winner, the next best wins', async () => {
    const { world, best, second } = await anAuction()
    const { serveAd, budgets } = await startServing(world)
    budgets.refusing.add(Number(best.campaign.id))

    const { json } = await serveAd()

    expect(json().adId).toBe(second.ad.publicId)
    expect([...budgets.heldMicros.keys()]).toEqual([Number(second.campaign.id)])
  })

  test('a decision is recorded with its seed, the index version and the bids it scored', async () => {
    const { world, best } = await anAuction()
    const { serveAd, recorder } = await startServing(world)

    const { json } = await serveAd({ userId: 'u1' })

    expect(recorder.records).toMatchObject([
      {
        decisionId: json().decisionId,
        kind: 'auction',
        userKey: 'u1',
        seed: expect.any(Number),
        decision: { bidCount: 2, winners: [{ key: Number(best.ad.id) }] },
      },
    ])
  })

  test('unknown fields are ignored and counted', async () => {
    const { world } = await anAuction()
    const { serveAd, metrics } = await startServing(world)

    const response = await serveAd({ tagVersion: 9, consent: { storage: true, purpose: 'all' } })

    expect(response.statusCode).toBe(200)
    const counted = await metrics.getSingleMetricAsString('placard_unknown_fields_total')
    expect(counted).toContain('{route="/api/v1/ads/serve"} 2')
  })

  test('a known field of the wrong type is refused', async () => {
    const { world } = await anAuction()
    const { serveAd } = await startServing(world)

    const response = await serveAd({ placementType: 7 })

    expect(response.json()).toMatchObject({
      code: 'INVALID_REQUEST',
      faults: [{ path: 'body/placementType', message: 'must be string' }],
    })
  })

  test('context is believed only from a key that may speak for its readers', async () => {
    const { world, best } = await anAuction()
    await world.pool.query(
      `insert into campaign_targeting_rules (public_id, account_id, campaign_id, rule_type, operator,
         value, created_at, updated_at)
       values (gen_random_uuid(), $1, $2, 'country', 'in', '{"values":["DE"]}', now(), now())`,
      [world.buyer.id, best.campaign.id],
    )
    const { serveAd, allow } = await startServing(world)
    const request = { userContext: { country: 'DE' } }

    const browser = await serveAd(request)
    allow('campaigns:write')
    const other = await serveAd(request, { 'x-api-key': 'of another' })
    allow('serving:write')
    const service = await serveAd(request, KEY)

    const isBest = [browser, other, service].map(({ json }) => json().adId === best.ad.publicId)
    expect(isBest).toEqual([false, false, true])
  })

  test('with serving switched off there is no ad, and nothing is recorded', async () => {
    const { world } = await anAuction()
    const { serveAd, serveSlug, recorder, untilApplied } = await startServing(world)

    await world.pool.query(
      `insert into switches (name, is_on, updated_at) values ('decisions.serving', false, now())`,
    )
    await untilApplied()

    expect((await serveAd()).statusCode).toBe(204)
    expect((await serveSlug()).json()).toMatchObject({ banners: [] })
    expect(recorder.records).toEqual([])
  })

  test('public routes have no rate limit per caller', async () => {
    const { world } = await anAuction()
    const { serveAd } = await startServing(world)

    const answers = await Promise.all(Array.from({ length: 5 }, () => serveAd()))

    expect(answers.map(({ statusCode }) => statusCode)).toEqual([200, 200, 200, 200, 200])
  })
})

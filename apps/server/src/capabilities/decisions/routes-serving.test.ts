import { describe, expect, test } from 'vitest'
import { aServingWorld, startServing } from '../../testing/serving-world.ts'

const KEY = { 'x-api-key': 'a key' }

describe('POST /ads/serve', () => {
  test('ServeAd_ShouldReturnServedAdPayload', async () => {
    const world = await aServingWorld()
    const placement = await world.addPlacement({ type: 'feed', mode: 'auction' })
    const { ad, campaign } = await world.addBidder(placement, 5_000_000n)
    await world.addBidder(placement, 4_000_000n)
    const { serveAd, allow } = await startServing(world)
    allow('decisions:read')

    const response = await serveAd({ userId: 'u1', placementType: 'feed' }, KEY)

    expect(response.statusCode).toBe(200)
    expect(response.json()).toMatchObject({
      adId: ad.publicId,
      campaignId: campaign.publicId,
      adFormat: 'single_image',
      creativeUrl: 'https://cdn.example/red.png',
      servedAt: '2026-06-15T12:00:00.000Z',
    })
    expect(response.json().finalPrice).toBeGreaterThan(0)
  })
})

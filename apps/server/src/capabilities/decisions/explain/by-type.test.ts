import { micros } from '@placard/money'
import { expect, test } from 'vitest'
import { aServingWorld } from '../../../testing/worlds/serving-world.ts'
import { startWhole } from '../../../testing/worlds/whole-world.ts'

/** Two placements of a publisher; of two ads one misses the floor of its placement. */
async function aFeed() {
  const world = await aServingWorld()
  const placement = (slug: string, floor: bigint) =>
    world.addPlacement({ slug, type: 'feed', mode: 'auction', floorMicros: micros(floor) })
  const dear = await placement('dear', 8_000_000n)
  const cheap = await placement('cheap', 2_000_000n)
  const poor = await world.addBidder(dear, 7_000_000n, { name: 'Poor' })
  const winner = await world.addBidder(cheap, 3_000_000n, { name: 'Winner' })
  const whole = await startWhole(world)
  return { world, whole, cheap, poor, winner }
}

test('why: by type the answer names the placement, and each ad the one for which it came furthest', async () => {
  const { whole, poor } = await aFeed()

  const explained = await whole.adminPost('/api/v1/admin/decisions/explain', {
    placementType: 'feed',
    adId: poor.ad.publicId,
  })

  expect(explained).toMatchObject({
    placement: 'cheap',
    floorMicros: '2000000',
    candidates: [
      { campaign: { name: 'Winner' }, reason: 'won', placement: 'cheap' },
      { campaign: { name: 'Poor' }, reason: 'below-floor', placement: 'dear' },
    ],
    requirements: { effectiveBidMicrosNeeded: '8000000' },
  })
  expect(explained['text']).toEqual(
    expect.arrayContaining([
      expect.stringContaining('campaign "Poor", for placement dear, was not shown'),
      expect.stringContaining('is shown on placement cheap.'),
    ]),
  )
})

test('a recorded decision by type is asked again by type, of the same publisher and with its own floor', async () => {
  const { world, whole, cheap, winner } = await aFeed()
  const herald = await world.addPublisher({ name: 'Herald' })
  await whole.serveAd({ placementType: 'feed' })
  await whole.serveAd({ placementType: 'story' })
  const recorded = async () =>
    (await whole.admin('/auctions'))['items'] as { id: string; winningAdId: string | null }[]
  await expect.poll(recorded, { timeout: 20_000 }).toHaveLength(2)
  const items = await recorded()
  const won = items.find(({ winningAdId }) => winningAdId === winner.ad.publicId)!
  const empty = items.find(({ winningAdId }) => winningAdId === null)!
  // Another default changes nothing about what the request stood for.
  await world.pool.query('update publishers set is_default = id = $1', [herald.id])

  expect(won).toMatchObject({ placementId: cheap.publicId, currency: 'EUR' })
  expect(empty).toMatchObject({ placementId: null, currency: 'EUR' })
  expect(await whole.admin(`/decisions/${won.id}/explain`)).toMatchObject({
    recorded: { placement: 'cheap', winners: [{ charge: 2 }] },
    today: { placement: 'cheap' },
    differences: [],
  })
  expect(await whole.admin(`/decisions/${empty.id}/explain`)).toMatchObject({ differences: [] })
  expect(await whole.admin('/auctions/statistics')).toMatchObject({
    totalAuctions: 2,
    currencies: [{ currency: 'EUR', totalAuctions: 2, averageWinRate: 50 }],
  })
})

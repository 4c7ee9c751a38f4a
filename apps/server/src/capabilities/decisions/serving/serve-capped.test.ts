import { describe, expect, test } from 'vitest'
import {
  aServingWorld,
  startServing,
  type ServingWorld,
} from '../../../testing/worlds/serving-world.ts'
import { distantCounters, plainCounters } from './testing-ports.ts'

/** Two ads compete for a feed placement; the first bids more. */
async function anAuction() {
  const world = await aServingWorld()
  const placement = await world.addPlacement({ type: 'feed', mode: 'auction' })
  const best = await world.addBidder(placement, 5_000_000n)
  const second = await world.addBidder(placement, 4_000_000n)
  return { world, placement, best, second }
}

const addCap = ({ pool, buyer }: ServingWorld, ad: { id: bigint }, max = 1) =>
  pool.query(
    `insert into frequency_caps (public_id, account_id, ad_id, max_impressions_per_user, "window",
       created_at, updated_at)
     values (gen_random_uuid(), $1, $2, $3, 'Day', now(), now())`,
    [buyer.id, ad.id, max],
  )

const distant = () => distantCounters(plainCounters())

describe('frequency', () => {
  test.each([
    { where: 'in the process', counters: plainCounters },
    { where: 'on another machine', counters: distant },
  ])('a cap of 1 under 50 parallel requests gives one ad: counters $where', async (setting) => {
    const world = await aServingWorld()
    const placement = await world.addPlacement({ type: 'feed', mode: 'auction' })
    const { ad, campaign } = await world.addBidder(placement, 5_000_000n)
    await addCap(world, ad)
    const counters = setting.counters()
    const { serveAd, budgets } = await startServing(world, { ports: { counters } })

    const answers = await Promise.all(Array.from({ length: 50 }, () => serveAd({ userId: 'u1' })))

    expect(answers.filter(({ statusCode }) => statusCode === 200)).toHaveLength(1)
    expect(counters.counts.get(`u1 ad ${ad.id} Day`)).toBe(1)
    expect(budgets.heldMicros.get(Number(campaign.id))).toBe(10)
  })

  test('when Redis refuses the winner after the decision, the next best is shown', async () => {
    const { world, best, second } = await anAuction()
    await addCap(world, best.ad)
    const counters = distantCounters(plainCounters())
    const { serveAd, budgets } = await startServing(world, { ports: { counters } })

    const answers = await Promise.all([serveAd({ userId: 'u1' }), serveAd({ userId: 'u1' })])

    const ads = answers.map(({ json }) => json().adId)
    expect(new Set(ads)).toEqual(new Set([best.ad.publicId, second.ad.publicId]))
    expect(budgets.heldMicros.get(Number(best.campaign.id))).toBeGreaterThan(0)
  })

  test('a cap limits the user who reached it, and no unknown user', async () => {
    const { world, best, second } = await anAuction()
    await addCap(world, best.ad)
    const { serveAd } = await startServing(world)
    const adFor = async (request: object) => (await serveAd(request)).json().adId

    expect(await adFor({ userId: 'u1' })).toBe(best.ad.publicId)
    expect(await adFor({ userId: 'u1' })).toBe(second.ad.publicId)
    expect(await adFor({ userId: 'u2' })).toBe(best.ad.publicId)
    expect(await adFor({})).toBe(best.ad.publicId)
  })
})

test('when Redis refuses every winner there is no ad, and nothing stays held', async () => {
  const { world, best, second } = await anAuction()
  await addCap(world, best.ad)
  await addCap(world, second.ad)
  const near = plainCounters()
  const counters = {
    ...near,
    read: async () => ({ seen: () => 0, hold: async () => undefined }),
  }
  const { serveAd, budgets } = await startServing(world, { ports: { counters } })

  expect((await serveAd({ userId: 'u1' })).statusCode).toBe(204)
  expect([...budgets.heldMicros.values()]).toEqual([0, 0])
})

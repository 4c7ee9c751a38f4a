import { micros } from '@placard/money'
import { describe, expect, test } from 'vitest'
import { addAccount } from '../../../testing/world.ts'
import {
  aServingWorld,
  newRow,
  startServing,
  type ServingWorld,
} from '../../../testing/worlds/serving-world.ts'

const FEED = { type: 'feed', mode: 'auction' } as const

/** Trusted callers are cached for seconds by their key, so each gets its own. */
const keyCalled = (name: string) => ({ 'x-api-key': name })

async function approve(
  { pool, seller, buyer }: ServingWorld,
  { site, ad }: { readonly site: { readonly id: bigint }; readonly ad: { readonly id: bigint } },
) {
  await pool.query(
    `insert into creative_approvals (public_id, account_id, banner_account_id, site_id, banner_id, status,
       created_at, updated_at)
     select gen_random_uuid(), $1, $2, $3, banner_id, 'approved', now(), now() from ads where id = $4`,
    [seller.id, buyer.id, site.id, ad.id],
  )
}

describe('POST /ads/serve with a type only', () => {
  test('an ad competes only with ads in its publisher’s currency, and pays no price of another', async () => {
    const world = await aServingWorld()
    const [dollars, yen] = [
      await world.addPublisher({ currency: 'USD' }),
      await world.addPublisher({ currency: 'JPY' }),
    ]
    const inDollars = await world.addPlacement({ ...FEED, slug: 'usd', publisherId: dollars.id })
    const inYen = await world.addPlacement({ ...FEED, slug: 'jpy', publisherId: yen.id })
    const american = await world.addAdvertiser({ name: 'US', currency: 'USD' })
    const japanese = await world.addAdvertiser({ name: 'JP', currency: 'JPY' })
    const best = await world.addBidder(inDollars, 1_000_000_000n, { advertiserId: american.id })
    const { campaign } = await world.addBidder(inYen, 950_000_000n, { advertiserId: japanese.id })
    // Linked to a placement that sells in dollars, its bid is still in yen.
    await world.addCampaignPlacement(campaign, inDollars)
    const { serveAd, allow, recorder } = await startServing(world)
    allow()

    const answer = await serveAd(
      { placementType: 'feed', publisher: dollars.publicId },
      keyCalled('a'),
    )

    expect(answer.json()).toMatchObject({
      adId: best.ad.publicId,
      placement: 'usd',
      charge: 0.01,
      currency: 'USD',
    })
    expect(recorder.records).toMatchObject([{ currency: 'USD', decision: { bidCount: 1 } }])
  })

  test('an ad that the site has not approved does not win, however much it bids', async () => {
    const world = await aServingWorld()
    const site = await world.addSite({ approvalRequired: true })
    const placement = await world.addPlacement(FEED)
    await world.addSlot(site, placement)
    await world.addBidder(placement, 9_000_000n)
    const known = await world.addBidder(placement, 3_000_000n)
    await approve(world, { site, ad: known.ad })
    const { serveAd } = await startServing(world)

    expect((await serveAd({ placementType: 'feed' })).json().adId).toBe(known.ad.publicId)
  })

  test('an ad whose advertiser or product the site blocks does not win', async () => {
    const world = await aServingWorld()
    const site = await world.addSite()
    const placement = await world.addPlacement(FEED)
    await world.addSlot(site, placement)
    const blocked = await world.addAdvertiser()
    await world.addBidder(placement, 9_000_000n, { advertiserId: blocked.id })
    await world.addBidder(placement, 8_000_000n, { adProductCategory: '1002' })
    const { ad } = await world.addBidder(placement, 3_000_000n)
    await world.pool.query(
      `insert into advertiser_site_blocks (advertiser_id, site_id, created_at) values ($1, $2, now())`,
      [blocked.id, site.id],
    )
    await world.pool.query(
      `insert into site_ad_product_blocks (site_id, ad_product_category, created_at) values ($1, '1002', now())`,
      [site.id],
    )
    const { serveAd } = await startServing(world)

    expect((await serveAd({ placementType: 'feed' })).json().adId).toBe(ad.publicId)
  })

  test('an ad of a placement that sells bookings only does not win', async () => {
    const world = await aServingWorld()
    const direct = await world.addPlacement({ ...FEED, slug: 'booked', mode: 'direct' })
    const open = await world.addPlacement({ ...FEED, slug: 'open' })
    await world.addBidder(direct, 9_000_000n)
    const { ad } = await world.addBidder(open, 3_000_000n)
    const { serveAd } = await startServing(world)

    expect((await serveAd({ placementType: 'feed' })).json()).toMatchObject({
      adId: ad.publicId,
      placement: 'open',
    })
  })

  test('each placement has its own floor, and the answer, its links and its record name the placement', async () => {
    const world = await aServingWorld()
    const site = await world.addSite()
    const dear = await world.addPlacement({
      ...FEED,
      slug: 'dear',
      floorMicros: micros(8_000_000n),
    })
    const cheap = await world.addPlacement({
      ...FEED,
      slug: 'cheap',
      floorMicros: micros(2_000_000n),
    })
    await world.addSlot(site, cheap)
    await world.addBidder(dear, 7_000_000n)
    const { ad } = await world.addBidder(cheap, 3_000_000n)
    const { serveAd, allow, recorder } = await startServing(world)
    allow()

    const answer = await serveAd({ placementType: 'feed' }, keyCalled('a'))

    expect(answer.json()).toMatchObject({ adId: ad.publicId, placement: 'cheap', charge: 2 })
    expect(recorder.records).toMatchObject([
      {
        placementKey: Number(cheap.id),
        siteKey: Number(site.id),
        placementType: 'feed',
        asked: { publisherKey: Number(world.publisher.id) },
        decision: { floorMicros: 2_000_000 },
      },
    ])
  })

  test('by slug the answer names the placement too, whose ad it may share with another', async () => {
    const world = await aServingWorld()
    const [first, second] = [
      await world.addPlacement({ ...FEED, slug: 'first' }),
      await world.addPlacement({ ...FEED, slug: 'second' }),
    ]
    const { campaign } = await world.addBidder(first, 3_000_000n)
    await world.addCampaignPlacement(campaign, second)
    const { serveAd } = await startServing(world)

    const named = [
      (await serveAd({ placement: 'first' })).json().placement,
      (await serveAd({ placement: 'second' })).json().placement,
    ]

    expect(named).toEqual(['first', 'second'])
  })

  test('the seed’s bare request, unknown types and no type at all go on working', async () => {
    const world = await aServingWorld()
    const placement = await world.addPlacement(FEED)
    await world.addBidder(placement, 3_000_000n)
    const { serveAd } = await startServing(world)
    const statusOf = async (body: object) => (await serveAd(body)).statusCode

    expect(
      await statusOf({ userId: '7d444840-9dc0-11d1-b245-5ffdce74fad2', placementType: 'feed' }),
    ).toBe(200)
    expect(await statusOf({})).toBe(200)
    expect(await statusOf({ placementType: 'carousel' })).toBe(204)
    expect(await statusOf({ placementType: 'carousel', publisher: world.publisher.publicId })).toBe(
      204,
    )
  })
})

describe('whose placements a request by type stands for', () => {
  /** Two publishers with a feed and an ad each; the first is of the world’s seller. */
  async function twoPublishers() {
    const world = await aServingWorld()
    const { deps, db } = world
    const otherSeller = await addAccount(deps, 'publisher')
    const herald = await world.addPublisher(newRow(deps, otherSeller))
    const ours = await world.addPlacement({ ...FEED, slug: 'gazette' })
    const theirs = await world.addPlacement({ ...FEED, slug: 'herald', publisherId: herald.id })
    await world.addBidder(ours, 3_000_000n)
    await world.addBidder(theirs, 9_000_000n)
    const serving = await startServing(world)
    const placementOf = async (body: object, headers = {}) => {
      const answer = await serving.serveAd({ placementType: 'feed', ...body }, headers)
      return answer.statusCode === 200 ? answer.json<{ placement: string }>().placement : undefined
    }
    return { world, db, herald, otherSeller, serving, placementOf }
  }

  test('of nobody in particular: the first made, until ad operations choose another', async () => {
    const { world, herald, serving, placementOf } = await twoPublishers()
    expect(await placementOf({})).toBe('gazette')

    await world.pool.query('update publishers set is_default = id = $1', [herald.id])
    await serving.untilApplied()
    expect(await placementOf({})).toBe('herald')

    await world.pool.query('update publishers set deleted_at = now() where id = $1', [herald.id])
    await serving.untilApplied()
    expect(await placementOf({})).toBe('gazette')
  })

  test('the publisher that the request names, in any spelling of its id', async () => {
    const { herald, placementOf } = await twoPublishers()

    expect(await placementOf({ publisher: herald.publicId })).toBe('herald')
    expect(await placementOf({ publisher: herald.publicId.toUpperCase() })).toBe('herald')
  })

  test('the caller’s own, whoever else it names; of several its own one that it names', async () => {
    const { world, herald, otherSeller, serving, placementOf } = await twoPublishers()
    const second = await world.addPublisher({ ...newRow(world.deps, otherSeller), name: 'Evening' })
    const evening = await world.addPlacement({ ...FEED, slug: 'evening', publisherId: second.id })
    await world.addBidder(evening, 1_000_000n)
    await serving.untilApplied()
    serving.allow('serving:write')
    serving.comeFrom(otherSeller)

    expect(await placementOf({}, keyCalled('theirs'))).toBe('herald')
    expect(await placementOf({ publisher: world.publisher.publicId }, keyCalled('theirs'))).toBe(
      'herald',
    )
    expect(await placementOf({ publisher: second.publicId }, keyCalled('theirs'))).toBe('evening')
    expect(await placementOf({ publisher: herald.publicId }, keyCalled('theirs'))).toBe('herald')

    serving.comeFrom(world.buyer)
    expect(await placementOf({}, keyCalled('a buyer’s'))).toBe('gazette')
  })

  test('only for its own placements a seller sees prices and sets a floor', async () => {
    const { world, herald, otherSeller, serving } = await twoPublishers()
    serving.allow('serving:write')
    serving.comeFrom(otherSeller)
    const asks = (body: object, name: string) =>
      serving.serveAd({ placementType: 'feed', ...body }, keyCalled(name))

    expect((await asks({ floor: 8.99 }, 'theirs')).json()).toMatchObject({ charge: 8.99 })
    expect((await asks({ floor: 9.01 }, 'theirs')).statusCode).toBe(204)

    serving.comeFrom(world.buyer)
    const answer = await asks({ floor: 9.01, publisher: herald.publicId }, 'a buyer’s')
    expect(answer.statusCode).toBe(200)
    expect(answer.json()).not.toHaveProperty('charge')
  })

  test('a publisher that does not exist is named in a problem', async () => {
    const { serving } = await twoPublishers()

    const answer = await serving.serveAd({ publisher: '01990000-0000-7000-8000-00000000dead' })

    expect(answer.statusCode).toBe(404)
    expect(answer.json()).toMatchObject({ code: 'PUBLISHER_NOT_FOUND' })
  })

  test('while nobody sells there is no ad, and no error', async () => {
    const { world, serving } = await twoPublishers()
    await world.pool.query('update publishers set deleted_at = now()')
    await serving.untilApplied()

    expect((await serving.serveAd({ placementType: 'feed' })).statusCode).toBe(204)
  })
})

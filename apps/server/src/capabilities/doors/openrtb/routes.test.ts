import { micros } from '@placard/money'
import { describe, expect, test } from 'vitest'
import { aMarket, anImp, aRequest, bidsOf, KEY, openDoor, PAGE } from './testing-market.ts'

describe('POST /openrtb2/auction', () => {
  test('the best ad bids its charge, with everything that Prebid needs to show and count it', async () => {
    const market = await aMarket()
    const { bid, recorder } = await openDoor(market)

    const { status, headers, body } = await bid(
      aRequest({ ext: { prebid: { passthrough: { a: 1 } } } }),
    )

    expect(status).toBe(200)
    expect(headers).toMatchObject({
      'x-openrtb-version': '2.6',
      'cache-control': 'no-store',
      'access-control-allow-origin': PAGE.origin,
      'access-control-allow-credentials': 'true',
    })
    const { best } = market
    expect(body).toMatchObject({
      id: 'r-1',
      cur: 'EUR',
      ext: {
        prebid: { passthrough: { a: 1 } },
        responsetimemillis: { placard: expect.any(Number) },
      },
      seatbid: [
        {
          seat: 'placard',
          bid: [
            {
              impid: 'div-1',
              price: 2.01,
              adid: best.ad.publicId,
              crid: best.banner.publicId,
              cid: best.campaign.publicId,
              adomain: ['northwind.example'],
              w: 300,
              h: 250,
              mtype: 1,
              exp: 30,
              ext: { prebid: { type: 'banner' } },
            },
          ],
        },
      ],
    })
    const [given] = body.seatbid[0].bid
    const token = /\/t\/i\/([\w-]+)/.exec(given.adm)?.[1]
    expect(given.burl).toMatch(new RegExp(`/t/b/${token}$`))
    expect(given).not.toHaveProperty('nurl')
    expect(given).not.toHaveProperty('lurl')
    expect(given.id).toBe(body.bidid)
    expect(recorder.records).toMatchObject([
      { decisionId: given.id, kind: 'openrtb', asked: { place: 'div-1' } },
    ])
  })

  test('a floor is met or nothing bids; one in another currency cannot be compared', async () => {
    const { bid, budgets } = await openDoor(await aMarket())
    const withFloor = async (bidfloor: number, bidfloorcur?: string) =>
      (await bid(aRequest({ imp: [anImp({ bidfloor, ...(bidfloorcur && { bidfloorcur }) })] })))
        .body

    const higher = await withFloor(3, 'EUR')
    const held = [...budgets.heldMicros.values()]
    const [above, dollars, defaulted] = [
      await withFloor(4.5, 'EUR'),
      await withFloor(1, 'USD'),
      await withFloor(1),
    ]

    expect(bidsOf(higher)).toMatchObject([{ price: 3 }])
    expect(held).toEqual([3_000])
    expect([above, dollars, defaulted].map(({ nbr, seatbid }) => [nbr, seatbid])).toEqual([
      [0, []],
      [503, []],
      [503, []],
    ])
    expect([...budgets.heldMicros.values()]).toEqual(held)
  })

  test('the size that a page asks for is judged before the auction, so that the next best bids', async () => {
    const market = await aMarket()
    const wide = await market.addBidder(1_000_000n, { width: 728, height: 90 })
    const { bid } = await openDoor(market)
    const imp = anImp({ banner: { format: [{ w: 728, h: 90 }] } })

    const { body } = await bid(aRequest({ imp: [imp] }))

    expect(bidsOf(body)).toMatchObject([{ crid: wide.banner.publicId, w: 728, h: 90 }])
  })

  test('blocked advertisers and categories leave the bid to the next best', async () => {
    const market = await aMarket()
    const own = { width: 300, height: 250, ctaUrl: 'https://shop.southwind.example/' }
    const other = await market.addBidder(1_000_000n, own)
    const beer = await market.addBidder(9_000_000n, { ...own, adProductCategory: '1002' })
    const { bid } = await openDoor(market)
    const winnerOf = async (more: object) =>
      bidsOf((await bid(aRequest(more))).body).map((one) => ('crid' in one ? one.crid : undefined))

    expect(await winnerOf({})).toEqual([beer.banner.publicId])
    expect(await winnerOf({ bcat: ['IAB8-5'], badv: ['northwind.example'] })).toEqual([
      other.banner.publicId,
    ])
    expect(await winnerOf({ bcat: ['1002'], cattax: 8 })).toEqual([market.best.banner.publicId])
    expect(await winnerOf({ badv: ['southwind.example', 'northwind.example'] })).toEqual([])
  })

  test('a placement is found by every name that Prebid and exchanges use, and answers under its seat', async () => {
    const { bid } = await openDoor(await aMarket())
    const none = { tagid: undefined }
    const places = [
      { ...none, ext: { prebid: { bidder: { house: { placement: 'home-top' } } } } },
      { ...none, ext: { bidder: { placement: 'home-top' } } },
      { ...none, ext: { prebid: { storedrequest: { id: 'home-top' } } } },
      { tagid: 'home-top' },
      { ...none, ext: { gpid: 'home-top' } },
      { ...none, ext: { data: { pbadslot: 'home-top' } } },
      { ...none, ext: { prebid: { adunitcode: 'home-top' } } },
      { ...none, id: 'home-top' },
    ]

    const answers = await Promise.all(
      places.map(async (place) => (await bid(aRequest({ imp: [anImp(place)] }))).body),
    )

    expect(answers.map(({ seatbid }) => seatbid[0]?.seat)).toEqual([
      'house',
      ...Array.from({ length: 7 }, () => 'placard'),
    ])
  })

  test('an unknown placement is told and does not stop the other impressions', async () => {
    const { bid } = await openDoor(await aMarket())
    const lost = { ...anImp(), id: 'div-2', tagid: 'nowhere' }
    const ext = { prebid: { returnallbidstatus: true } }

    const { body } = await bid(aRequest({ imp: [lost, anImp()], ext }))

    expect(bidsOf(body)).toMatchObject([{ impid: 'div-1' }])
    expect(body.ext).toMatchObject({
      errors: { placard: [{ code: 200, message: 'No active placement has the slug "nowhere".' }] },
      seatnonbid: [{ seat: 'placard', nonbid: [{ impid: 'div-2', statuscode: 200 }] }],
    })
  })

  test('the publisher of a request must own the placement; a foreign name needs a key that does', async () => {
    const market = await aMarket()
    const { world } = market
    const other = await world.addPublisher()
    const { bid, allow, comeFrom } = await openDoor(market)
    const from = async (id: string, headers: Record<string, string> = PAGE) =>
      (await bid(aRequest({ site: { publisher: { id } } }), headers)).body

    expect(bidsOf(await from(world.publisher.publicId))).toHaveLength(1)
    expect(await from(other.publicId)).toMatchObject({ nbr: 7, seatbid: [] })
    expect(await from('pub-123')).toMatchObject({ nbr: 7 })
    allow('serving:write')
    comeFrom(world.buyer)
    expect(await from('pub-123', { ...PAGE, 'x-api-key': 'another' })).toMatchObject({ nbr: 7 })
    comeFrom(world.seller)
    expect(bidsOf(await from('pub-123', { ...PAGE, ...KEY }))).toHaveLength(1)
  })

  test('a booking bids its rate under its contract, and a private auction admits only its deals', async () => {
    const market = await aMarket()
    const { world, placement } = market
    const booked = await world.addCampaign({
      maxBidMicros: micros(7_000_000n),
      contractRef: 'IO-31',
    })
    await world.addCampaignPlacement(booked, placement)
    const banner = await world.addBanner({ width: 300, height: 250 })
    await world.book({ campaign: booked, placement, banner })
    const { bid } = await openDoor(market)
    const withDeals = async (pmp: object) => (await bid(aRequest({ imp: [anImp({ pmp })] }))).body

    expect(bidsOf((await bid(aRequest())).body)).toMatchObject([{ price: 7, dealid: 'IO-31' }])
    expect(bidsOf(await withDeals({ private_auction: 1, deals: [{ id: 'IO-31' }] }))).toMatchObject(
      [{ price: 7, dealid: 'IO-31' }],
    )
    expect(bidsOf(await withDeals({ private_auction: 1, deals: [{ id: 'IO-99' }] }))).toEqual([])
    const expensive = { id: 'IO-31', bidfloor: 8, bidfloorcur: 'EUR' }
    expect(bidsOf(await withDeals({ private_auction: 1, deals: [expensive] }))).toEqual([])
    expect(bidsOf(await withDeals({ deals: [expensive] }))).toMatchObject([{ price: 2.01 }])
  })
})

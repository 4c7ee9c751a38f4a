import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { bookingDesk, type Desk } from '../testing.ts'

let desk: Desk
beforeAll(async () => {
  desk = await bookingDesk((stop) => afterAll(stop))
})

const MONEY = { maxBidMicros: '2000000', budgetDailyMicros: '50000000' }
const big = { recommendedWidth: 970, recommendedHeight: 250 }
const campaignOf = (fields: object = {}) => ({
  advertiserId: desk.advertiserId,
  name: 'Autumn',
  ...MONEY,
  ...fields,
})

describe('a draft', () => {
  test('keeps what is typed, refuses to overwrite another tab, and goes with its booking', async () => {
    const { buyer } = desk
    const form = { name: 'Win', budgetDaily: '12.', step: 'budget' }
    const kept = await buyer.send('POST', '/campaign-drafts', { form })
    const at = `/campaign-drafts/${kept.id}`
    const saved = await buyer.send('PUT', at, { form: { ...form, name: 'Winter' } })
    const stale = await buyer.sendWith({ 'if-match': '"1"' })('PUT', at, { form })

    expect(saved).toMatchObject({ http: 200, version: 2, form: { name: 'Winter' } })
    expect(stale).toMatchObject({ http: 412 })
    const list = await buyer.send('GET', '/campaign-drafts')
    expect(list.items).toMatchObject([{ id: kept.id, savedBy: 'The advertiser' }])

    const body = { campaign: campaignOf({ name: 'Winter' }), draftId: kept.id }
    expect(await buyer.send('POST', '/campaigns/book', body)).toMatchObject({ http: 201 })
    expect(await buyer.send('POST', '/campaigns/book', body)).toMatchObject({
      http: 404,
      code: 'CAMPAIGN_DRAFT_NOT_FOUND',
    })
    expect(await buyer.send('GET', at)).toMatchObject({ http: 404 })
  })

  test('is seen by its own account only', async () => {
    const { id } = await desk.buyer.send('POST', '/campaign-drafts', { form: { name: 'Mine' } })
    const stranger = await desk.personOf('advertiser')
    const at = `/campaign-drafts/${id}`

    expect(await stranger.send('GET', at)).toMatchObject({ http: 404 })
    expect(await stranger.send('PUT', at, { form: {} })).toMatchObject({ http: 404 })
    expect(await stranger.send('DELETE', at)).toMatchObject({ http: 404 })
    expect((await stranger.send('GET', '/campaign-drafts')).items).toEqual([])
    const body = { campaign: { advertiserId: desk.advertiserId, name: 'X' }, draftId: id }
    expect(await stranger.send('POST', '/campaigns/book', body)).toMatchObject({ http: 404 })
    expect(await desk.buyer.send('DELETE', at)).toMatchObject({ http: 204 })
  })
})

describe('a buyer alone', () => {
  test('sees and books the placements that publishers offer to all, and no other', async () => {
    const offered = await desk.addPlacement('offer-yes', { ...big, isOffered: true })
    const closed = await desk.addPlacement('offer-no', big)
    const direct = { ...big, isOffered: true, mode: 'direct' }
    const booked = await desk.addPlacement('offer-direct', direct)
    const bannerId = await desk.addBanner('Alone')
    const { buyer, seller } = desk
    const search = '/bookable-placements?search=offer'
    const labels = async (person: typeof buyer) =>
      (await person.send('GET', search)).items.map(({ label }) => label)

    expect(await labels(buyer)).toEqual(['offer-yes'])
    expect(await labels(seller)).toEqual(['offer-direct', 'offer-no', 'offer-yes'])
    expect((await buyer.send('GET', search)).items).toMatchObject([
      { siteDomain: 'gazette.example', width: 970, height: 250, floorMicros: '0', cpmMicros: null },
    ])
    const book = (placementId: string, more: object = {}) =>
      buyer.send('POST', '/campaigns/book', {
        campaign: campaignOf(),
        ads: [{ bannerId }],
        placements: [{ placementId, ...more }],
      })
    expect(await book(offered)).toMatchObject({ http: 201 })
    for (const refused of [
      await book(closed),
      await book(booked),
      await book(offered, { bannerIds: [bannerId] }),
    ]) {
      expect(refused).toMatchObject({ http: 400, code: 'BOOKING_REFUSED' })
    }
  })

  test('adds and leaves offered placements of a campaign, but nothing that was booked for it directly', async () => {
    const offered = await desk.addPlacement('own-yes', { ...big, isOffered: true })
    const closed = await desk.addPlacement('own-no', big)
    const { buyer } = desk
    const { id } = await buyer.send('POST', '/campaigns/book', { campaign: campaignOf() })
    const at = (placementId: string) => `/campaigns/${id}/offered-placements/${placementId}`

    expect(await buyer.send('PUT', at(offered))).toMatchObject({ http: 200, isActive: true })
    expect(await buyer.send('PUT', at(offered))).toMatchObject({ http: 200, version: 1 })
    expect(await buyer.send('PUT', at(closed))).toMatchObject({
      http: 403,
      code: 'PLACEMENT_NOT_OFFERED',
    })
    expect(await buyer.send('DELETE', at(offered))).toMatchObject({ http: 204 })
    expect(await buyer.send('DELETE', at(offered))).toMatchObject({ http: 404 })
  })

  test('asks ad operations for other placements, who get it as a proposal', async () => {
    const { buyer, seller } = desk
    const wishes = 'The top of the home page, in May'
    const campaign = campaignOf({ name: 'Wishful', placementWishes: wishes })
    const { id } = await buyer.send('POST', '/campaigns/book', { campaign })
    const { items } = await seller.send('GET', `/proposals?status=pending&entityId=${id}`)

    expect(items).toMatchObject([
      { entityName: 'Wishful', changes: { placementWishes: { from: null, to: wishes } } },
    ])
    await seller.send('POST', `/proposals/${items[0]!.id}/accept`)
    expect(await buyer.send('GET', `/campaigns/${id}`)).toMatchObject({ placementWishes: wishes })
  })
})

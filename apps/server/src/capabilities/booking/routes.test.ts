import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { campaigns } from '../campaigns/tables.ts'
import { bookingDesk, type Desk } from './testing.ts'

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

interface Checked {
  readonly faults: readonly { path: string; severity: string; code: string; message: string }[]
  readonly pairs: readonly { state: string; reasons: readonly { code: string }[] }[]
}
const check = async (body: object, person = desk.seller) =>
  (await person.send('POST', '/campaigns/check', body)) as unknown as Checked & { http: number }
const codes = ({ faults }: Checked) => faults.map(({ path, code }) => `${path} ${code}`)

describe('a check', () => {
  test('finds nothing wrong with a campaign that can run, and writes nothing', async () => {
    const placementId = await desk.addPlacement('check-good', big)
    const bannerId = await desk.addBanner('Good')
    const before = await desk.deps.db.$count(campaigns)

    const checked = await check({
      campaign: campaignOf(),
      targetingRules: [{ ruleType: 'country', operator: 'in', value: { values: ['DE'] } }],
      frequencyCaps: [{ maxImpressionsPerUser: 3 }],
      ads: [{ bannerId }],
      placements: [{ placementId }],
    })

    expect(checked).toMatchObject({
      http: 200,
      faults: [],
      pairs: [{ bannerId, placementId, state: 'fits', reasons: [] }],
    })
    expect(await desk.deps.db.$count(campaigns)).toBe(before)
  })

  test('names what is still missing, as far as the form has come', async () => {
    expect(codes(await check({ campaign: {} }))).toEqual([
      'campaign/advertiserId MISSING',
      'campaign/name MISSING',
    ])
    const { advertiserId } = desk
    expect(codes(await check({ campaign: { advertiserId } }))).toEqual([
      'campaign/name MISSING',
      'campaign/maxBidMicros CAMPAIGN_MAX_BID_REQUIRED',
      'ads MISSING',
      'placements MISSING',
      'campaign/budgetDailyMicros NO_BUDGET',
    ])
  })

  test('asks the rules of every part and collects all refusals with their fields', async () => {
    const ended = { startsAt: '2020-01-01T00:00:00Z', endsAt: '2020-02-01T00:00:00Z' }
    const stranger = await desk.personOf('advertiser')
    const other = { accountId: stranger.account.publicId, name: 'Other', currency: 'EUR' }
    const { id: advertiserId } = await stranger.send('POST', '/advertisers', other)
    const picture = { title: 'X', primaryImageUrl: 'https://cdn.example/a.png', advertiserId }
    const { id: foreignBanner } = await stranger.send('POST', '/banners', picture)

    const checked = await check({
      campaign: campaignOf(ended),
      targetingRules: [{ ruleType: 'country', operator: 'between', value: { values: ['DE'] } }],
      ads: [{ bannerId: foreignBanner }, { bannerId: foreignBanner, bidMicros: '9000000' }],
    })

    expect(codes(checked)).toEqual([
      'ads/0 BANNER_OF_ANOTHER_ADVERTISER',
      'ads/1 BANNER_OF_ANOTHER_ADVERTISER',
      'targetingRules/0 TARGETING_RULE_INVALID_OPERATOR',
      'campaign/endsAt CAMPAIGN_INVALID_TRANSITION',
      'placements MISSING',
    ])
  })

  test('refuses values that could never be valid and rows that are not there, each with its place', async () => {
    const rule = { ruleType: 'country', operator: 'in', value: { values: ['DE', 'DEU'] } }
    const nowhere = desk.advertiserId
    const placements = [{ placementId: nowhere }]

    expect(
      await check({ campaign: campaignOf(), targetingRules: [rule], placements }),
    ).toMatchObject({
      http: 400,
      faults: [
        { path: 'body/targetingRules/0/value/values/1' },
        { path: 'body/placements/0', message: 'There is no such placement.' },
      ],
    })
  })

  test('says per placement why no creative is shown there, and what mends it', async () => {
    const small = await desk.addPlacement('check-small', {
      recommendedWidth: 300,
      recommendedHeight: 250,
      formats: ['video'],
    })
    const dear = await desk.addPlacement('check-dear', { ...big, floorMicros: '3500000' })
    const direct = await desk.addPlacement('check-direct', { ...big, mode: 'direct' })
    const bannerId = await desk.addBanner('Wide')
    const placements = [small, dear, direct].map((placementId) => ({ placementId }))

    const checked = await check({ campaign: campaignOf(), ads: [{ bannerId }], placements })

    expect(checked.faults).toMatchObject([
      {
        path: 'placements/0',
        severity: 'stuck',
        message:
          '“Wide” is 970 × 250, “check-small” takes 300 × 250. “check-small” takes video, “Wide” is single image.',
        mend: { path: 'placements/0', value: null },
      },
      {
        path: 'placements/1',
        message: '“check-dear” asks at least 3.50 EUR per 1,000 impressions. The bid is 2.00 EUR.',
        mend: { path: 'campaign/maxBidMicros', value: '3500000' },
      },
      { path: 'placements/2', code: 'other-mode' },
    ])
    expect(checked.pairs.map(({ reasons }) => reasons.map(({ code }) => code))).toEqual([
      ['size', 'format'],
      ['below-floor'],
      ['other-mode'],
    ])
    const mended = await check({
      campaign: campaignOf({ maxBidMicros: '3500000' }),
      ads: [{ bannerId }],
      placements: [{ placementId: dear }, { placementId: direct, bannerIds: [bannerId] }],
    })
    expect(mended.faults).toEqual([])
  })

  test('says that a site must approve first, until it has rejected the creative', async () => {
    const { publisher, siteId } = desk
    const placementId = await desk.addPlacement('check-approving', big)
    const bannerId = await desk.addBanner('Asked')
    const body = { campaign: campaignOf(), ads: [{ bannerId }], placements: [{ placementId }] }
    await publisher.send('PATCH', `/sites/${siteId}`, { approvalRequired: true })
    const waiting = await check(body)
    await desk.buyer.send('POST', '/creative-approvals', { bannerId, siteId })
    const { items } = await publisher.send('GET', '/creative-approvals')
    await publisher.send('POST', `/creative-approvals/${items[0]!.id}/reject`, { reason: 'No' })
    const rejected = await check(body)
    await publisher.send('PATCH', `/sites/${siteId}`, { approvalRequired: false })

    expect(waiting.faults).toMatchObject([{ path: 'placements/0', severity: 'waits' }])
    expect(rejected.faults).toMatchObject([
      { severity: 'stuck', message: 'gazette.example has rejected “Asked”.' },
    ])
  })

  test('names a creative that is odd among the others, and one whose click leads nowhere', async () => {
    const placementId = await desk.addPlacement('check-odd', big)
    const fits = await desk.addBanner('Fits', { ctaUrl: null })
    const odd = await desk.addBanner('Odd', { width: 300, height: 600 })
    const ads = [{ bannerId: fits }, { bannerId: odd }]

    const { faults } = await check({ campaign: campaignOf(), ads, placements: [{ placementId }] })

    expect(faults).toMatchObject([
      { path: 'ads/0', severity: 'advice', code: 'NO_LANDING_PAGE' },
      { path: 'ads/1', severity: 'stuck', mend: { path: 'ads/1', value: null } },
    ])
  })
})

describe('a booking', () => {
  test('creates the campaign with all its parts, and a repeat with its key creates nothing more', async () => {
    const placementId = await desk.addPlacement('book-good', big)
    const [one, two] = [await desk.addBanner('One'), await desk.addBanner('Two')]
    const body = {
      campaign: campaignOf({ name: 'Booked' }),
      targetingRules: [{ ruleType: 'device', operator: 'in', value: { values: ['mobile'] } }],
      frequencyCaps: [{ maxImpressionsPerUser: 3, window: 'Day' }],
      ads: [
        { bannerId: one, name: 'First' },
        { bannerId: two, bidMicros: '1000000', adSet: 'Others' },
      ],
      placements: [{ placementId }],
      starts: true,
    }
    const send = desk.seller.sendWith({ 'idempotency-key': 'book-once' })
    const booked = await send('POST', '/campaigns/book', body)
    const again = await send('POST', '/campaigns/book', body)

    expect(booked).toMatchObject({ http: 201, status: 'active', name: 'Booked' })
    expect(again.id).toBe(booked.id)
    const list = async (url: string) => (await desk.buyer.send('GET', url)).items
    expect(await list(`/ads?campaignId=${booked.id}`)).toMatchObject([
      { name: 'Booked 2', bidMicros: '1000000' },
      { name: 'First', bidMicros: '2000000' },
    ])
    expect(await list(`/ad-sets?campaignId=${booked.id}`)).toMatchObject([
      { name: 'Others' },
      { name: 'Everyone' },
    ])
    expect(await list(`/campaigns/${booked.id}/placements`)).toMatchObject([{ placementId }])
    expect(await list(`/campaigns/${booked.id}/targeting-rules`)).toHaveLength(1)
    expect(await desk.buyer.send('GET', `/frequency/caps?campaignId=${booked.id}`)).toMatchObject({
      0: { maxImpressionsPerUser: 3, window: 'Day' },
    })
  })

  test('is all or nothing, and a refusal names every fault', async () => {
    const before = await desk.deps.db.$count(campaigns)
    const nowhere = desk.advertiserId
    const refused = await desk.seller.send('POST', '/campaigns/book', {
      campaign: campaignOf(),
      ads: [{ bannerId: nowhere }],
      placements: [{ placementId: nowhere }],
    })

    expect(refused).toMatchObject({
      http: 400,
      code: 'BOOKING_REFUSED',
      faults: [{ path: 'body/ads/0' }, { path: 'body/placements/0' }],
    })
    expect(await desk.deps.db.$count(campaigns)).toBe(before)
  })

  test('starts later if its start is in the future', async () => {
    const campaign = campaignOf({ startsAt: '2035-01-01T00:00:30Z' })
    const booked = await desk.seller.send('POST', '/campaigns/book', { campaign, starts: true })

    expect(booked).toMatchObject({ status: 'scheduled', startsAt: '2035-01-01T00:00:30.000Z' })
  })
})

describe('a copy', () => {
  let originals = 0
  const original = async () => {
    const turn = ++originals
    const open = { ...big, isOffered: true }
    const offered = await desk.addPlacement(`copy-yes-${turn}`, open)
    const closed = await desk.addPlacement(`copy-no-${turn}`, { ...big, mode: 'hybrid' })
    const bannerId = await desk.addBanner('Copied')
    const { id } = await desk.seller.send('POST', '/campaigns/book', {
      campaign: campaignOf({
        priority: 7,
        externalId: `ext ${bannerId}`,
        endsAt: '2036-01-01T00:00:00Z',
      }),
      targetingRules: [{ ruleType: 'device', operator: 'in', value: { values: ['mobile'] } }],
      frequencyCaps: [{ maxImpressionsPerUser: 3, window: 'Day' }],
      ads: [
        { bannerId, name: 'First' },
        { bannerId, name: 'Second', adSet: 'Others' },
      ],
      placements: [{ placementId: offered }, { placementId: closed, bannerIds: [bannerId] }],
      starts: true,
    })
    return { id, offered, closed, bannerId }
  }
  const partsOf = async (id: string) => {
    const list = async (url: string) => (await desk.seller.send('GET', url)).items
    return {
      ads: (await list(`/ads?campaignId=${id}`)).map(({ name }) => name),
      sets: (await list(`/ad-sets?campaignId=${id}`)).map(({ name }) => name),
      rules: (await list(`/campaigns/${id}/targeting-rules`)).length,
      placements: (await list(`/campaigns/${id}/placements`)).map(({ placementId }) => placementId),
    }
  }

  test('is a draft with all parts of the campaign, but not its dates', async () => {
    const { id, closed, bannerId } = await original()
    const copy = await desk.seller.send('POST', `/campaigns/${id}/copy`, { name: 'Again' })

    expect(copy).toMatchObject({
      http: 201,
      name: 'Again',
      status: 'draft',
      priority: 7,
      maxBidMicros: '2000000',
      externalId: null,
      endsAt: null,
    })
    expect(await partsOf(copy.id)).toEqual(await partsOf(id))
    const booked = await desk.seller.send(
      'GET',
      `/campaigns/${copy.id}/placements/${closed}/banners`,
    )
    expect(booked.items).toMatchObject([{ bannerId }])
  })

  test('without ads has everything else', async () => {
    const { id } = await original()
    const copy = await desk.seller.send('POST', `/campaigns/${id}/copy`, {
      name: 'Empty',
      withAds: false,
    })

    const whole = await partsOf(id)
    expect(await partsOf(copy.id)).toEqual({ ...whole, ads: [], sets: [] })
  })

  test('of a buyer has no term and no placement that only ad operations give', async () => {
    const { id, offered } = await original()
    const copy = await desk.buyer.send('POST', `/campaigns/${id}/copy`, { name: 'Mine' })

    expect(copy).toMatchObject({ http: 201, priority: 0 })
    expect(await partsOf(copy.id)).toMatchObject({
      ads: ['Second', 'First'],
      placements: [offered],
    })
    const stranger = await desk.personOf('advertiser')
    expect(await stranger.send('POST', `/campaigns/${id}/copy`, { name: 'Theirs' })).toMatchObject({
      http: 404,
    })
  })
})

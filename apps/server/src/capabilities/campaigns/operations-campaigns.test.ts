import { expect, test } from 'vitest'
import {
  createRow,
  getRow,
  listRows,
  patchRow,
  present,
  removeRow,
  restoreRow,
} from '../../platform/resources/index.ts'
import { freshDatabase } from '../../testing/services/database.ts'
import { actorOf, addAccount } from '../../testing/world.ts'
import type { CampaignAction } from './campaign.ts'
import { moveCampaign, moveDueCampaigns } from './operations-campaigns.ts'
import { ad, adSet, advertiser, campaign, sellpage } from './resources.ts'
import { addMarket, marketOn, refusal, type Market } from './testing.ts'

const walk = async (
  { deps, actor }: Market,
  publicId: string,
  ...actions: CampaignAction[]
): Promise<unknown> => {
  let status: unknown
  for (const action of actions) {
    ;({ status } = await moveCampaign(deps, { publicId, actor, action }))
  }
  return status
}

test('a campaign shows its advertiser, and has the advertiser’s currency', async () => {
  const market = await marketOn(await freshDatabase())
  const publicId = await market.addCampaign()

  const record = await getRow(market.deps.db, campaign, { publicId, actor: market.actor })

  expect(present(campaign, record)).toMatchObject({
    id: publicId,
    advertiserId: market.advertiserId,
    advertiserName: 'Northwind',
    advertiserContact: 'Ida',
    currency: 'EUR',
    status: 'draft',
    maxBidMicros: '99000000',
    categories: [],
    sellpageId: null,
  })
})

test('a campaign goes from draft to its end, and each step is audited and published', async () => {
  const market = await marketOn(await freshDatabase())
  const { deps, advertiserId } = market
  const campaignId = await market.addCampaign({ startsAt: '2026-07-01T00:00:00Z' })

  await walk(market, campaignId, 'schedule', 'unschedule', 'schedule', 'activate', 'pause', 'end')

  const changedAt = deps.clock.now()
  const step = (from: string, to: string) => ({ campaignId, advertiserId, from, to, changedAt })
  expect(deps.published).toEqual([
    step('draft', 'scheduled'),
    step('scheduled', 'draft'),
    step('draft', 'scheduled'),
    step('scheduled', 'active'),
    step('active', 'paused'),
    step('paused', 'ended'),
  ])
  expect(deps.audited.slice(-2).map(({ action }) => action)).toEqual([
    'campaign.pause',
    'campaign.end',
  ])
})

test('a move that does not exist is refused, changes nothing and publishes nothing', async () => {
  const market = await marketOn(await freshDatabase())
  const { deps, actor } = market
  const publicId = await market.addCampaign()
  const attempt = (action: CampaignAction) =>
    refusal(moveCampaign(deps, { publicId, actor, action }))

  expect(await attempt('pause')).toBe('CAMPAIGN_INVALID_TRANSITION')
  expect(await attempt('schedule')).toBe('CAMPAIGN_INVALID_TRANSITION')
  await walk(market, publicId, 'activate')
  expect(await attempt('activate')).toBe('CAMPAIGN_INVALID_TRANSITION')

  expect(deps.published).toHaveLength(1)
  expect(await getRow(deps.db, campaign, { publicId, actor })).toMatchObject({
    status: 'active',
    version: 2,
    startsAt: deps.clock.now(),
  })
})

test('contradictory dates are refused, whenever they are set', async () => {
  const market = await marketOn(await freshDatabase())
  const { deps, actor } = market
  const dates = { startsAt: '2026-08-01T00:00:00Z', endsAt: '2026-08-01T00:00:00Z' }
  const publicId = await market.addCampaign({ startsAt: dates.startsAt })
  const patch = (body: object) =>
    refusal(patchRow(deps, campaign, { publicId, actor, body: { ...body } }))

  expect(await refusal(market.addCampaign(dates))).toBe('CAMPAIGN_DATE_INVALID')
  expect(await patch({ endsAt: '2026-07-31T00:00:00Z' })).toBe('CAMPAIGN_DATE_INVALID')
  await walk(market, publicId, 'schedule')
  expect(await patch({ startsAt: null })).toBe('CAMPAIGN_DATE_INVALID')
})

test('only drafts and ended or cancelled campaigns can be deleted and restored, once each', async () => {
  const market = await marketOn(await freshDatabase())
  const { deps, actor } = market
  const publicId = await market.addCampaign()
  const remove = () => refusal(removeRow(deps, campaign, { publicId, actor }))
  const restore = () => refusal(restoreRow(deps, campaign, { publicId, actor }))

  await walk(market, publicId, 'activate')
  expect(await remove()).toBe('CAMPAIGN_INVALID_TRANSITION')
  await walk(market, publicId, 'cancel')
  expect(await restore()).toBe('CAMPAIGN_NOT_DELETED')
  expect(await remove()).toBe('not refused')
  expect(await remove()).toBe('CAMPAIGN_ALREADY_DELETED')
  expect(await refusal(walk(market, publicId, 'activate'))).toBe('CAMPAIGN_NOT_FOUND')
  expect(await restore()).toBe('not refused')
})

test('deleting a campaign or an ad set deletes its ads, and a restore brings back exactly those', async () => {
  const market = await marketOn(await freshDatabase())
  const { deps, actor } = market
  const campaignId = await market.addCampaign()
  const first = await market.addAd(campaignId)
  const second = await market.addAd(campaignId)
  const isDeleted = async (publicId: string, resource: typeof ad | typeof adSet = ad) =>
    (await getRow(deps.db, resource, { publicId, actor })).deletedAt !== null

  await removeRow(deps, adSet, { publicId: first.adSetId, actor })
  deps.clock.advance(1)
  await removeRow(deps, campaign, { publicId: campaignId, actor })
  expect([await isDeleted(first.adId), await isDeleted(second.adId)]).toEqual([true, true])
  expect(await isDeleted(second.adSetId, adSet)).toBe(true)
  expect(await refusal(restoreRow(deps, adSet, { publicId: first.adSetId, actor }))).toBe(
    'CAMPAIGN_NOT_FOUND',
  )

  deps.clock.advance(1)
  await restoreRow(deps, campaign, { publicId: campaignId, actor })
  expect([await isDeleted(first.adId), await isDeleted(second.adId)]).toEqual([true, false])
  expect(await isDeleted(second.adSetId, adSet)).toBe(false)
  expect(await refusal(restoreRow(deps, ad, { publicId: first.adId, actor }))).toBe(
    'AD_SET_NOT_FOUND',
  )

  await restoreRow(deps, adSet, { publicId: first.adSetId, actor })
  expect(await isDeleted(first.adId)).toBe(false)
  expect(deps.audited.filter(({ entity }) => entity === 'ad').map(({ action }) => action)).toEqual([
    'ad.create',
    'ad.create',
    'ad.delete',
    'ad.delete',
    'ad.restore',
    'ad.restore',
  ])
})

test('neither an advertiser with live campaigns nor the house can be deleted', async () => {
  const market = await marketOn(await freshDatabase())
  const { deps, actor, advertiserId: publicId } = market
  const remove = () => refusal(removeRow(deps, advertiser, { publicId, actor }))
  const campaignId = await market.addCampaign()

  expect(await remove()).toBe('ADVERTISER_HAS_LIVE_CAMPAIGNS')
  await walk(market, campaignId, 'activate', 'pause')
  expect(await remove()).toBe('ADVERTISER_HAS_LIVE_CAMPAIGNS')
  await walk(market, campaignId, 'end')
  expect(await remove()).toBe('not refused')

  const account = await addAccount(deps, 'platform')
  const seller = actorOf(account)
  const house = await createRow(deps, advertiser, {
    body: { accountId: account.publicId, name: 'House', currency: 'EUR', isHouse: true },
    actor: seller,
  })
  expect(
    await refusal(removeRow(deps, advertiser, { publicId: String(house.publicId), actor: seller })),
  ).toBe('ADVERTISER_IS_HOUSE')
})

test('a deleted advertiser gets no new or restored campaigns', async () => {
  const market = await marketOn(await freshDatabase())
  const { deps, actor, advertiserId } = market
  const publicId = await market.addCampaign()
  await removeRow(deps, campaign, { publicId, actor })
  await removeRow(deps, advertiser, { publicId: advertiserId, actor })

  expect(await refusal(market.addCampaign())).toBe('ADVERTISER_NOT_FOUND')
  expect(await refusal(restoreRow(deps, campaign, { publicId, actor }))).toBe(
    'ADVERTISER_NOT_FOUND',
  )
})

test('a campaign uses sellpages of its own advertiser only', async () => {
  const market = await marketOn(await freshDatabase())
  const other = await addMarket(market.deps)
  const platform = { ...market.actor, principal: { ...market.actor.principal, isPlatform: true } }
  const page = await createRow(market.deps, sellpage, {
    body: { advertiserId: other.advertiserId, name: 'Shoes', url: 'https://shop.example/' },
    actor: platform,
  })
  const body = {
    advertiserId: market.advertiserId,
    sellpageId: String(page.publicId),
    name: 'Autumn',
  }

  expect(await refusal(createRow(market.deps, campaign, { body, actor: market.actor }))).toBe(
    'SELLPAGE_NOT_FOUND',
  )
  expect(await refusal(createRow(market.deps, campaign, { body, actor: platform }))).toBe(
    'SELLPAGE_OF_ANOTHER_ADVERTISER',
  )
})

test('a campaign for others starts only with a maximum bid, and keeps one while it runs', async () => {
  const market = await marketOn(await freshDatabase())
  const { deps, actor } = market
  const publicId = await market.addCampaign({ maxBidMicros: '0' })
  const patch = (maxBidMicros: string) =>
    refusal(patchRow(deps, campaign, { publicId, actor, body: { maxBidMicros } }))

  expect(await refusal(walk(market, publicId, 'activate'))).toBe('CAMPAIGN_MAX_BID_REQUIRED')
  expect(await patch('5000000')).toBe('not refused')
  await walk(market, publicId, 'activate')
  expect(await patch('0')).toBe('CAMPAIGN_MAX_BID_REQUIRED')
})

test('an ad never bids above its campaign’s maximum, whichever of the two changes', async () => {
  const market = await marketOn(await freshDatabase())
  const { deps, actor } = market
  const campaignId = await market.addCampaign({ maxBidMicros: '1000000' })
  const { adId } = await market.addAd(campaignId, { bidMicros: '1000000' })
  const bid = (bidMicros: string) =>
    refusal(patchRow(deps, ad, { publicId: adId, actor, body: { bidMicros } }))
  const limit = (body: Record<string, unknown>) =>
    refusal(patchRow(deps, campaign, { publicId: campaignId, actor, body }))

  expect(await bid('1000001')).toBe('AD_BID_ABOVE_MAX')
  expect(await limit({ maxBidMicros: '999999' })).toBe('CAMPAIGN_MAX_BID_BELOW_ADS')
  expect(await refusal(market.addAd(campaignId, { bidMicros: '1000001' }))).toBe('AD_BID_ABOVE_MAX')

  expect(await limit({ mayExceedMaxBid: true })).toBe('not refused')
  expect(await bid('1000001')).toBe('not refused')
  expect(await limit({ mayExceedMaxBid: false })).toBe('CAMPAIGN_MAX_BID_BELOW_ADS')
})

test('an ad belongs to its ad set’s campaign, and shows a banner of the same advertiser', async () => {
  const market = await marketOn(await freshDatabase())
  const { deps, actor } = market
  const other = await addMarket(deps)
  const campaignId = await market.addCampaign()
  const { adId, adSetId } = await market.addAd(campaignId)
  const { publicId: bannerId } = await other.addBanner()
  const body = { adSetId, bannerId, name: 'Red', bidMicros: '1' }
  const platform = { ...actor, principal: { ...actor.principal, isPlatform: true } }

  expect(present(ad, await getRow(deps.db, ad, { publicId: adId, actor }))).toMatchObject({
    campaignId,
    adSetId,
  })
  expect(await refusal(createRow(deps, ad, { body, actor }))).toBe('BANNER_NOT_FOUND')
  expect(await refusal(createRow(deps, ad, { body, actor: platform }))).toBe(
    'BANNER_OF_ANOTHER_ADVERTISER',
  )
})

test('an external id is unique per advertiser and channel', async () => {
  const market = await marketOn(await freshDatabase())
  const body = { externalId: 'ext-1', channel: 'meta' }

  await market.addCampaign(body)
  expect(await refusal(market.addCampaign(body))).toBe('CAMPAIGN_EXTERNAL_ID_EXISTS')
  expect(await refusal(market.addCampaign({ ...body, channel: 'onsite' }))).toBe('not refused')
})

test('campaigns are found by every filter, by words, and in every order', async () => {
  const market = await marketOn(await freshDatabase())
  const { deps, actor } = market
  await market.addCampaign({ name: 'Autumn shoes', priority: 2, externalId: 'ext-1' })
  deps.clock.advance(1)
  await market.addCampaign({ name: 'Winter coats', priority: 9, channel: 'meta', pricing: 'cpc' })
  deps.clock.advance(1)
  await market.addCampaign({ name: 'Bags', source: 'affiliate', objective: 'sales' })
  const names = async (query: Record<string, unknown>) => {
    const { items } = await listRows(deps, campaign, { query, scope: actor.principal })
    return items.map(({ name }) => name)
  }

  expect(await names({ status: 'draft', advertiserId: market.advertiserId })).toHaveLength(3)
  expect(await names({ channel: 'meta' })).toEqual(['Winter coats'])
  expect(await names({ pricing: 'cpc' })).toEqual(['Winter coats'])
  expect(await names({ objective: 'sales', source: 'affiliate' })).toEqual(['Bags'])
  expect(await names({ externalId: 'ext-1' })).toEqual(['Autumn shoes'])
  expect(await names({ search: 'win co' })).toEqual(['Winter coats'])
  expect(await names({ sort: 'name' })).toEqual(['Autumn shoes', 'Bags', 'Winter coats'])
  expect(await names({ sort: '-priority' })).toEqual(['Winter coats', 'Autumn shoes', 'Bags'])
  expect(await names({ sort: 'updatedAt' })).toEqual(['Autumn shoes', 'Winter coats', 'Bags'])

  const { nextCursor } = await listRows(deps, campaign, {
    query: { sort: '-updatedAt', limit: 1 },
    scope: actor.principal,
  })
  expect(await names({ sort: '-updatedAt', cursor: nextCursor, limit: 1 })).toEqual([
    'Winter coats',
  ])
})

test('due campaigns start and end by themselves, once', async () => {
  const market = await marketOn(await freshDatabase())
  const { deps } = market
  const dates = { startsAt: '2026-07-01T00:00:00Z', endsAt: '2026-08-01T00:00:00Z' }
  const scheduled = await market.addCampaign(dates)
  const paused = await market.addCampaign(dates)
  await market.addCampaign(dates)
  await walk(market, scheduled, 'schedule')
  await walk(market, paused, 'activate', 'pause')
  deps.published.length = 0

  deps.clock.moveTo(dates.startsAt)
  expect([await moveDueCampaigns(deps), await moveDueCampaigns(deps)]).toEqual([1, 0])
  deps.clock.moveTo(dates.endsAt)
  expect([await moveDueCampaigns(deps), await moveDueCampaigns(deps)]).toEqual([2, 0])

  expect(deps.published).toMatchObject([
    { campaignId: scheduled, from: 'scheduled', to: 'active' },
    { campaignId: scheduled, from: 'active', to: 'ended' },
    { campaignId: paused, from: 'paused', to: 'ended' },
  ])
})

test('the maximum and the bids agree even when both change at once', async () => {
  const market = await marketOn(await freshDatabase())
  const { deps, actor } = market
  const inOne = (work: (deps: Market['deps']) => Promise<unknown>) =>
    refusal(deps.db.transaction((db) => work({ ...deps, db })))

  for (let round = 0; round < 5; round++) {
    const publicId = await market.addCampaign({ maxBidMicros: '9' })
    const { adId } = await market.addAd(publicId, { bidMicros: '1' })
    const outcomes = await Promise.all([
      inOne((deps) => patchRow(deps, campaign, { publicId, actor, body: { maxBidMicros: '5' } })),
      inOne((deps) => patchRow(deps, ad, { publicId: adId, actor, body: { bidMicros: '9' } })),
    ])
    expect(outcomes.filter((outcome) => outcome === 'not refused')).toHaveLength(1)
  }
})

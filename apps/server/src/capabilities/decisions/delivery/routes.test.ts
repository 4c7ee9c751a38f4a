import type { CampaignDelivery } from '@placard/contract/delivery'
import type { OwnWhy } from '@placard/contract/explain'
import { micros } from '@placard/money'
import { expect, test } from 'vitest'
import { listRows } from '../../../platform/resources/index.ts'
import { actorOf, addAccount } from '../../../testing/world.ts'
import { aServingWorld, startServing } from '../../../testing/worlds/serving-world.ts'
import { campaign as campaigns } from '../../campaigns/index.ts'
import { prepareAuctionDays } from '../jobs.ts'
import { addAuctions } from '../records/store-auctions.ts'
import { aDecision, aWinner, batchOf, recordsFrom } from '../records/testing-records.ts'

const HOUR_MS = 3_600_000
/** What the rival scored on each request: 3.00 per thousand. */
const RIVAL_SCORE = 3_000

/** One ad at 5.00 per thousand on one placement of a site, and four requests that a rival won. */
async function aScene() {
  const world = await aServingWorld()
  const { deps, db } = world
  const placement = await world.addPlacement({
    type: 'feed',
    mode: 'hybrid',
    recommendedWidth: 300,
    recommendedHeight: 250,
  })
  const site = await world.addSite()
  await world.addSlot(site, placement)
  const banner = await world.addBanner({ width: 300, height: 250, adProductCategory: '1002' })
  const campaign = await world.addCampaign({ budgetDailyMicros: micros(50_000_000n) })
  await world.addCampaignPlacement(campaign, placement)
  const ad = await world.addAd(campaign, 5_000_000n, banner)
  await prepareAuctionDays(deps)
  const nowMs = deps.clock.now().getTime()
  const records = ['DE', 'DE', 'AT', 'US'].map((country, at) =>
    recordsFrom(deps.ids)({
      kind: 'slug',
      placementKey: Number(placement.id),
      decidedAt: new Date(nowMs - (at * 5 + 1) * HOUR_MS),
      context: { country, device: 'mobile' },
      decision: aDecision({ winners: [aWinner({ campaignKey: 999, score: RIVAL_SCORE })] }),
    }),
  )
  await addAuctions(db, batchOf(records))
  return { world, placement, site, banner, campaign, ad }
}

type Scene = Awaited<ReturnType<typeof aScene>>

interface Case {
  readonly change: string
  readonly undo: string
  readonly state?: 'limited' | 'not-delivering'
  readonly code: string
  readonly says: string
  readonly action: string | null
}

const set = (table: string, change: string, undo: string) => ({
  change: `update ${table} set ${change}`,
  undo: `update ${table} set ${undo}`,
})
const status = (to: string) => set('campaigns', `status = '${to}'`, `status = 'active'`)

const CASES: readonly Case[] = [
  { ...status('draft'), code: 'draft', says: 'a draft that nobody', action: 'start-campaign' },
  { ...status('paused'), code: 'paused', says: 'it is paused', action: 'start-campaign' },
  { ...status('ended'), code: 'ended', says: 'it has ended', action: null },
  {
    ...set('campaigns', `starts_at = '2030-03-01'`, 'starts_at = null'),
    code: 'before-flight',
    says: 'it starts 2030-03-01 00:00 UTC',
    action: 'edit-dates',
  },
  {
    ...set('ads', `status = 'paused'`, `status = 'active'`),
    code: 'ad-not-active',
    says: 'its ads are paused',
    action: 'start-ad',
  },
  {
    ...set('ads', 'deleted_at = now()', 'deleted_at = null'),
    code: 'no-ads',
    says: 'no ad',
    action: 'add-ad',
  },
  {
    ...set('campaign_placements', 'is_active = false', 'is_active = true'),
    code: 'no-placement',
    says: 'booked on no placement',
    action: 'book-placement',
  },
  {
    ...set('banners', 'is_active = false', 'is_active = true'),
    code: 'banner-not-active',
    says: 'banner is switched off',
    action: 'open-banner',
  },
  {
    ...set('placements', 'is_active = false', 'is_active = true'),
    code: 'placement-off',
    says: 'the placement home-top is switched off',
    action: 'open-placement',
  },
  {
    ...set('sites', 'is_active = false', 'is_active = true'),
    code: 'site-off',
    says: 'the site gazette.example is switched off',
    action: 'open-site',
  },
  {
    ...set(
      'sites',
      'domain_proven_at = null, domain_proven_by = null',
      `domain_proven_at = now(), domain_proven_by = 'operator'`,
    ),
    code: 'domain-unproven',
    says: 'proven that gazette.example',
    action: 'open-site',
  },
  {
    ...set('sites', 'approval_required = true', 'approval_required = false'),
    code: 'not-approved',
    says: 'waits for approval on gazette.example',
    action: 'approve',
  },
  {
    change: `insert into site_ad_product_blocks select id, '1002', now() from sites`,
    undo: 'delete from site_ad_product_blocks',
    code: 'ad-product-blocked',
    says: 'gazette.example refuses what it advertises',
    action: 'book-placement',
  },
  {
    change:
      'insert into advertiser_site_blocks select v.id, s.id, now() from advertisers v, sites s',
    undo: 'delete from advertiser_site_blocks',
    code: 'advertiser-blocked',
    says: 'gazette.example blocks the advertiser',
    action: 'book-placement',
  },
  {
    ...set('banners', 'width = 728, height = 90', 'width = 300, height = 250'),
    code: 'size',
    says: 'its banner is 728×90, which does not fit home-top',
    action: 'book-placement',
  },
  {
    ...set('placements', `formats = '{video}'`, `formats = '{}'`),
    code: 'format',
    says: 'home-top takes no single image',
    action: 'book-placement',
  },
  {
    ...set('placements', `mode = 'direct'`, `mode = 'hybrid'`),
    code: 'other-mode',
    says: 'takes bookings only',
    action: 'book-placement',
  },
  {
    ...set('publishers', `currency = 'USD'`, `currency = 'EUR'`),
    code: 'currency',
    says: 'it bids in EUR, home-top sells in another one',
    action: 'book-placement',
  },
  {
    change: `insert into campaign_targeting_rules (public_id, account_id, created_at, updated_at, campaign_id, rule_type, operator, value)
      select gen_random_uuid(), account_id, now(), now(), id, 'country', 'in', '{"values":["FR"]}' from campaigns`,
    undo: 'delete from campaign_targeting_rules',
    code: 'targeting',
    says: 'no request of the last 24 hours fits its targeting (country 0 %)',
    action: 'edit-targeting',
  },
  {
    ...set('placements', 'floor_micros = 9000000', 'floor_micros = 0'),
    code: 'below-floor',
    says: 'below the floor; 9.01 EUR instead of 5 EUR',
    action: 'raise-bid',
  },
  {
    ...set('ads', 'bid_micros = 2000000', 'bid_micros = 5000000'),
    code: 'outbid',
    says: 'others bid more; 3.01 EUR instead of 2 EUR would have won half',
    action: 'raise-bid',
  },
  {
    ...set('switches', 'is_on = false', 'is_on = true'),
    code: 'serving-off',
    says: 'switched off for the whole installation',
    action: 'turn-on-serving',
  },
]

/** The campaign's own line, and what the list says of it after a check. */
async function startOn(scene: Scene) {
  const { world, campaign } = scene
  const node = await startServing(world, { permitsPerMinute: 10_000 })
  node.allow('campaigns:read')
  const ask = async () => {
    const url = `/api/v1/admin/campaigns/${campaign.publicId}/delivery`
    const answer = await node.http.inject({ url })
    return { status: answer.statusCode, ...answer.json<CampaignDelivery>() }
  }
  const listed = async (query: object = {}) => {
    await node.serving.delivery.check()
    const scope = actorOf({ id: 1n, kind: 'platform' }).principal
    const { items } = await listRows(world.deps, campaigns, { query: { ...query }, scope })
    return items.map(({ delivery }) => delivery as CampaignDelivery)
  }
  return { node, ask, listed }
}

test('a campaign says in one line why it does not deliver and what mends it, in its page and in the list', async () => {
  const scene = await aScene()
  const { world } = scene
  await world.pool.query(
    `insert into switches (name, is_on, updated_at) values ('decisions.serving', true, now()) on conflict do nothing`,
  )
  const { node, ask, listed } = await startOn(scene)
  expect(await ask()).toMatchObject({ state: 'delivering', code: null, text: 'Delivering' })

  for (const { change, undo, state = 'not-delivering', code, says, action } of CASES) {
    await world.pool.query(change)
    await node.untilApplied()
    const line = await ask()
    expect(line).toMatchObject({ state, code, text: expect.stringContaining(says) })
    expect([code, line.action?.kind ?? null]).toEqual([code, action])
    expect((await listed())[0]).toMatchObject({ state, code })
    expect(await listed({ delivery: state })).toHaveLength(1)
    expect(await listed({ delivery: 'delivering' })).toHaveLength(0)
    await world.pool.query(undo)
    await node.untilApplied()
  }
  expect(await listed({ delivery: 'delivering' })).toMatchObject([{ code: null }])
}, 120_000)

test('budgets, goals and a second placement are told, and nobody sees what others bid but the platform', async () => {
  const scene = await aScene()
  const { world, campaign } = scene
  const { node, ask } = await startOn(scene)
  const apply = async (change: string) => {
    await world.pool.query(change)
    await node.untilApplied()
  }
  node.budgets.spent.set(Number(campaign.id), 50_000_000)
  expect(await ask()).toMatchObject({ state: 'limited', code: 'budget-day' })
  node.budgets.spent.clear()

  await apply('update campaigns set impression_cap = 10')
  await apply('insert into campaign_totals (campaign_id, impressions) select id, 9 from campaigns')
  await apply('update campaign_totals set impressions = 10')
  expect(await ask()).toMatchObject({ code: 'impression-cap-reached' })
  await apply('update campaigns set impression_cap = null')

  const other = await world.addPlacement({ slug: 'home-side', type: 'feed', mode: 'direct' })
  await world.addCampaignPlacement(campaign, other)
  await node.untilApplied()
  const both = await ask()
  expect(both).toMatchObject({
    state: 'limited',
    code: 'other-mode',
    ads: [{ state: 'limited', code: 'other-mode' }],
    past: { requests: 4, admitted: 1, won: 1 },
    question: { placement: 'home-top', userContext: { device: 'mobile' } },
  })
  expect(both.placements.map(({ slug, state }) => [slug, state])).toEqual([
    ['home-top', 'delivering'],
    ['home-side', 'not-delivering'],
  ])

  await apply('delete from campaign_placements where placement_id = ' + String(other.id))
  await apply('update ads set bid_micros = 2000000')
  node.comeFrom(world.buyer)
  expect(await ask()).toMatchObject({
    text: 'Not delivering: others bid more',
    past: { bidMicrosNeeded: null },
    action: { bidMicros: null },
  })
  node.comeFrom(await addAccount(world.deps, 'advertiser'))
  expect((await ask()).status).toBe(404)
})

test('a placement says how many requests it fills, and what holds its campaigns back', async () => {
  const scene = await aScene()
  const { world, placement } = scene
  const { node } = await startOn(scene)
  node.allow('placements:read')
  const url = `/api/v1/admin/placements/${placement.publicId}/delivery`
  const ask = async () => (await node.http.inject({ url })).json<object>()

  expect(await ask()).toMatchObject({
    state: 'delivering',
    requests: 4,
    filled: 1,
    campaigns: [{ text: 'Delivering', campaigns: 1 }],
  })
  await world.pool.query('delete from auctions')
  await world.pool.query(`update campaigns set status = 'paused'`)
  await node.untilApplied()
  expect(await ask()).toMatchObject({
    state: 'not-delivering',
    code: 'no-requests',
    action: { kind: 'check-tag' },
    campaigns: [{ code: 'paused', campaigns: 1 }],
  })
})

test('an advertiser asks why about its own ads, and learns nothing of what others bid', async () => {
  const scene = await aScene()
  const { world, campaign, ad, placement } = scene
  await world.pool.query(
    `insert into campaign_targeting_rules (public_id, account_id, created_at, updated_at, campaign_id, rule_type, operator, value)
     select gen_random_uuid(), account_id, now(), now(), id, 'country', 'in', '{"values":["DE"]}' from campaigns`,
  )
  const rival = await world.addAdvertiser({ name: 'Rival' })
  await world.addBidder(placement, 9_000_000n, { advertiserId: rival.id, name: 'Rival autumn' })
  const elsewhere = await world.addPlacement({ slug: 'elsewhere' })
  const { node } = await startOn(scene)
  node.comeFrom(world.buyer)
  const why = async (payload: object) => {
    const url = `/api/v1/admin/campaigns/${campaign.publicId}/why`
    const answer = await node.http.inject({ method: 'POST', url, payload })
    return { status: answer.statusCode, ...answer.json<OwnWhy>() }
  }
  const asked = { placement: 'home-top', adId: ad.publicId }

  const german = await why({ ...asked, userContext: { country: 'DE' } })
  const french = await why({ ...asked, userContext: { country: 'FR' } })

  expect(german).toMatchObject({
    currency: 'EUR',
    ads: [{ ad: { name: 'Everybody' }, isShown: false, reason: 'outbid' }],
    needs: { isOutbid: true, obstacles: [], bidMicros: '5000000', floorBidMicros: null },
  })
  expect(french.needs).toMatchObject({ obstacles: [{ reason: 'country' }] })
  expect(JSON.stringify([german, french])).not.toMatch(/Rival|[^\d]9(\.|0{3})/)
  expect((await why({ placement: elsewhere.slug })).status).toBe(404)
  node.comeFrom(await addAccount(world.deps, 'advertiser'))
  expect((await why(asked)).status).toBe(404)
})

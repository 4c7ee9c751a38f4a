import { sql } from 'drizzle-orm'
import { beforeEach, describe, expect, test } from 'vitest'
import { MATRIX } from './matrix.ts'
import { MARK_MS } from './operations-auction.ts'
import {
  aContextualWorld,
  FOOD_AND_DRINK,
  SPORTS,
  WINE,
} from '../../../testing/worlds/contextual-world.ts'

type World = Awaited<ReturnType<typeof aContextualWorld>>

let world: World
let adKey: number
let campaignKey: number
let siteKey: string

beforeEach(async () => {
  world = await aContextualWorld()
  adKey = Number(world.food.ad.id)
  campaignKey = Number(world.food.campaign.id)
  siteKey = String(world.site.id)
  await world.auction()
  await world.look()
})

const change = (statement: ReturnType<typeof sql>) => world.db.execute(statement)
const standing = async () => (await world.standing(world.pages.food)).map((one) => one.adKey)
const orderOfCampaignPages = () => [{ siteKey, campaigns: [campaignKey] }]
const ofTheSite = () => [{ siteKey }]

async function approve(status: string) {
  await change(sql`insert into creative_approvals
    (public_id, account_id, site_id, banner_id, banner_account_id, status, created_at, updated_at)
    values (gen_random_uuid(), ${world.seller.id}, ${world.site.id}, ${world.food.ad.bannerId},
            ${world.buyer.id}, ${status}, now(), now())`)
}

async function exhaust(scope: 'campaign' | 'advertiser', isExhausted: boolean) {
  const owner = scope === 'campaign' ? world.food.campaign.id : world.advertiser.id
  const at = world.deps.clock.now().toISOString()
  await change(sql`insert into budget_days (scope, owner_id, day, limit_micros, spent_micros, exhausted_at)
    values (${scope}, ${owner}, ${at.slice(0, 10)}, 10, 10, ${at})
    on conflict (scope, owner_id, day) do update set exhausted_at = ${isExhausted ? at : null}`)
}

describe('the re-auction matrix', () => {
  test('a restart is not an event', async () => {
    await world.notice()
    await world.watcher.load()
    await world.notice()

    expect(world.events).toEqual([])
    expect(world.ordered).toEqual([])
    expect(await standing()).toEqual([adKey])
  })

  test('campaign exhausted: its candidates stay, marked, and its pages are auctioned', async () => {
    await exhaust('campaign', true)
    await world.notice()

    expect(world.events).toEqual(['campaign-exhausted'])
    expect(world.ordered).toEqual(orderOfCampaignPages())
    const [kept] = await world.standing(world.pages.food)
    expect(kept).toMatchObject({ adKey, untilMs: world.deps.clock.now().getTime() + MARK_MS })
  })

  test('exhaustion is one event, and the re-auction keeps marked candidates', async () => {
    await exhaust('campaign', true)
    await world.notice()
    await world.auction([campaignKey])
    await world.notice()

    expect(world.events).toEqual([])
    expect(await standing()).toEqual([adKey])
  })

  test('campaign budget back: its candidates stay, and its pages are auctioned', async () => {
    await exhaust('campaign', true)
    await world.notice()
    await exhaust('campaign', false)
    await world.notice()

    expect(world.events).toEqual(['campaign-budget-back'])
    expect(world.ordered).toEqual(orderOfCampaignPages())
    expect(await standing()).toEqual([adKey])
  })

  test('campaign paused: its candidates go at once, and its pages are auctioned', async () => {
    await change(sql`update campaigns set status = 'paused' where id = ${campaignKey}`)
    await world.notice()

    expect(world.events).toEqual(['campaign-left'])
    expect(world.ordered).toEqual(orderOfCampaignPages())
    expect(await standing()).toEqual([])
  })

  test('the pages that a campaign has just left are auctioned too, so that the next bidder takes its place', async () => {
    const bid = (micros: bigint) =>
      world.addBidder(world.placement, micros, { categories: [FOOD_AND_DRINK] })
    const second = await bid(3_000_000n)
    const third = await bid(2_000_000n)
    const fourth = await bid(1_500_000n)
    const keys = (...bidders: { ad: { id: bigint } }[]) => bidders.map(({ ad }) => Number(ad.id))
    await world.auction()
    await world.look()
    expect(await standing()).toEqual(keys(world.food, second, third))

    await change(sql`update campaigns set status = 'paused' where id = ${campaignKey}`)
    await world.notice()
    expect(await standing()).toEqual(keys(second, third))
    await world.auction([campaignKey])
    expect(await standing()).toEqual(keys(second, third, fourth))
  })

  test('campaign changes its categories: its candidates go, and its pages are auctioned', async () => {
    await change(sql`update campaigns set categories = array[${SPORTS}] where id = ${campaignKey}`)
    await world.notice()

    expect(world.events).toEqual(['campaign-left'])
    expect(world.ordered).toEqual(orderOfCampaignPages())
    expect(await standing()).toEqual([])
  })

  test('campaign changes its ad product: its candidates go, and its pages are auctioned', async () => {
    await change(sql`update campaigns set ad_product_category = ${WINE} where id = ${campaignKey}`)
    await world.notice()

    expect(world.events).toEqual(['campaign-left'])
    expect(world.ordered).toEqual(orderOfCampaignPages())
    expect(await standing()).toEqual([])
  })

  test('campaign leaves a site’s placements: its candidates go there, and its pages are auctioned', async () => {
    await change(sql`delete from campaign_placements where campaign_id = ${campaignKey}`)
    await world.notice()

    expect(world.events).toEqual(['campaign-left'])
    expect(world.ordered).toEqual(orderOfCampaignPages())
    expect(await standing()).toEqual([])
  })

  test('advertiser blocks a site: its candidates go there, and its pages are auctioned', async () => {
    await change(sql`insert into advertiser_site_blocks (advertiser_id, site_id, created_at)
                     values (${world.advertiser.id}, ${world.site.id}, now())`)
    await world.notice()

    expect(new Set(world.events)).toEqual(new Set(['campaign-left']))
    expect(await standing()).toEqual([])
  })

  test('campaign resumed: nothing changes at once, and the whole site is auctioned', async () => {
    await change(sql`update campaigns set status = 'paused' where id = ${campaignKey}`)
    await world.notice()
    await change(sql`update campaigns set status = 'active' where id = ${campaignKey}`)
    await world.notice()

    expect(world.events).toEqual(['campaign-changed'])
    expect(world.ordered).toEqual(ofTheSite())
    expect(await standing()).toEqual([])
    await world.auction()
    expect(await standing()).toEqual([adKey])
  })

  test('CPM changed: candidates get the new price in place, and the campaign’s pages are auctioned', async () => {
    await change(sql`update ads set bid_micros = 5000000 where id = ${adKey}`)
    await world.notice()

    expect(world.events).toEqual(['cpm-changed'])
    expect(world.ordered).toEqual(orderOfCampaignPages())
    expect(await world.standing(world.pages.food)).toMatchObject([{ adKey, cpmMicros: 5_000_000 }])
  })

  test('creative paused: its candidates go, and the campaign’s pages are auctioned', async () => {
    await change(sql`update ads set status = 'paused' where id = ${adKey}`)
    await world.notice()

    expect(world.events).toEqual(['creative-paused'])
    expect(world.ordered).toEqual(orderOfCampaignPages())
    expect(await standing()).toEqual([])
  })

  test('creative reactivated: nothing changes at once, and the campaign’s pages are auctioned, even where it was alone', async () => {
    await change(sql`update ads set status = 'paused' where id = ${adKey}`)
    await world.notice()
    await change(sql`update ads set status = 'active' where id = ${adKey}`)
    await world.notice()

    expect(world.events).toEqual(['creative-reactivated'])
    expect(world.ordered).toEqual(orderOfCampaignPages())
    expect(await standing()).toEqual([])
    await world.auction([campaignKey])
    expect(await standing()).toEqual([adKey])
  })

  test('campaign budget raised: its candidates stay, and its pages are auctioned', async () => {
    await change(sql`update campaigns set budget_daily_micros = 10 where id = ${campaignKey}`)
    await world.notice()
    await change(sql`update campaigns set budget_daily_micros = 20 where id = ${campaignKey}`)
    await world.notice()

    expect(world.events).toEqual(['campaign-budget-back'])
    expect(world.ordered).toEqual(orderOfCampaignPages())
    expect(await standing()).toEqual([adKey])
  })

  test('advertiser exhausted, and back: its candidates stay with a mark, and all pages of its sites are auctioned', async () => {
    await exhaust('advertiser', true)
    await world.notice()
    expect(new Set(world.events)).toEqual(new Set(['advertiser-exhausted']))
    expect(new Set(world.ordered.map((order) => JSON.stringify(order)))).toEqual(
      new Set(ofTheSite().map((order) => JSON.stringify(order))),
    )
    const [kept] = await world.standing(world.pages.food)
    expect(kept).toMatchObject({ adKey, untilMs: world.deps.clock.now().getTime() + MARK_MS })

    await exhaust('advertiser', false)
    await world.notice()
    expect(new Set(world.events)).toEqual(new Set(['advertiser-budget-back']))
    expect(await standing()).toEqual([adKey])
  })

  test('an advertiser without candidates causes no auction', async () => {
    await change(sql`delete from serve_index`)
    await exhaust('advertiser', true)
    await world.notice()

    expect(new Set(world.events)).toEqual(new Set(['advertiser-exhausted']))
    expect(world.ordered).toEqual([])
  })

  test('advertiser suspended: all its candidates go, and all pages of its sites are auctioned', async () => {
    await change(sql`update advertisers set deleted_at = now() where id = ${world.advertiser.id}`)
    await world.notice()

    expect(new Set(world.events)).toEqual(new Set(['advertiser-suspended']))
    expect(world.ordered).toContainEqual({ siteKey })
    expect(await standing()).toEqual([])
    expect(await world.standing(world.pages.sport)).toEqual([])
  })

  test('creative approved: it is a candidate already, so no auction is needed', async () => {
    await approve('pending')
    await world.notice()
    await change(sql`update creative_approvals set status = 'approved'`)
    await world.notice()

    expect(world.events).toEqual(['creative-approved'])
    expect(world.ordered).toEqual([])
    expect(await standing()).toEqual([adKey])
  })

  test('revoked creative approved again: it is appended without an auction', async () => {
    await approve('approved')
    await world.notice()
    await change(sql`update creative_approvals set status = 'pending'`)
    await world.notice()
    expect(await standing()).toEqual([])
    await change(sql`update creative_approvals set status = 'approved'`)
    await world.notice()

    expect(world.events).toEqual(['creative-approved'])
    expect(world.ordered).toEqual([])
    expect(await standing()).toEqual([adKey])
    expect(await world.standing(world.pages.sport)).toHaveLength(1)
  })

  test('one of two creatives rejected: it goes from the site, without an auction while another is left', async () => {
    await world.addBidder(world.placement, 2_000_000n, { categories: [FOOD_AND_DRINK] })
    await world.auction()
    await approve('pending')
    await world.notice()
    await change(sql`update creative_approvals set status = 'rejected'`)
    await world.notice()

    expect(world.events).toContain('creative-rejected')
    expect(await standing()).toHaveLength(1)
    expect(world.ordered).toEqual([])
  })

  test('creative rejected: it goes from the site, and only emptied pages are auctioned', async () => {
    await approve('pending')
    await world.notice()
    await change(sql`update creative_approvals set status = 'rejected'`)
    await world.notice()

    expect(world.events).toEqual(['creative-rejected'])
    expect(await standing()).toEqual([])
    expect(world.ordered).toEqual(ofTheSite())
    await world.auction()
    expect(await standing()).toEqual([])
  })

  test('creative flagged: it goes and stays out; unflagged: an auction brings it back', async () => {
    await approve('approved')
    await world.notice()
    await change(sql`update creative_approvals set status = 'flagged'`)
    await world.notice()
    expect(world.events).toEqual(['creative-flagged'])
    expect(world.ordered).toEqual(ofTheSite())
    await world.auction()
    expect(await standing()).toEqual([])

    await change(sql`update creative_approvals set status = 'approved'`)
    await world.notice()
    expect(world.events).toEqual(['creative-unflagged'])
    expect(world.ordered).toEqual(ofTheSite())
    await world.auction()
    expect(await standing()).toEqual([adKey])
  })

  test('approval revoked: the creative goes and is pending again, without an auction', async () => {
    await approve('approved')
    await world.notice()
    await change(sql`update creative_approvals set status = 'pending'`)
    await world.notice()

    expect(world.events).toEqual(['approval-revoked'])
    expect(world.ordered).toEqual([])
    expect(await standing()).toEqual([])
  })

  test('ad product blocked: its candidates go, and the site is auctioned', async () => {
    await change(sql`update campaigns set ad_product_category = ${WINE} where id = ${campaignKey}`)
    await world.notice()
    await world.auction()
    await change(sql`insert into site_ad_product_blocks (site_id, ad_product_category, created_at)
                     values (${world.site.id}, ${WINE}, now())`)
    await world.notice()

    expect(world.events).toEqual(['ad-product-blocked'])
    expect(world.ordered).toEqual(ofTheSite())
    expect(await standing()).toEqual([])
    expect(await world.standing(world.pages.sport)).toHaveLength(1)
  })

  test('temporary conditions mark candidates, only deliberate ones delete them', () => {
    const deleting = Object.entries(MATRIX).filter(([, { index }]) => index === 'remove')
    expect(
      deleting.map(([event]) => event).filter((event) => /exhausted|back/.test(event)),
    ).toEqual([])
  })
})

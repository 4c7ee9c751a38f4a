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
const ofItsPages = () => [{ siteKey, campaigns: [campaignKey] }]
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
  test('nothing has happened after a restart', async () => {
    await world.notice()
    await world.watcher.load()
    await world.notice()

    expect(world.events).toEqual([])
    expect(world.ordered).toEqual([])
    expect(await standing()).toEqual([adKey])
  })

  test('campaign exhausted: its candidates stay, marked; its pages are auctioned', async () => {
    await exhaust('campaign', true)
    await world.notice()

    expect(world.events).toEqual(['campaign-exhausted'])
    expect(world.ordered).toEqual(ofItsPages())
    const [kept] = await world.standing(world.pages.food)
    expect(kept).toMatchObject({ adKey, untilMs: world.deps.clock.now().getTime() + MARK_MS })
  })

  test('exhausted is told once, on the edge; the re-auction keeps what is marked', async () => {
    await exhaust('campaign', true)
    await world.notice()
    await world.auction([campaignKey])
    await world.notice()

    expect(world.events).toEqual([])
    expect(await standing()).toEqual([adKey])
  })

  test('campaign budget back: kept; its pages are auctioned', async () => {
    await exhaust('campaign', true)
    await world.notice()
    await exhaust('campaign', false)
    await world.notice()

    expect(world.events).toEqual(['campaign-budget-back'])
    expect(world.ordered).toEqual(ofItsPages())
    expect(await standing()).toEqual([adKey])
  })

  test('campaign paused: gone at once; its pages are auctioned', async () => {
    await change(sql`update campaigns set status = 'paused' where id = ${campaignKey}`)
    await world.notice()

    expect(world.events).toEqual(['campaign-left'])
    expect(world.ordered).toEqual(ofItsPages())
    expect(await standing()).toEqual([])
  })

  test('its pages are those it has just left too: whoever was next takes its place', async () => {
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

  test('campaign wants to stand beside something else: gone; its pages are auctioned', async () => {
    await change(sql`update campaigns set categories = array[${SPORTS}] where id = ${campaignKey}`)
    await world.notice()

    expect(world.events).toEqual(['campaign-left'])
    expect(world.ordered).toEqual(ofItsPages())
    expect(await standing()).toEqual([])
  })

  test('campaign sells another ad product: gone; its pages are auctioned', async () => {
    await change(sql`update campaigns set ad_product_category = ${WINE} where id = ${campaignKey}`)
    await world.notice()

    expect(world.events).toEqual(['campaign-left'])
    expect(world.ordered).toEqual(ofItsPages())
    expect(await standing()).toEqual([])
  })

  test('campaign leaves the placements of a site: gone there; its pages are auctioned', async () => {
    await change(sql`delete from campaign_placements where campaign_id = ${campaignKey}`)
    await world.notice()

    expect(world.events).toEqual(['campaign-left'])
    expect(world.ordered).toEqual(ofItsPages())
    expect(await standing()).toEqual([])
  })

  test('advertiser leaves the site: gone there; its pages are auctioned', async () => {
    await change(sql`insert into advertiser_site_blocks (advertiser_id, site_id, created_at)
                     values (${world.advertiser.id}, ${world.site.id}, now())`)
    await world.notice()

    expect(new Set(world.events)).toEqual(new Set(['campaign-left']))
    expect(await standing()).toEqual([])
  })

  test('campaign resumed: nothing at once; the whole site is auctioned', async () => {
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

  test('CPM changed: new in place; its pages are auctioned', async () => {
    await change(sql`update ads set bid_micros = 5000000 where id = ${adKey}`)
    await world.notice()

    expect(world.events).toEqual(['cpm-changed'])
    expect(world.ordered).toEqual(ofItsPages())
    expect(await world.standing(world.pages.food)).toMatchObject([{ adKey, cpmMicros: 5_000_000 }])
  })

  test('creative paused: gone; the campaign’s pages are auctioned', async () => {
    await change(sql`update ads set status = 'paused' where id = ${adKey}`)
    await world.notice()

    expect(world.events).toEqual(['creative-paused'])
    expect(world.ordered).toEqual(ofItsPages())
    expect(await standing()).toEqual([])
  })

  test('creative reactivated: nothing at once; the campaign’s pages are auctioned, also where it was alone', async () => {
    await change(sql`update ads set status = 'paused' where id = ${adKey}`)
    await world.notice()
    await change(sql`update ads set status = 'active' where id = ${adKey}`)
    await world.notice()

    expect(world.events).toEqual(['creative-reactivated'])
    expect(world.ordered).toEqual(ofItsPages())
    expect(await standing()).toEqual([])
    await world.auction([campaignKey])
    expect(await standing()).toEqual([adKey])
  })

  test('campaign budget raised: kept; its pages are auctioned', async () => {
    await change(sql`update campaigns set budget_daily_micros = 10 where id = ${campaignKey}`)
    await world.notice()
    await change(sql`update campaigns set budget_daily_micros = 20 where id = ${campaignKey}`)
    await world.notice()

    expect(world.events).toEqual(['campaign-budget-back'])
    expect(world.ordered).toEqual(ofItsPages())
    expect(await standing()).toEqual([adKey])
  })

  test('advertiser exhausted, and back: kept with a mark; all pages of the sites it stands on are auctioned', async () => {
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

  test('an advertiser that stands nowhere calls for no auction', async () => {
    await change(sql`delete from serve_index`)
    await exhaust('advertiser', true)
    await world.notice()

    expect(new Set(world.events)).toEqual(new Set(['advertiser-exhausted']))
    expect(world.ordered).toEqual([])
  })

  test('advertiser suspended: all of its candidates go; all pages of its sites are auctioned', async () => {
    await change(sql`update advertisers set deleted_at = now() where id = ${world.advertiser.id}`)
    await world.notice()

    expect(new Set(world.events)).toEqual(new Set(['advertiser-suspended']))
    expect(world.ordered).toContainEqual({ siteKey })
    expect(await standing()).toEqual([])
    expect(await world.standing(world.pages.sport)).toEqual([])
  })

  test('publisher approves: it stands already, and no auction is needed', async () => {
    await approve('pending')
    await world.notice()
    await change(sql`update creative_approvals set status = 'approved'`)
    await world.notice()

    expect(world.events).toEqual(['creative-approved'])
    expect(world.ordered).toEqual([])
    expect(await standing()).toEqual([adKey])
  })

  test('publisher approves what was revoked: it is appended, and no auction is needed', async () => {
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

  test('publisher rejects one of two: gone from the site, and no auction while another is left', async () => {
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

  test('publisher rejects: gone from the site; an auction only where nobody is left', async () => {
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

  test('flagged, and unflagged: gone and kept out, then back by auction', async () => {
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

  test('revoked: gone, and pending again; no auction', async () => {
    await approve('approved')
    await world.notice()
    await change(sql`update creative_approvals set status = 'pending'`)
    await world.notice()

    expect(world.events).toEqual(['approval-revoked'])
    expect(world.ordered).toEqual([])
    expect(await standing()).toEqual([])
  })

  test('ad product blocked: what is of it goes; the site is auctioned', async () => {
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

  test('temporary conditions mark, only deliberate ones delete', () => {
    const deleting = Object.entries(MATRIX).filter(([, { index }]) => index === 'remove')
    expect(
      deleting.map(([event]) => event).filter((event) => /exhausted|back/.test(event)),
    ).toEqual([])
  })
})

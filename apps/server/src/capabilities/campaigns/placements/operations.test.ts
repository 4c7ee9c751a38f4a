import { expect, test } from 'vitest'
import { freshDatabase } from '../../../testing/services/database.ts'
import { creativeApprovals } from '../../creatives/tables.ts'
import {
  assignBanner,
  changeAssignment,
  getAssignment,
  listAssignments,
  unassignBanner,
} from '../assignments/operations.ts'
import {
  changeCampaignPlacement,
  bookPlacement,
  listCampaignPlacements,
  removePlacement,
} from './operations.ts'
import { blockSite, listSiteBlocks, unblockSite } from '../site-blocks/operations.ts'
import { bannerAssignments } from '../tables.ts'
import { addMarket, addShownPlacement, marketOn, refusal, type Market } from '../testing.ts'

const linked = async (market: Market) => {
  const { placementId, siteKey } = await addShownPlacement(market.deps)
  const target = { campaignId: await market.addCampaign(), placementId, actor: market.actor }
  await bookPlacement(market.deps, target)
  return { ...target, siteKey }
}

const approvalsIn = ({ deps }: Market) =>
  deps.db
    .select({
      siteId: creativeApprovals.siteId,
      bannerId: creativeApprovals.bannerId,
      status: creativeApprovals.status,
    })
    .from(creativeApprovals)

test('a campaign is linked once to a placement of another account’s site, switched and unlinked', async () => {
  const market = await marketOn(await freshDatabase())
  const { deps } = market
  const target = await linked(market)

  expect(await refusal(bookPlacement(deps, target))).toBe('CAMPAIGN_PLACEMENT_ALREADY_EXISTS')
  expect(
    await refusal(
      changeCampaignPlacement(deps, { ...target, isActive: false, expectedVersion: 2 }),
    ),
  ).toBe('VERSION_MISMATCH')
  await changeCampaignPlacement(deps, { ...target, isActive: false, expectedVersion: 1 })
  expect((await listCampaignPlacements(deps.db, { ...target, query: {} })).items).toMatchObject([
    { placementId: target.placementId, placementSlug: 'home-top', isActive: false, version: 2 },
  ])
  await removePlacement(deps, target)
  expect(await refusal(removePlacement(deps, target))).toBe('CAMPAIGN_PLACEMENT_NOT_FOUND')
  expect(await refusal(bookPlacement(deps, { ...target, placementId: target.campaignId }))).toBe(
    'PLACEMENT_NOT_FOUND',
  )
  expect(deps.audited.slice(-3).map(({ action }) => action)).toEqual([
    'placement-link.create',
    'placement-link.update',
    'placement-link.delete',
  ])
})

test('a campaign of another account shows no placements and no assignments, and accepts none', async () => {
  const market = await marketOn(await freshDatabase())
  const target = { ...(await linked(market)), actor: (await addMarket(market.deps)).actor }
  const { publicId: bannerId } = await market.addBanner()
  const attempts = [
    listCampaignPlacements(market.deps.db, { ...target, query: {} }),
    bookPlacement(market.deps, target),
    removePlacement(market.deps, target),
    assignBanner(market.deps, { ...target, bannerId, fields: {} }),
    listAssignments(market.deps.db, { ...target, query: {} }),
  ]

  expect(await Promise.all(attempts.map(refusal))).toEqual(attempts.map(() => 'CAMPAIGN_NOT_FOUND'))
})

test('a banner is assigned once, changed with its version, and removed', async () => {
  const market = await marketOn(await freshDatabase())
  const { deps } = market
  const { publicId: bannerId } = await market.addBanner()
  const target = { ...(await linked(market)), bannerId }

  expect(await refusal(getAssignment(deps.db, target))).toBe('BANNER_ASSIGNMENT_NOT_FOUND')
  await assignBanner(deps, { ...target, fields: { weight: 7 } })
  expect(await refusal(assignBanner(deps, { ...target, fields: {} }))).toBe(
    'BANNER_ASSIGNMENT_ALREADY_EXISTS',
  )
  const fields = { overrideHeadline: 'Now', isFallback: true, fallbackPriority: 1 }
  expect(await refusal(changeAssignment(deps, { ...target, fields, expectedVersion: 9 }))).toBe(
    'VERSION_MISMATCH',
  )
  await changeAssignment(deps, { ...target, fields, expectedVersion: 1 })
  expect(await getAssignment(deps.db, target)).toMatchObject({
    ...fields,
    weight: 7,
    displayOrder: 0,
    version: 2,
  })
  await unassignBanner(deps, target)
  expect(await refusal(unassignBanner(deps, target))).toBe('BANNER_ASSIGNMENT_NOT_FOUND')
})

test('a campaign shows banners of its own advertiser only', async () => {
  const market = await marketOn(await freshDatabase())
  const { deps, actor } = market
  const { publicId: bannerId } = await (await addMarket(deps)).addBanner()
  const target = { ...(await linked(market)), bannerId, fields: {} }
  const platform = { ...actor, principal: { ...actor.principal, isPlatform: true } }

  expect(await refusal(assignBanner(deps, target))).toBe('BANNER_NOT_FOUND')
  expect(await refusal(assignBanner(deps, { ...target, actor: platform }))).toBe(
    'BANNER_OF_ANOTHER_ADVERTISER',
  )
})

test('assignments are listed in their display order, page after page', async () => {
  const market = await marketOn(await freshDatabase())
  const { deps } = market
  const target = await linked(market)
  for (const displayOrder of [2, 0, 1, 1]) {
    const { publicId: bannerId } = await market.addBanner()
    await assignBanner(deps, { ...target, bannerId, fields: { displayOrder } })
  }

  const orders: unknown[] = []
  let cursor: string | undefined
  do {
    const query = { limit: 1, ...(cursor && { cursor }) }
    const page = await listAssignments(deps.db, { ...target, query })
    orders.push(...page.items.map(({ displayOrder }) => displayOrder))
    cursor = page.nextCursor
  } while (cursor)

  expect(orders).toEqual([0, 1, 1, 2])
})

test('a banner on a site waits for the site’s approval, which is requested once', async () => {
  const market = await marketOn(await freshDatabase())
  const { deps } = market
  const campaignId = await market.addCampaign()
  await market.addAd(campaignId)
  const { placementId, siteKey } = await addShownPlacement(deps)
  const target = { campaignId, placementId, actor: market.actor }

  await bookPlacement(deps, target)
  expect(await approvalsIn(market)).toHaveLength(1)
  const assigned = await market.addBanner()
  await assignBanner(deps, { ...target, bannerId: assigned.publicId, fields: {} })
  await market.addAd(campaignId)
  expect(await approvalsIn(market)).toHaveLength(3)
  await removePlacement(deps, target)
  await bookPlacement(deps, target)

  const approvals = await approvalsIn(market)
  expect(approvals).toHaveLength(3)
  expect(approvals[1]).toEqual({ siteId: siteKey, bannerId: assigned.id, status: 'pending' })
})

test('unlinking a placement deletes its assignments, each with an audit entry', async () => {
  const market = await marketOn(await freshDatabase())
  const { deps } = market
  const target = await linked(market)
  const { publicId: bannerId } = await market.addBanner()
  await assignBanner(deps, { ...target, bannerId, fields: { weight: 3 } })

  await removePlacement(deps, target)

  expect(await deps.db.select({ id: bannerAssignments.bannerId }).from(bannerAssignments)).toEqual(
    [],
  )
  expect(deps.audited.slice(-2)).toMatchObject([
    {
      action: 'banner-assignment.delete',
      entityId: `${target.campaignId}/${target.placementId}/${bannerId}`,
      before: { bannerId, campaignId: target.campaignId, weight: 3 },
    },
    { action: 'placement-link.delete' },
  ])
})

test('an advertiser blocks a site once, sees the block, and removes it', async () => {
  const market = await marketOn(await freshDatabase())
  const { deps, advertiserId, actor } = market
  const { siteId } = await addShownPlacement(deps)
  const target = { advertiserId, siteId, actor }

  await blockSite(deps, target)
  await blockSite(deps, target)
  expect((await listSiteBlocks(deps.db, { ...target, query: {} })).items).toMatchObject([
    { siteId, siteDomain: 'home-top.example' },
  ])
  await unblockSite(deps, target)
  expect(await refusal(unblockSite(deps, target))).toBe('SITE_BLOCK_NOT_FOUND')
  expect(await refusal(blockSite(deps, { ...target, siteId: advertiserId }))).toBe('SITE_NOT_FOUND')
  const stranger = (await addMarket(deps)).actor
  expect(await refusal(blockSite(deps, { ...target, actor: stranger }))).toBe(
    'ADVERTISER_NOT_FOUND',
  )
  expect(
    deps.audited.filter(({ entity }) => entity === 'site block').map(({ action }) => action),
  ).toEqual(['site-block.create', 'site-block.delete'])
})

import { sql } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { listRows, patchRow, present, type Values } from '../../../platform/resources/index.ts'
import { aCatalogue, addSite, codeOf, targetOf } from '../../../testing/worlds/catalogue.ts'
import { actorOf, addAccount } from '../../../testing/world.ts'
import { decideApproval, submitForApproval } from '../operations.ts'
import { requestApprovals, requestApprovalsOfSlot } from './operations-review.ts'
import { banner, creativeApproval } from '../resources.ts'

test('the site decides about a banner; its owner asks for approval, can read the answer and cannot decide', async () => {
  const catalogue = await aCatalogue()
  const { deps, buying, selling, addBanner } = catalogue
  const { siteId } = await addSite(catalogue)
  const bannerId = String((await addBanner()).publicId)

  const submitted = await submitForApproval(deps, { body: { bannerId, siteId }, actor: buying })
  const target = { publicId: String(submitted.publicId) }
  const byOwner = decideApproval(deps, { ...target, actor: buying, action: 'approve' })
  expect(await codeOf(byOwner)).toBe('CREATIVE_APPROVAL_NOT_FOUND')
  const decided = await decideApproval(deps, {
    ...target,
    actor: selling,
    action: 'reject',
    reason: 'Too loud',
  })

  expect(present(creativeApproval, decided)).toMatchObject({
    bannerId,
    siteId,
    siteDomain: 'shop.example',
    bannerTitle: 'Autumn sale',
    bannerImageUrl: 'https://cdn.example/a.png',
    status: 'rejected',
    reason: 'Too loud',
    decidedAt: '2026-06-15T12:00:00.000Z',
  })
  for (const { principal } of [buying, selling]) {
    const { items } = await listRows(deps, creativeApproval, {
      query: { status: 'rejected', siteId, bannerId },
      scope: principal,
    })
    expect(items).toHaveLength(1)
  }
})

test('nobody can ask for approval of another account’s banner, and a stranger reads no approval', async () => {
  const catalogue = await aCatalogue()
  const { deps, buying, addBanner } = catalogue
  const { siteId } = await addSite(catalogue)
  const body = { bannerId: String((await addBanner()).publicId), siteId }
  const stranger = actorOf(await addAccount(deps, 'advertiser'))
  await submitForApproval(deps, { body, actor: buying })

  const { items } = await listRows(deps, creativeApproval, {
    query: {},
    scope: stranger.principal,
  })

  expect(items).toEqual([])
  expect(await codeOf(submitForApproval(deps, { body, actor: stranger }))).toBe('BANNER_NOT_FOUND')
  expect(await codeOf(submitForApproval(deps, { body, actor: buying }))).toBe(
    'CREATIVE_APPROVAL_ALREADY_EXISTS',
  )
})

test('a decision is made once, and can be revoked', async () => {
  const catalogue = await aCatalogue()
  const { deps, buying, selling, addBanner } = catalogue
  const { siteId } = await addSite(catalogue)
  const body = { bannerId: String((await addBanner()).publicId), siteId }
  const submitted = await submitForApproval(deps, { body, actor: buying })
  const target = targetOf(submitted, selling)

  await decideApproval(deps, { ...target, action: 'approve' })
  const again = decideApproval(deps, { ...target, action: 'approve' })
  expect(await codeOf(again)).toBe('CREATIVE_APPROVAL_INVALID_TRANSITION')
  const revoked = await decideApproval(deps, { ...target, action: 'revoke' })

  expect(revoked).toMatchObject({ status: 'pending', decidedAt: null })
})

test('new content returns every approval to pending, a new schedule does not', async () => {
  const catalogue = await aCatalogue()
  const { deps, buying, selling, addBanner } = catalogue
  const made = await addBanner()
  const bannerId = String(made.publicId)
  const submit = async (name: string) => {
    const { siteId } = await addSite(catalogue, name)
    return submitForApproval(deps, { body: { bannerId, siteId }, actor: buying })
  }
  const first = await submit('one')
  const second = await submit('two')
  await decideApproval(deps, { ...targetOf(first, selling), action: 'approve' })
  const change = (body: Values) => patchRow(deps, banner, { ...targetOf(made, buying), body })
  const statuses = async () => {
    const { items } = await listRows(deps, creativeApproval, {
      query: { sort: 'createdAt' },
      scope: selling.principal,
    })
    return items.map(({ status, version }) => [status, version])
  }

  await change({ priority: 3, publishAt: '2026-06-01T00:00:00Z' })
  expect(await statuses()).toEqual([
    ['approved', 2],
    ['pending', 1],
  ])
  await change({ headline: 'Another promise' })
  expect(await statuses()).toEqual([
    ['pending', 3],
    ['pending', 2],
  ])

  const stale = { ...targetOf(second, selling), expectedVersion: 1, action: 'approve' as const }
  expect(await codeOf(decideApproval(deps, stale))).toBe('VERSION_MISMATCH')
  const returned = deps.audited.filter(({ action }) => action.endsWith('return-to-pending'))
  expect(returned).toMatchObject([{ entityId: first.publicId, before: { status: 'approved' } }])
})

test('each site that shows a placement is submitted once to approve its banners', async () => {
  const catalogue = await aCatalogue()
  const { deps, selling, addBanner } = catalogue
  const { placementId } = await addSite(catalogue, 'one')
  await addSite(catalogue, 'two')
  const bannerIds = [(await addBanner()).id as bigint, (await addBanner()).id as bigint]

  await requestApprovals(deps, { bannerIds, placementId })
  await requestApprovals(deps, { bannerIds, placementId })
  await requestApprovals(deps, { bannerIds: [], placementId })

  const { items } = await listRows(deps, creativeApproval, {
    query: {},
    scope: selling.principal,
  })
  expect(items.map(({ siteDomain, status }) => [siteDomain, status])).toEqual([
    ['one.example', 'pending'],
    ['one.example', 'pending'],
  ])
})

test('a new slot asks its site to approve what is already booked on the placement', async () => {
  const catalogue = await aCatalogue()
  const { deps, selling, buyer, advertiser, addBanner } = catalogue
  const { placementId } = await addSite(catalogue)
  const made = await addBanner()
  await deps.db.execute(sql`
    with run as (
      insert into campaigns (public_id, account_id, advertiser_id, name, created_at, updated_at)
      values (${deps.ids.next()}, ${buyer.id}, ${advertiser.id}, 'Sale', now(), now()) returning id
    ), link as (
      insert into campaign_placements (campaign_id, placement_id, created_at)
      select id, ${placementId}, now() from run returning campaign_id
    )
    insert into banner_assignments (campaign_id, placement_id, banner_id, created_at, updated_at)
    select campaign_id, ${placementId}, ${made.id as bigint}, now(), now() from link`)

  await requestApprovalsOfSlot(deps, { placementId })

  const { items } = await listRows(deps, creativeApproval, {
    query: {},
    scope: selling.principal,
  })
  expect(items).toMatchObject([{ bannerId: made.publicId, status: 'pending' }])
})

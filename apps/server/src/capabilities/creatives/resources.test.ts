import { sql } from 'drizzle-orm'
import { expect, test } from 'vitest'
import {
  createRow,
  listRows,
  patchRow,
  present,
  removeRow,
  type Actor,
  type Resource,
  type Values,
} from '../../platform/resources/index.ts'
import { restoreRow } from '../../platform/resources/operations.ts'
import { freshDatabase } from '../../testing/database.ts'
import { actorOf, addAccount, depsOn } from '../../testing/world.ts'
import { advertisers } from '../campaigns/tables.ts'
import { placement, publisher, site, slot } from '../inventory/index.ts'
import { decideApproval, importReferences, submitForApproval, switchBanner } from './operations.ts'
import { requestApprovals, requestApprovalsOfSlot } from './operations-review.ts'
import { banner, brand, creativeApproval, seo } from './resources.ts'

async function aWorld() {
  const deps = depsOn(await freshDatabase())
  const buyer = await addAccount(deps, 'advertiser')
  const seller = await addAccount(deps, 'publisher')
  const now = deps.clock.now()
  const [advertiser] = await deps.db
    .insert(advertisers)
    .values({
      publicId: deps.ids.next(),
      accountId: buyer.id,
      name: 'Northwind',
      currency: 'EUR',
      createdAt: now,
      updatedAt: now,
    })
    .returning()
  const buying = actorOf(buyer)
  const addBanner = (body: Values = {}) =>
    createRow(deps, banner, {
      body: {
        advertiserId: advertiser!.publicId,
        title: 'Autumn sale',
        primaryImageUrl: 'https://cdn.example/a.png',
        ...body,
      },
      actor: buying,
    })
  const selling = actorOf(seller)
  return { deps, buyer, seller, buying, selling, advertiser: advertiser!, addBanner }
}

type World = Awaited<ReturnType<typeof aWorld>>

/** A publisher's site with one slot. */
async function addSite({ deps, seller, selling }: World, name = 'shop') {
  const make = async (resource: Resource, body: Values) =>
    createRow(deps, resource, { body, actor: selling })
  const account = { accountId: seller.publicId, name: 'The Daily', currency: 'EUR' }
  const publisherId = (await make(publisher, account)).publicId
  const place = await make(placement, { publisherId, slug: name, label: name, layoutType: 'popup' })
  const made = await make(site, { publisherId, name, domain: `${name}.example` })
  const slotBody = { name: 'Top', width: 300, height: 250 }
  await make(slot, { ...slotBody, siteId: made.publicId, placementId: place.publicId })
  return { siteId: String(made.publicId), placementId: place.id as bigint }
}

const targetOf = (row: Values, actor: Actor) => ({ publicId: String(row.publicId), actor })

const codeOf = (work: Promise<unknown>) =>
  work.then(
    () => 'accepted',
    (error: Error & { kind?: { code: string } }) => error.kind?.code ?? error.message,
  )

test('a banner takes every column and shows the name of its advertiser', async () => {
  const { deps, buying, advertiser, addBanner } = await aWorld()
  const brandId = (await createRow(deps, brand, { body: { name: 'Acme' }, actor: buying })).publicId
  const body = {
    advertiserId: advertiser.publicId,
    title: 'Autumn',
    description: 'Everything',
    source: 'sponsored',
    format: 'video',
    isActive: false,
    primaryImageUrl: '/api/v1/assets/01890000-0000-7000-8000-000000000001/file',
    primaryImageAlt: 'A garden',
    mobileImageUrl: 'https://cdn.example/m.png',
    videoUrl: 'https://cdn.example/a.mp4',
    html: '<b>Sale</b>',
    mediaVariants: { 'de-DE': 'https://cdn.example/de.png' },
    width: 300,
    height: 250,
    headline: 'Sale',
    subheadline: 'Half off',
    ctaLabel: 'Shop',
    ctaUrl: 'https://shop.example',
    ctaOpenNewTab: true,
    utmSource: 'a',
    utmMedium: 'b',
    utmCampaign: 'c',
    utmContent: 'd',
    brandId,
    categoryId: null,
    adProductCategory: '1002',
    tags: ['sale', 'autumn'],
    bgColor: '#ffaa00',
    priority: 5,
    publishAt: '2026-07-01T00:00:00.000Z',
    expiresAt: '2026-08-01T00:00:00.000Z',
    scheduleTimezone: 'Asia/Kathmandu',
    recurrenceRule: 'FREQ=WEEKLY;BYDAY=MO',
    recurrenceWindowStart: '22:00:00',
    recurrenceWindowEnd: '06:00:00',
    isEvergreenFallback: true,
    fallbackPlaceholderUrl: 'https://cdn.example/empty.png',
  }

  const made = await addBanner(body)

  expect(present(banner, made)).toMatchObject({
    ...body,
    advertiserName: 'Northwind',
    scheduleStatus: 'scheduled',
    productId: null,
    seoId: null,
    createdBy: null,
  })
})

test('the schedule status follows the dates at every change', async () => {
  const { deps, buying, addBanner } = await aWorld()
  const made = await addBanner()
  const schedule = (body: Values) => patchRow(deps, banner, { ...targetOf(made, buying), body })
  expect(made.scheduleStatus).toBe('evergreen')

  const scheduled = await schedule({ publishAt: '2026-06-16T00:00:00Z' })
  deps.clock.moveTo('2026-06-16T00:00:00Z')
  const active = await schedule({ expiresAt: '2026-06-17T00:00:00Z' })
  const evergreen = await schedule({ publishAt: null, expiresAt: null })

  const statuses = [scheduled, active, evergreen].map(({ scheduleStatus }) => scheduleStatus)
  expect(statuses).toEqual(['scheduled', 'active', 'evergreen'])
})

test('a schedule that ends before it begins, or a rule that is none, is refused with every fault', async () => {
  const { deps, buying, addBanner } = await aWorld()
  const made = await addBanner({ publishAt: '2026-07-01T00:00:00Z' })

  const work = patchRow(deps, banner, {
    ...targetOf(made, buying),
    body: { expiresAt: '2026-07-01T00:00:00Z', recurrenceRule: 'FREQ=YEARLY;COUNT=1' },
  })

  await expect(work).rejects.toMatchObject({
    kind: { code: 'BANNER_SCHEDULE_INVALID', status: 400 },
    faults: [
      { path: 'body/recurrenceRule' },
      { path: 'body/recurrenceRule' },
      { path: 'body/expiresAt' },
    ],
  })
})

test('a recurrence rule is kept in its one form', async () => {
  const { addBanner } = await aWorld()

  const made = await addBanner({ recurrenceRule: 'rrule:byday=fr,mo;freq=weekly;interval=1' })

  expect(made.recurrenceRule).toBe('FREQ=WEEKLY;BYDAY=MO,FR')
})

test('references must exist; what they named may go, and leaves the banner without', async () => {
  const { deps, buying, addBanner } = await aWorld()
  const missing = '01890000-0000-7000-8000-00000000dead'
  expect(await codeOf(addBanner({ seoId: missing }))).toBe('BANNER_SEO_NOT_FOUND')
  expect(await codeOf(addBanner({ brandId: missing }))).toBe('BRAND_NOT_FOUND')
  expect(await codeOf(addBanner({ advertiserId: missing }))).toBe('ADVERTISER_NOT_FOUND')

  const record = await createRow(deps, seo, { body: { name: 'Sale' }, actor: buying })
  const made = await addBanner({ seoId: record.publicId })
  await removeRow(deps, seo, targetOf(record, buying))

  const { items } = await listRows(deps.db, banner, { query: {}, scope: buying.principal })
  expect(items).toMatchObject([{ id: made.publicId, seoId: null }])
})

test('a banner is switched off and on, deleted once and restored once', async () => {
  const { deps, buying, addBanner } = await aWorld()
  const target = targetOf(await addBanner(), buying)

  const off = await switchBanner(deps, { ...target, isActive: false })
  const on = await switchBanner(deps, { ...target, isActive: true })
  await removeRow(deps, banner, target)

  expect([off.isActive, on.isActive]).toEqual([false, true])
  expect(await codeOf(removeRow(deps, banner, target))).toBe('BANNER_ALREADY_DELETED')
  expect(await codeOf(switchBanner(deps, { ...target, isActive: true }))).toBe('BANNER_NOT_FOUND')
  expect(await codeOf(restoreRow(deps, banner, target))).toBe('accepted')
  expect(await codeOf(restoreRow(deps, banner, target))).toBe('BANNER_NOT_DELETED')
})

test('banners are found by each of their filters', async () => {
  const { deps, buying, advertiser, addBanner } = await aWorld()
  const acme = (await createRow(deps, brand, { body: { name: 'Acme' }, actor: buying })).publicId
  await addBanner({ title: 'Plain' })
  await addBanner({
    title: 'Summer garden',
    isActive: false,
    format: 'native',
    tags: ['sale', 'garden'],
    brandId: acme,
    publishAt: '2030-01-01T00:00:00Z',
  })
  const gone = await addBanner({ title: 'Gone' })
  await removeRow(deps, banner, targetOf(gone, buying))
  const titles = async (query: Values) => {
    const { items } = await listRows(deps.db, banner, { query, scope: buying.principal })
    return items.map(({ title }) => title)
  }

  for (const query of [
    { isActive: false },
    { scheduleStatus: 'scheduled' },
    { format: 'native' },
    { tags: 'garden' },
    { brandId: acme },
    { search: 'gard sum' },
  ]) {
    expect(await titles(query)).toEqual(['Summer garden'])
  }
  const advertiserId = advertiser.publicId
  expect(await titles({ advertiserId, sort: 'title' })).toEqual(['Plain', 'Summer garden'])
  expect(await titles({ includeDeleted: true, sort: 'title' })).toEqual([
    'Gone',
    'Plain',
    'Summer garden',
  ])
})

test('an import adds what is new, renames what is known, and leaves the rest alone', async () => {
  const { deps, buying } = await aWorld()
  const run = (...names: [string, string][]) =>
    importReferences(deps, {
      resource: brand,
      actor: buying,
      items: names.map(([externalId, name]) => ({ externalId, name })),
    })

  const first = await run(['a', 'Acme'], ['b', 'Bolt'])
  const second = await run(['a', 'Acme'], ['b', 'Bolts'], ['c', 'Crane'])
  const third = await run(['a', 'Acme'])

  expect(first).toEqual({ created: 2, updated: 0, unchanged: 0 })
  expect(second).toEqual({ created: 1, updated: 1, unchanged: 1 })
  expect(third).toEqual({ created: 0, updated: 0, unchanged: 1 })
  const { items } = await listRows(deps.db, brand, {
    query: { sort: 'name' },
    scope: buying.principal,
  })
  expect(items.map(({ name, version }) => [name, version])).toEqual([
    ['Acme', 1],
    ['Bolts', 2],
    ['Crane', 1],
  ])
  expect(deps.audited).toHaveLength(2)
  expect(deps.audited[1]).toMatchObject({
    action: 'brand.import',
    before: { rows: [{ externalId: 'b', name: 'Bolt' }] },
    after: {
      rows: [
        { externalId: 'b', name: 'Bolts' },
        { externalId: 'c', name: 'Crane' },
      ],
    },
  })
})

test('an import that names one thing twice is refused whole', async () => {
  const { deps, buying } = await aWorld()
  const item = { externalId: 'a', name: 'Acme' }

  const work = importReferences(deps, { resource: brand, actor: buying, items: [item, item] })

  await expect(work).rejects.toMatchObject({ faults: [{ path: 'body/items/1/externalId' }] })
})

test('an external id names one reference', async () => {
  const { deps, buying } = await aWorld()
  const body = { name: 'Acme', externalId: 'a' }
  for (const resource of [brand, seo]) await createRow(deps, resource, { body, actor: buying })

  expect(await codeOf(createRow(deps, brand, { body, actor: buying }))).toBe(
    'BRAND_EXTERNAL_ID_EXISTS',
  )
  expect(await codeOf(createRow(deps, seo, { body, actor: buying }))).toBe('SEO_EXTERNAL_ID_EXISTS')
})

test('the site decides about a banner; its owner asks, reads along and cannot decide', async () => {
  const world = await aWorld()
  const { deps, buying, selling, addBanner } = world
  const { siteId } = await addSite(world)
  const bannerId = String((await addBanner()).publicId)

  const asked = await submitForApproval(deps, { body: { bannerId, siteId }, actor: buying })
  const target = { publicId: String(asked.publicId) }
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
    const { items } = await listRows(deps.db, creativeApproval, {
      query: { status: 'rejected', siteId, bannerId },
      scope: principal,
    })
    expect(items).toHaveLength(1)
  }
})

test('nobody asks about a banner of others, and a stranger reads no approval', async () => {
  const world = await aWorld()
  const { deps, buying, addBanner } = world
  const { siteId } = await addSite(world)
  const body = { bannerId: String((await addBanner()).publicId), siteId }
  const stranger = actorOf(await addAccount(deps, 'advertiser'))
  await submitForApproval(deps, { body, actor: buying })

  const { items } = await listRows(deps.db, creativeApproval, {
    query: {},
    scope: stranger.principal,
  })

  expect(items).toEqual([])
  expect(await codeOf(submitForApproval(deps, { body, actor: stranger }))).toBe('BANNER_NOT_FOUND')
  expect(await codeOf(submitForApproval(deps, { body, actor: buying }))).toBe(
    'CREATIVE_APPROVAL_ALREADY_EXISTS',
  )
})

test('a decision is taken once, and can be taken back', async () => {
  const world = await aWorld()
  const { deps, buying, selling, addBanner } = world
  const { siteId } = await addSite(world)
  const body = { bannerId: String((await addBanner()).publicId), siteId }
  const asked = await submitForApproval(deps, { body, actor: buying })
  const target = targetOf(asked, selling)

  await decideApproval(deps, { ...target, action: 'approve' })
  const again = decideApproval(deps, { ...target, action: 'approve' })
  expect(await codeOf(again)).toBe('CREATIVE_APPROVAL_INVALID_TRANSITION')
  const revoked = await decideApproval(deps, { ...target, action: 'revoke' })

  expect(revoked).toMatchObject({ status: 'pending', decidedAt: null })
})

test('new content brings every approval back to pending; a new schedule leaves them', async () => {
  const world = await aWorld()
  const { deps, buying, selling, addBanner } = world
  const made = await addBanner()
  const bannerId = String(made.publicId)
  const sites = [await addSite(world, 'one'), await addSite(world, 'two')]
  const [first, second] = await Promise.all(
    sites.map(({ siteId }) =>
      submitForApproval(deps, { body: { bannerId, siteId }, actor: buying }),
    ),
  )
  await decideApproval(deps, { ...targetOf(first!, selling), action: 'approve' })
  const change = (body: Values) => patchRow(deps, banner, { ...targetOf(made, buying), body })
  const statuses = async () => {
    const { items } = await listRows(deps.db, creativeApproval, {
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

  const stale = { ...targetOf(second!, selling), expectedVersion: 1, action: 'approve' as const }
  expect(await codeOf(decideApproval(deps, stale))).toBe('VERSION_MISMATCH')
  const returned = deps.audited.filter(({ action }) => action.endsWith('return-to-pending'))
  expect(returned).toMatchObject([{ entityId: first!.publicId, before: { status: 'approved' } }])
})

test('each site that shows a placement is asked about its banners, once', async () => {
  const world = await aWorld()
  const { deps, selling, addBanner } = world
  const { placementId } = await addSite(world, 'one')
  await addSite(world, 'two')
  const bannerIds = [(await addBanner()).id as bigint, (await addBanner()).id as bigint]

  await requestApprovals(deps, { bannerIds, placementId })
  await requestApprovals(deps, { bannerIds, placementId })
  await requestApprovals(deps, { bannerIds: [], placementId })

  const { items } = await listRows(deps.db, creativeApproval, {
    query: {},
    scope: selling.principal,
  })
  expect(items.map(({ siteDomain, status }) => [siteDomain, status])).toEqual([
    ['one.example', 'pending'],
    ['one.example', 'pending'],
  ])
})

test('a new slot asks its site about what is booked on the placement already', async () => {
  const world = await aWorld()
  const { deps, selling, buyer, advertiser, addBanner } = world
  const { placementId } = await addSite(world)
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

  const { items } = await listRows(deps.db, creativeApproval, {
    query: {},
    scope: selling.principal,
  })
  expect(items).toMatchObject([{ bannerId: made.publicId, status: 'pending' }])
})

import { DAY_SECONDS } from '@placard/calendar'
import { sql } from 'drizzle-orm'
import { expect, test } from 'vitest'
import {
  createRow,
  listRows,
  patchRow,
  present,
  removeRow,
  type Resource,
  type Values,
} from '../../platform/resources/index.ts'
import { restoreRow } from '../../platform/resources/operations.ts'
import { codeOf } from '../../testing/worlds/catalogue.ts'
import { freshDatabase } from '../../testing/services/database.ts'
import { actorOf, addAccount, depsOn, type TestDeps } from '../../testing/world.ts'
import { placement, publisher, site, slot } from './resources.ts'

async function aPublisher() {
  const deps = depsOn(await freshDatabase())
  const account = await addAccount(deps, 'publisher')
  const actor = actorOf(account)
  const make = (resource: Resource, body: Values) => createRow(deps, resource, { body, actor })
  const body = { accountId: account.publicId, name: 'The Daily', currency: 'EUR' }
  const made = await make(publisher, body)
  return { deps, account, actor, make, publisherId: String(made.publicId) }
}

const siteBody = (publisherId: string) => ({ publisherId, name: 'Shop', domain: 'shop.example' })
const placementBody = (publisherId: string) => ({
  publisherId,
  slug: 'home-hero',
  label: 'Home page, top',
  layoutType: 'full_slider',
})

test('a site is stored with the normal form of its domain and a complete pacing config', async () => {
  const { make, publisherId } = await aPublisher()

  const made = await make(site, {
    ...siteBody(publisherId),
    domain: 'WWW.Shop.Example',
    pacing: { warmupMode: true },
  })

  expect(present(site, made)).toMatchObject({
    publisherId,
    domain: 'shop.example',
    crawlDepth: 2,
    approvalRequired: true,
    pacing: { warmupMode: true, dayDurationSeconds: DAY_SECONDS, testThrottleOverride: null },
  })
})

test('a patch of the pacing changes only the fields it names', async () => {
  const { deps, make, actor, publisherId } = await aPublisher()
  const pacing = { dayDurationSeconds: 600 }
  const made = await make(site, { ...siteBody(publisherId), pacing })

  const patched = await patchRow(deps, site, {
    publicId: String(made.publicId),
    actor,
    body: { pacing: { warmupMode: true } },
  })

  expect(patched.pacing).toMatchObject({ warmupMode: true, dayDurationSeconds: 600 })
})

test('a publisher has one live site per domain', async () => {
  const { deps, actor, make, publisherId } = await aPublisher()
  const first = await make(site, siteBody(publisherId))
  const duplicate = make(site, { ...siteBody(publisherId), domain: 'Shop.Example.' })
  expect(await codeOf(duplicate)).toBe('SITE_DOMAIN_EXISTS')

  const target = { publicId: String(first.publicId), actor }
  await removeRow(deps, site, target)
  await make(site, siteBody(publisherId))

  expect(await codeOf(restoreRow(deps, site, target))).toBe('SITE_DOMAIN_EXISTS')
})

test('a bad domain and a bad schedule are refused together', async () => {
  const { make, publisherId } = await aPublisher()
  const body = { ...siteBody(publisherId), domain: 'http://shop', crawlCron: 'often' }

  await expect(make(site, body)).rejects.toMatchObject({
    kind: { code: 'INVALID_REQUEST' },
    faults: [{ path: 'body/domain' }, { path: 'body/crawlCron' }],
  })
})

test('a placement takes every column, and shows the currency of its publisher', async () => {
  const { make, publisherId } = await aPublisher()
  const body = {
    ...placementBody(publisherId),
    type: 'feed',
    mode: 'hybrid',
    rotation: 'weighted',
    pageContext: 'home',
    maxBanners: 3,
    recommendedWidth: 1200,
    recommendedHeight: 400,
    recommendedAspectRatio: '3:1',
    formats: ['single_image', 'native'],
    floorMicros: '9007199254740993',
    timeZone: 'Asia/Kathmandu',
    notes: 'Above the fold',
    isActive: false,
    sortOrder: 7,
    fallbackPlaceholderUrl: 'https://cdn.example/empty.png',
    allowPartialRender: true,
  }

  const made = await make(placement, body)

  expect(present(placement, made)).toMatchObject({ ...body, currency: 'EUR', version: 1 })
})

test('a slug can change, and is refused if it is taken, even by a deleted placement', async () => {
  const { deps, actor, make, publisherId } = await aPublisher()
  const first = await make(placement, placementBody(publisherId))
  const second = await make(placement, { ...placementBody(publisherId), slug: 'sidebar' })
  await removeRow(deps, placement, { publicId: String(first.publicId), actor })

  const rename = (slug: string) =>
    patchRow(deps, placement, { publicId: String(second.publicId), actor, body: { slug } })

  expect(await codeOf(make(placement, placementBody(publisherId)))).toBe('PLACEMENT_SLUG_EXISTS')
  expect(await codeOf(rename('home-hero'))).toBe('PLACEMENT_SLUG_EXISTS')
  expect(await rename('side')).toMatchObject({ slug: 'side' })
})

test('a placement with an active assignment cannot be deleted, unless its campaign is deleted', async () => {
  const { deps, actor, account, make, publisherId } = await aPublisher()
  const made = await make(placement, placementBody(publisherId))
  await assignBanner(deps, { accountId: account.id, placementId: made.id as bigint })
  const remove = () => removeRow(deps, placement, { publicId: String(made.publicId), actor })

  expect(await codeOf(remove())).toBe('PLACEMENT_HAS_ACTIVE_ASSIGNMENTS')
  await deps.db.execute(sql`update campaigns set deleted_at = now()`)
  expect(await codeOf(remove())).toBe('accepted')
})

test('a placement whose assignments are all inactive can be deleted, once, and restored', async () => {
  const { deps, actor, account, make, publisherId } = await aPublisher()
  const made = await make(placement, placementBody(publisherId))
  await assignBanner(deps, { accountId: account.id, placementId: made.id as bigint })
  await deps.db.execute(sql`update banner_assignments set is_active = false`)
  const target = { publicId: String(made.publicId), actor }

  await removeRow(deps, placement, target)

  expect(await codeOf(removeRow(deps, placement, target))).toBe('PLACEMENT_ALREADY_DELETED')
  expect(await restoreRow(deps, placement, target)).toMatchObject({ deletedAt: null })
  expect(await codeOf(restoreRow(deps, placement, target))).toBe('PLACEMENT_NOT_DELETED')
})

test('a publisher with sites or placements cannot be deleted, and they are restored only while it exists', async () => {
  const { deps, actor, make, publisherId } = await aPublisher()
  const made = await make(site, siteBody(publisherId))
  const removePublisher = () => removeRow(deps, publisher, { publicId: publisherId, actor })
  const target = { publicId: String(made.publicId), actor }

  expect(await codeOf(removePublisher())).toBe('PUBLISHER_IN_USE')
  await removeRow(deps, site, target)
  const other = await make(placement, placementBody(publisherId))
  expect(await codeOf(removePublisher())).toBe('PUBLISHER_IN_USE')
  await removeRow(deps, placement, { publicId: String(other.publicId), actor })
  await removePublisher()

  expect(await codeOf(restoreRow(deps, site, target))).toBe('PUBLISHER_NOT_FOUND')
})

test('one publisher is the default: the first made, the one chosen, and again the first when that goes', async () => {
  const { deps, account, actor, publisherId } = await aPublisher()
  const adOps = actorOf(account, ['sites:write', 'proposals:write'])
  const addPublisher = async (name: string) =>
    String(
      (
        await createRow(deps, publisher, {
          body: { accountId: account.publicId, name, currency: 'EUR' },
          actor,
        })
      ).publicId,
    )
  const [second, third] = [await addPublisher('Second'), await addPublisher('Third')]
  const change = (publicId: string, isDefault: boolean) =>
    patchRow(deps, publisher, { publicId, actor: adOps, body: { isDefault } })
  const defaults = async () => {
    const { items } = await listRows(deps, publisher, { query: {}, scope: actor.principal })
    return items.filter(({ isDefault }) => isDefault).map(({ id }) => id)
  }
  expect(await defaults()).toEqual([publisherId])

  await change(third, true)
  expect(await defaults()).toEqual([third])
  expect(await codeOf(change(third, false))).toBe('PUBLISHER_IS_DEFAULT')
  await change(second, false)
  expect(await defaults()).toEqual([third])

  await removeRow(deps, publisher, { publicId: third, actor })
  expect(await defaults()).toEqual([publisherId])
  expect(await restoreRow(deps, publisher, { publicId: third, actor })).toMatchObject({
    isDefault: false,
  })
  expect(await defaults()).toEqual([publisherId])
})

test('two who choose the default at once leave one', async () => {
  const { deps, account, actor } = await aPublisher()
  const adOps = actorOf(account, ['sites:write', 'proposals:write'])
  const body = { accountId: account.publicId, name: 'Other', currency: 'EUR' }
  const made = await Promise.all([1, 2].map(() => createRow(deps, publisher, { body, actor })))

  await Promise.all(
    made.map(({ publicId }) =>
      deps.db.transaction((db) =>
        patchRow({ ...deps, db }, publisher, {
          publicId: String(publicId),
          actor: adOps,
          body: { isDefault: true },
        }),
      ),
    ),
  )

  const { items } = await listRows(deps, publisher, { query: {}, scope: actor.principal })
  expect(items.filter(({ isDefault }) => isDefault)).toHaveLength(1)
})

test('a site has one slot per placement', async () => {
  const { make, publisherId } = await aPublisher()
  const siteId = (await make(site, siteBody(publisherId))).publicId
  const placementId = (await make(placement, placementBody(publisherId))).publicId
  const body = { siteId, placementId, name: 'Top', width: 1200, height: 400 }

  const made = await make(slot, body)

  expect(present(slot, made)).toMatchObject({ ...body, placementSlug: 'home-hero' })
  expect(await codeOf(make(slot, body))).toBe('SLOT_ALREADY_EXISTS')
})

test('a slot joins a site and a placement of one publisher', async () => {
  const { deps, account, make, publisherId } = await aPublisher()
  const other = await make(publisher, {
    accountId: account.publicId,
    name: 'The Weekly',
    currency: 'EUR',
  })
  const siteId = (await make(site, siteBody(publisherId))).publicId
  const placementId = (await make(placement, placementBody(String(other.publicId)))).publicId
  const body = { siteId, placementId, name: 'Top', width: 1200, height: 400 }

  const refused = deps.db.transaction((db) =>
    createRow({ ...deps, db }, slot, { body, actor: actorOf(account) }),
  )

  expect(await codeOf(refused)).toBe('SLOT_PUBLISHER_MISMATCH')
})

test('a stranger sees no site, and can add nothing to one', async () => {
  const { deps, make, publisherId } = await aPublisher()
  const made = await make(site, siteBody(publisherId))
  const stranger = actorOf(await addAccount(deps, 'publisher'))

  const list = await listRows(deps, site, { query: {}, scope: stranger.principal })
  const created = await codeOf(
    createRow(deps, placement, { body: placementBody(publisherId), actor: stranger }),
  )
  const removed = await codeOf(
    removeRow(deps, site, { publicId: String(made.publicId), actor: stranger }),
  )

  expect(list.items).toEqual([])
  expect(created).toBe('PUBLISHER_NOT_FOUND')
  expect(removed).toBe('SITE_NOT_FOUND')
})

test('placements are found by publisher, slug, state and words', async () => {
  const { deps, actor, make, publisherId } = await aPublisher()
  await make(placement, placementBody(publisherId))
  await make(placement, {
    ...placementBody(publisherId),
    slug: 'article-side',
    label: 'Article, side',
    isActive: false,
  })
  const slugsOf = async (query: Values) => {
    const { items } = await listRows(deps, placement, { query, scope: actor.principal })
    return items.map(({ slug }) => slug)
  }

  expect(await slugsOf({ publisherId, sort: 'label' })).toEqual(['article-side', 'home-hero'])
  expect(await slugsOf({ slug: 'home-hero' })).toEqual(['home-hero'])
  expect(await slugsOf({ isActive: false })).toEqual(['article-side'])
  expect(await slugsOf({ search: 'art sid' })).toEqual(['article-side'])
})

/** A campaign with one banner on the placement, written directly to the tables. */
async function assignBanner(
  { db, ids }: TestDeps,
  { accountId, placementId }: { accountId: bigint; placementId: bigint },
): Promise<void> {
  await db.execute(sql`
    with buyer as (
      insert into advertisers (public_id, account_id, name, currency, created_at, updated_at)
      values (${ids.next()}, ${accountId}, 'Northwind', 'EUR', now(), now()) returning id
    ), shown as (
      insert into banners (public_id, account_id, advertiser_id, title, primary_image_url, created_at, updated_at)
      select ${ids.next()}::uuid, ${accountId}, id, 'Sale', 'https://cdn.example/a.png', now(), now()
      from buyer returning id
    ), run as (
      insert into campaigns (public_id, account_id, advertiser_id, name, created_at, updated_at)
      select ${ids.next()}::uuid, ${accountId}, id, 'Sale', now(), now() from buyer returning id
    ), link as (
      insert into campaign_placements (campaign_id, placement_id, created_at)
      select id, ${placementId}, now() from run returning campaign_id
    )
    insert into banner_assignments (campaign_id, placement_id, banner_id, created_at, updated_at)
    select link.campaign_id, ${placementId}, shown.id, now(), now() from link, shown`)
}

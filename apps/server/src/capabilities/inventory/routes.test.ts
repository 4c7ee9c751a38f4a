import { expect, test } from 'vitest'
import { freshDatabase } from '../../testing/services/database.ts'
import { allowed, serverWith } from '../../testing/http.ts'
import { actorOf, addAccount, depsOn } from '../../testing/world.ts'
import { BLOCKS_MAX } from './operations.ts'
import { inventoryRoutes } from './routes.ts'
import { siteAdProductBlocks, sites } from './tables.ts'

const ADMIN = '/api/v1/admin'

async function aServer() {
  const deps = depsOn(await freshDatabase())
  const account = await addAccount(deps, 'publisher')
  const actor = allowed(
    actorOf(account),
    'sites:read',
    'sites:write',
    'placements:read',
    'placements:write',
  )
  const appeared: bigint[] = []
  const { http, actAs } = await serverWith(deps, (http) =>
    inventoryRoutes(http, {
      ...deps,
      jobs: undefined,
      whenSlotAppears: async (_deps, slot) => void appeared.push(slot.placementId),
    }),
  )
  actAs(actor)
  const post = (path: string, payload: object) =>
    http.inject({ method: 'POST', url: `${ADMIN}${path}`, payload })
  const made = await post('/publishers', {
    accountId: account.publicId,
    name: 'The Daily',
    currency: 'EUR',
  })
  const publisherId: string = made.json().id
  return { deps, http, actAs, actor, account, post, publisherId, appeared }
}

async function aSite() {
  const server = await aServer()
  const { post, publisherId } = server
  const made = await post('/sites', { publisherId, name: 'Shop', domain: 'shop.example' })
  const blocks = `${ADMIN}/sites/${made.json().id}/ad-product-blocks`
  return { ...server, siteId: made.json().id as string, blocks }
}

test('a pacing config outside its bounds is refused with every fault named', async () => {
  const { post, publisherId } = await aServer()

  const response = await post('/sites', {
    publisherId,
    name: 'Shop',
    domain: 'shop.example',
    pacing: {
      dayDurationSeconds: 86_401,
      weekdayVolumes: [1],
      testThrottleOverride: 1.1,
      speed: 1,
    },
  })

  expect(response.statusCode).toBe(400)
  const paths = response.json().faults.map(({ path }: { path: string }) => path)
  expect(paths).toEqual(
    expect.arrayContaining([
      'body/pacing/dayDurationSeconds',
      'body/pacing/weekdayVolumes',
      'body/pacing/testThrottleOverride',
      'body/pacing/speed',
    ]),
  )
})

test('a slug that is not URL-safe is refused', async () => {
  const { post, publisherId } = await aServer()
  const create = (slug: string) =>
    post('/placements', { publisherId, slug, label: 'Home', layoutType: 'popup' })

  for (const slug of ['Home', 'home hero', 'home/hero', '-home', 'höme', '']) {
    expect((await create(slug)).json().code).toBe('INVALID_REQUEST')
  }
  expect((await create('home-hero_2')).statusCode).toBe(201)
})

test('an ad product is blocked once, listed, and accepted again; each change is audited', async () => {
  const { http, blocks, deps } = await aSite()

  const first = await http.inject({ method: 'PUT', url: `${blocks}/1002` })
  const second = await http.inject({ method: 'PUT', url: `${blocks}/1002` })
  const listed = await http.inject({ url: blocks })
  const gone = await http.inject({ method: 'DELETE', url: `${blocks}/1002` })
  const again = await http.inject({ method: 'DELETE', url: `${blocks}/1002` })

  expect(first.json()).toMatchObject({ adProductCategory: '1002' })
  expect(second.json()).toEqual(first.json())
  expect(listed.json()).toEqual({ items: [first.json()] })
  expect([gone.statusCode, again.statusCode]).toEqual([204, 404])
  expect(again.json().code).toBe('AD_PRODUCT_BLOCK_NOT_FOUND')
  expect(deps.audited.map(({ action }) => action).slice(2)).toEqual([
    'site.block-ad-product',
    'site.unblock-ad-product',
  ])
})

test('a blocklist has an end', async () => {
  const { http, blocks, deps } = await aSite()
  const [site] = await deps.db.select({ id: sites.id }).from(sites)
  await deps.db.insert(siteAdProductBlocks).values(
    Array.from({ length: BLOCKS_MAX }, (_, index) => ({
      siteId: site!.id,
      adProductCategory: `c${index}`,
      createdAt: deps.clock.now(),
    })),
  )

  const refused = await http.inject({ method: 'PUT', url: `${blocks}/1002` })
  const known = await http.inject({ method: 'PUT', url: `${blocks}/c0` })

  expect(refused.json().code).toBe('AD_PRODUCT_BLOCKLIST_FULL')
  expect(known.statusCode).toBe(200)
})

test('the blocklist of a stranger, or of a deleted site, is not there', async () => {
  const { http, blocks, deps, siteId, actAs, actor } = await aSite()
  const stranger = actorOf(await addAccount(deps, 'publisher'))

  actAs(allowed(stranger, 'sites:read', 'sites:write'))
  const strange = await http.inject({ method: 'PUT', url: `${blocks}/1002` })
  actAs(actor)
  await http.inject({ method: 'DELETE', url: `${ADMIN}/sites/${siteId}` })
  const deleted = await http.inject({ url: blocks })

  expect(strange.json().code).toBe('SITE_NOT_FOUND')
  expect(deleted.json().code).toBe('SITE_NOT_FOUND')
})

test('reading permits no change', async () => {
  const { http, blocks, actAs, actor } = await aSite()

  actAs(allowed(actor, 'sites:read'))
  const change = await http.inject({ method: 'PUT', url: `${blocks}/1002` })
  actAs(undefined)
  const nobody = await http.inject({ url: blocks })

  expect([change.statusCode, nobody.statusCode]).toEqual([403, 401])
})

test('a slot that appears, or comes back, is told to who approves; one that changes is not', async () => {
  const { http, post, publisherId, siteId, appeared } = await aSite()
  const made = await post('/placements', {
    publisherId,
    slug: 'home-hero',
    label: 'Home',
    layoutType: 'popup',
  })
  const slotBody = { siteId, placementId: made.json().id, name: 'Top', width: 300, height: 250 }

  const slot = await post('/slots', slotBody)
  const url = `${ADMIN}/slots/${slot.json().id}`
  await http.inject({ method: 'PATCH', url, payload: { width: 320 } })
  await http.inject({ method: 'DELETE', url })
  expect(appeared).toHaveLength(1)

  await http.inject({ method: 'POST', url: `${url}/restore` })
  expect(appeared).toHaveLength(2)
})

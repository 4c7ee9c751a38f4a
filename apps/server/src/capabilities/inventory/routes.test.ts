import { expect, test } from 'vitest'
import { freshDatabase } from '../../testing/services/database.ts'
import { allowed, serverWith } from '../../testing/http.ts'
import { actorOf, addAccount, depsOn } from '../../testing/world.ts'
import { BLOCKS_MAX } from './operations.ts'
import { confirmByHand } from './domains/by-hand.ts'
import { inventoryRoutes } from './routes.ts'
import { sellerRoutes } from './sellers/routes.ts'
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

test('an ad product is blocked once, listed, and unblocked, and each change is audited', async () => {
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

test('a blocklist has a maximum length', async () => {
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

test('the blocklist of a stranger’s or deleted site is not found', async () => {
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

test('permission to read allows no change', async () => {
  const { http, blocks, actAs, actor } = await aSite()

  actAs(allowed(actor, 'sites:read'))
  const change = await http.inject({ method: 'PUT', url: `${blocks}/1002` })
  actAs(undefined)
  const nobody = await http.inject({ url: blocks })

  expect([change.statusCode, nobody.statusCode]).toEqual([403, 401])
})

test('a new or restored slot starts the approval of its banners, a changed one does not', async () => {
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

test('buyers read in ads.txt and sellers.json, without signing in, who may sell a proven site', async () => {
  const deps = depsOn(await freshDatabase())
  const account = await addAccount(deps, 'publisher')
  const seller = { domain: 'placard.example', contact: 'sales@placard.example' }
  const { http, actAs } = await serverWith(deps, (http) => {
    inventoryRoutes(http, { ...deps, jobs: undefined, whenSlotAppears: async () => {} })
    sellerRoutes(http, { db: deps.db, seller })
  })
  const ROLE = ['sites:read', 'sites:write', 'placements:write'] as const
  actAs(allowed(actorOf(account), ...ROLE))
  const post = (path: string, payload: object) =>
    http.inject({ method: 'POST', url: `${ADMIN}${path}`, payload })
  const made = await post('/publishers', {
    accountId: account.publicId,
    name: 'The Daily',
    currency: 'EUR',
    domain: 'WWW.Owner.example',
  })
  const publisherId: string = made.json().id
  const line = 'exchange.example, 1234, RESELLER'
  const wrong = await post('/sites', {
    publisherId,
    name: 'A',
    domain: 'a.example',
    adsTxtLines: ['x', line, 'y,1,Z'],
  })
  await post('/sites', { publisherId, name: 'Shop', domain: 'shop.example', adsTxtLines: [line] })
  const [site] = await deps.db.select().from(sites)
  actAs(undefined)

  const unproven = await http.inject('/api/v1/admin/ads.txt?domain=shop.example')
  await confirmByHand(deps, site!)
  const byName = await http.inject('/api/v1/admin/ads.txt?domain=www.shop.example')
  const byHost = await http.inject({
    url: `${ADMIN}/app-ads.txt`,
    headers: { host: 'shop.example:8080' },
  })
  const without = await http.inject(`${ADMIN}/sellers.json`)
  actAs(allowed(actorOf(account), ...ROLE))
  await post('/placements', { publisherId, slug: 'home', label: 'Home', layoutType: 'popup' })
  actAs(undefined)
  const sellers = await http.inject(`${ADMIN}/sellers.json`)

  expect(wrong.json().faults.map(({ path }: { path: string }) => path)).toEqual([
    'body/adsTxtLines/0',
    'body/adsTxtLines/2',
  ])
  expect(unproven.json().code).toBe('ADS_TXT_SITE_UNKNOWN')
  expect(byName.headers['content-type']).toBe('text/plain; charset=utf-8')
  expect(byName.headers['cache-control']).toBe('public, max-age=3600')
  expect(byName.body).toBe(
    `# Authorised sellers of shop.example\nplacard.example, ${publisherId}, DIRECT\n` +
      `OWNERDOMAIN=owner.example\n${line}\n`,
  )
  expect(byHost.body).toBe(byName.body)
  expect(without.json().sellers).toEqual([])
  expect(sellers.json()).toEqual({
    contact_email: 'sales@placard.example',
    version: '1.0',
    identifiers: [],
    sellers: [
      {
        seller_id: publisherId,
        seller_type: 'PUBLISHER',
        is_confidential: 0,
        name: 'The Daily',
        domain: 'owner.example',
      },
    ],
  })
})

test('a platform that has not said under which domain it sells has no such files', async () => {
  const deps = depsOn(await freshDatabase())
  const seller = { domain: undefined, contact: undefined }
  const { http } = await serverWith(deps, (http) => sellerRoutes(http, { db: deps.db, seller }))

  for (const url of ['/ads.txt?domain=shop.example', '/app-ads.txt', '/sellers.json']) {
    expect((await http.inject(`${ADMIN}${url}`)).json().code).toBe('SELLER_DOMAIN_MISSING')
  }
})

import { sql } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { manualTimers } from '../../../platform/background/manual-timers.ts'
import { aContextualWorld, FOOD_AND_DRINK } from '../../../testing/worlds/contextual-world.ts'
import { allowed, serverWith } from '../../../testing/http.ts'
import { actorOf, addAccount } from '../../../testing/world.ts'
import { openUpdateStream } from '../../../platform/live-updates/update-stream.ts'
import { LiveUpdates } from '../../../platform/live-updates/live-updates.ts'
import { contextualRoutes } from '../routes.ts'

async function aPublisher() {
  const world = await aContextualWorld({ approvalRequired: true })
  await world.auction()
  const { db, deps, seller } = world
  const liveUpdates = new LiveUpdates(db)
  const timers = manualTimers()
  const server = await serverWith(deps, (http) =>
    contextualRoutes(http, { ...deps, ...world.auctionDeps, jobs: undefined, liveUpdates, timers }),
  )
  server.actAs(allowed(actorOf(seller), 'sites:read'))
  const { rows } = await db.execute<{ id: string }>(
    sql`select public_id as id from pages where url = ${world.pages.food}`,
  )
  const url = `/api/v1/admin/sites/${world.site.publicId}/pages/${rows[0]!.id}/buyers`
  return { ...world, ...server, liveUpdates, timers, buyers: () => server.http.inject({ url }) }
}

test('a publisher sees who may buy a page, and why others may not', async () => {
  const { buyers, food, sport, addBidder, placement } = await aPublisher()
  await addBidder(placement, 1_000n, { name: 'Cheap', categories: [FOOD_AND_DRINK] })

  const { items } = (await buyers()).json()

  expect(items).toMatchObject([
    {
      campaignId: food.campaign.publicId,
      category: 'Food & Drink',
      cpmMicros: '4000000',
      isApproved: false,
      isStanding: true,
      reason: null,
    },
    { campaignName: 'Cheap', isStanding: false, reason: null },
    { campaignId: sport.campaign.publicId, category: null, reason: 'category-mismatch' },
  ])
})

test('a publisher cannot see who may buy another publisher’s pages', async () => {
  const { buyers, actAs, deps } = await aPublisher()
  actAs(allowed(actorOf(await addAccount(deps, 'publisher')), 'sites:read'))

  expect((await buyers()).statusCode).toBe(404)
})

const change = (entity: string, id: bigint) => ({
  entity,
  entityId: id,
  operation: 'update' as const,
  changedAt: new Date(0),
})

async function anApproval(
  { db, seller, buyer, site, food }: Awaited<ReturnType<typeof aPublisher>>,
  status: string,
) {
  const { rows } = await db.execute<{ id: string }>(sql`insert into creative_approvals
    (public_id, account_id, site_id, banner_id, banner_account_id, status, created_at, updated_at)
    values (gen_random_uuid(), ${seller.id}, ${site.id}, ${food.ad.bannerId},
            ${buyer.id}, ${status}, now(), now()) returning id`)
  return BigInt(rows[0]!.id)
}

test('publisher and platform get live updates of a site, and the buyer those of approvals', async () => {
  const world = await aPublisher()
  const { liveUpdates, seller, buyer, site, deps } = world
  const stranger = await addAccount(deps, 'publisher')
  const heard: Record<string, string[]> = { seller: [], buyer: [], platform: [], stranger: [] }
  const listen = (name: string, accountId: bigint, isPlatform = false) =>
    liveUpdates.listen({ accountId, isPlatform }, ({ event }) => void heard[name]!.push(event))
  const leave = listen('seller', seller.id)
  listen('buyer', buyer.id)
  listen('platform', 0n, true)
  listen('stranger', stranger.id)

  await liveUpdates.onChanges([
    change('creative_approvals', await anApproval(world, 'approved')),
    change('pages', site.id),
    change('serve_index', site.id),
  ])
  leave()
  await liveUpdates.onChanges([change('pages', site.id)])

  expect(heard).toEqual({
    seller: ['approved', 'pages-updated'],
    buyer: ['approved'],
    platform: ['approved', 'pages-updated', 'pages-updated'],
    stranger: [],
  })
})

const textOf = async (stream: AsyncIterable<Buffer>) => {
  let text = ''
  for await (const chunk of stream) text += chunk.toString()
  return text
}

test('the stream sends heartbeats and updates, ends on time and removes its listener', async () => {
  const world = await aPublisher()
  const { liveUpdates, timers, seller, site } = world
  const viewer = { accountId: seller.id, isPlatform: false }
  const stream = openUpdateStream({ liveUpdates, timers }, { viewer, seconds: 30 })
  const received = textOf(stream)

  await liveUpdates.onChanges([change('pages', site.id)])
  timers.pass(30_000)

  const beat = 'event: heartbeat\ndata: {}\n\n'
  const news = `event: pages-updated\ndata: {"siteId":"${site.publicId}"}\n\n`
  expect(await received).toBe(beat + news + beat)
  expect(liveUpdates.size).toBe(0)
  expect(timers.waiting()).toEqual([])
})

test('a slow stream is closed, and a node refuses its 501st stream', async () => {
  const { liveUpdates, timers, site, seller } = await aPublisher()
  const viewer = { accountId: seller.id, isPlatform: false }
  const deps = { liveUpdates, timers }
  const slow = openUpdateStream(deps, { viewer, seconds: 600 })
  slow.cork()
  for (let round = 0; round < 1_000; round++)
    await liveUpdates.onChanges([change('pages', site.id)])
  expect(slow.destroyed).toBe(true)

  for (let one = 0; one < 500; one++) {
    const other = { accountId: BigInt(1_000 + one), isPlatform: false }
    openUpdateStream(deps, { viewer: other, seconds: 600 })
  }
  expect(() => openUpdateStream(deps, { viewer, seconds: 600 })).toThrow(/open streams/)
})

test('an account at its limit of streams does not affect other accounts', async () => {
  const { liveUpdates, timers, seller } = await aPublisher()
  const deps = { liveUpdates, timers }
  const viewer = { accountId: seller.id, isPlatform: false }
  const streams = Array.from({ length: 20 }, () => openUpdateStream(deps, { viewer, seconds: 600 }))

  expect(() => openUpdateStream(deps, { viewer, seconds: 600 })).toThrow(/20 are open/)

  openUpdateStream(deps, { viewer: { accountId: -1n, isPlatform: false }, seconds: 600 })
  streams[0]!.destroy()
  await new Promise((closed) => streams[0]!.once('close', closed))
  openUpdateStream(deps, { viewer, seconds: 600 })
})

test('the stream’s route sends events for as long as requested', async () => {
  const { http, timers } = await aPublisher()
  const asked = http.inject({ url: '/api/v1/admin/news?seconds=1' })
  await expect.poll(() => timers.waiting().length).toBe(2)
  timers.pass(1_000)

  const answer = await asked
  expect(answer.headers['content-type']).toContain('text/event-stream')
  expect(answer.body).toContain('event: heartbeat')
})

test('a publisher sees which categories its readers click, and how much that raises a score', async () => {
  const { http, db, site } = await aPublisher()
  await db.execute(sql`insert into ranker_scores (category_id, site_id, impressions, clicks, scored_at)
    values (${FOOD_AND_DRINK}, ${site.id}, 1000, 40, now()), ('483', ${site.id}, 1000, 5, now())`)

  const answer = (await http.inject({ url: `/api/v1/admin/sites/${site.publicId}/ranker` })).json()

  expect(answer.choices).toEqual([])
  const [food, sport] = answer.categories.toSorted((a: Ranked, b: Ranked) => b.clicks - a.clicks)
  expect(food).toMatchObject({ name: 'Food & Drink', clicks: 40 })
  expect(food.clickRate).toBeGreaterThan(answer.usualClickRate)
  expect(food.relevanceMax).toBeGreaterThan(1.5)
  expect(sport.relevanceMax).toBeLessThan(1.5)
})

interface Ranked {
  readonly clicks: number
}

test('a publisher cannot see the ranker of another publisher', async () => {
  const { http, actAs, deps, site } = await aPublisher()
  actAs(allowed(actorOf(await addAccount(deps, 'publisher')), 'sites:read'))

  const answer = await http.inject({ url: `/api/v1/admin/sites/${site.publicId}/ranker` })
  expect(answer.statusCode).toBe(404)
})

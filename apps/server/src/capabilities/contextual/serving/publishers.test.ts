import { sql } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { manualTimers } from '../../../platform/background/manual-timers.ts'
import { aContextualWorld, FOOD_AND_DRINK } from '../../../testing/contextual-world.ts'
import { allowed, serverWith } from '../../../testing/http.ts'
import { actorOf, addAccount } from '../../../testing/world.ts'
import { openNewsStream } from '../news-stream.ts'
import { Newsroom } from '../newsroom.ts'
import { contextualRoutes } from '../routes.ts'

async function aPublisher() {
  const world = await aContextualWorld({ approvalRequired: true })
  await world.auction()
  const { db, deps, seller } = world
  const newsroom = new Newsroom(db)
  const timers = manualTimers()
  const server = await serverWith(deps, (http) =>
    contextualRoutes(http, { ...deps, ...world.auctionDeps, jobs: undefined, newsroom, timers }),
  )
  server.actAs(allowed(actorOf(seller), 'sites:read'))
  const { rows } = await db.execute<{ id: string }>(
    sql`select public_id as id from pages where url = ${world.pages.food}`,
  )
  const url = `/api/v1/admin/sites/${world.site.publicId}/pages/${rows[0]!.id}/buyers`
  return { ...world, ...server, newsroom, timers, buyers: () => server.http.inject({ url }) }
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

test('who may buy the pages of another publisher is not told', async () => {
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

test('news of a site reach its publisher and the platform, of an approval the buyer too', async () => {
  const world = await aPublisher()
  const { newsroom, seller, buyer, site, deps } = world
  const stranger = await addAccount(deps, 'publisher')
  const heard: Record<string, string[]> = { seller: [], buyer: [], platform: [], stranger: [] }
  const listen = (name: string, accountId: bigint, isPlatform = false) =>
    newsroom.listen({ accountId, isPlatform }, ({ event }) => void heard[name]!.push(event))
  const leave = listen('seller', seller.id)
  listen('buyer', buyer.id)
  listen('platform', 0n, true)
  listen('stranger', stranger.id)

  await newsroom.onChanges([
    change('creative_approvals', await anApproval(world, 'approved')),
    change('pages', site.id),
    change('serve_index', site.id),
  ])
  leave()
  await newsroom.onChanges([change('pages', site.id)])

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

test('the stream beats, tells what happens, and ends after its time; then nobody listens', async () => {
  const world = await aPublisher()
  const { newsroom, timers, seller, site } = world
  const reader = { accountId: seller.id, isPlatform: false }
  const stream = openNewsStream({ newsroom, timers }, { reader, seconds: 30 })
  const told = textOf(stream)

  await newsroom.onChanges([change('pages', site.id)])
  timers.pass(30_000)

  const beat = 'event: heartbeat\ndata: {}\n\n'
  const news = `event: pages-updated\ndata: {"siteId":"${site.publicId}"}\n\n`
  expect(await told).toBe(beat + news + beat)
  expect(newsroom.size).toBe(0)
  expect(timers.waiting()).toEqual([])
})

test('whoever reads too slowly is let go, and more than 500 may not look on', async () => {
  const { newsroom, timers, site, seller } = await aPublisher()
  const reader = { accountId: seller.id, isPlatform: false }
  const deps = { newsroom, timers }
  const slow = openNewsStream(deps, { reader, seconds: 600 })
  slow.cork()
  for (let round = 0; round < 1_000; round++) await newsroom.onChanges([change('pages', site.id)])
  expect(slow.destroyed).toBe(true)

  for (let one = 0; one < 500; one++) openNewsStream(deps, { reader, seconds: 600 })
  expect(() => openNewsStream(deps, { reader, seconds: 600 })).toThrow(/look on already/)
})

test('the route answers with events, as long as it was asked to', async () => {
  const { http, timers } = await aPublisher()
  const asked = http.inject({ url: '/api/v1/admin/news?seconds=1' })
  await expect.poll(() => timers.waiting().length).toBe(2)
  timers.pass(1_000)

  const answer = await asked
  expect(answer.headers['content-type']).toContain('text/event-stream')
  expect(answer.body).toContain('event: heartbeat')
})

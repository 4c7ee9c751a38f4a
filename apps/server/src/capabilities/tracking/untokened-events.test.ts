import type { Clock } from '../../platform/clock.ts'
import type { Database } from '../../platform/database/connect.ts'
import { describe, expect, test } from 'vitest'
import { addSettled } from '../reports/cube/store-cube.ts'
import { rebuildAll } from '../reports/cube/builder.ts'
import { rollUpBanners } from '../reports/cube/store-banners.ts'
import { addKey } from '../../testing/server.ts'
import { aServingWorld } from '../../testing/worlds/serving-world.ts'
import { addAccount } from '../../testing/world.ts'
import { BROWSER, startWhole } from '../../testing/worlds/whole-world.ts'
import { until } from '../../testing/until.ts'

/** Waits until all acknowledged events are settled. */
const WITHIN = { timeout: 20_000 }
/** Micros per thousand impressions: 4,000 for one. */
const RATE = 4_000_000n

/** A CPM booking on `home-top`, served to a page that does not use our tag. */
async function aBooking() {
  const world = await aServingWorld()
  const placement = await world.addPlacement({ mode: 'direct' })
  const { campaign, banner } = await world.addBooking(placement, {}, RATE)
  const whole = await startWhole(world)
  const names = {
    bannerPublicId: banner.publicId,
    placementPublicId: placement.publicId,
    campaignPublicId: campaign.publicId,
    deviceType: 'desktop',
    pageUrl: 'https://news.example/today',
  }
  const from = (remoteAddress: string) => ({
    serve: (query = '') =>
      whole.http.inject({
        url: `/api/v1/banners/serve/home-top${query}`,
        remoteAddress,
        headers: BROWSER,
      }),
    tell: (kind: 'impression' | 'click', body: object = {}, headers: object = {}) =>
      whole.http.inject({
        method: 'POST',
        url: `/api/v1/banners/events/${kind}`,
        remoteAddress,
        headers: { ...BROWSER, ...headers },
        payload: { ...names, ...body },
      }),
  })
  const delivery = () => whole.admin(`/tracking/delivery/${campaign.publicId}`)
  return { world, whole, campaign, from, delivery }
}

describe('events that name a banner and no link', () => {
  test('unlinked events count for the campaign by the address of the hour, and nobody pays', async () => {
    const { world, from, delivery, campaign } = await aBooking()
    const reader = from('203.0.113.7')

    const served = (await reader.serve()).json()
    expect(served.banners[0]).toMatchObject({
      impressionUrl: expect.stringContaining('/t/i/'),
      clickUrl: expect.stringContaining('/t/c/'),
      eventToken: expect.any(String),
    })
    expect((await reader.tell('impression')).statusCode).toBe(202)
    world.deps.clock.advance(2)
    expect((await reader.tell('click')).statusCode).toBe(202)

    await expect
      .poll(delivery, WITHIN)
      .toMatchObject({ rendered: 1, clicked: 1, chargedMicros: '0' })
    const { rows } = await world.pool.query(
      'select campaign_id, placement_id, device_type, page_url from impressions',
    )
    expect(rows).toMatchObject([
      {
        campaign_id: String(campaign.id),
        device_type: 'desktop',
        page_url: 'https://news.example/today',
      },
    ])
    await untilAdded(world.db, world.deps.clock)
    await rollUpBanners(
      world.db,
      world.deps.clock.now().toISOString().slice(0, 10),
      world.deps.clock.now(),
    )
    const stats = await world.pool.query(
      'select impressions::integer, clicks::integer from banner_stats',
    )
    expect(stats.rows).toEqual([{ impressions: 1, clicks: 1 }])
  })

  test('unlinked events are matched by session and by user, from any address', async () => {
    const { from, delivery } = await aBooking()
    await from('203.0.113.7').serve('?sessionId=visit-1')
    await from('203.0.113.8').serve('?userId=user-1')

    await from('198.51.100.1').tell('impression', { sessionId: 'visit-1' })
    await from('198.51.100.2').tell('impression', { userId: 'user-1' })
    await from('198.51.100.3').tell('impression', { sessionId: 'another' })

    await expect.poll(delivery, WITHIN).toMatchObject({
      rendered: 2,
      labels: [
        { label: 'unmatched', impressions: 1 },
        { label: 'valid', impressions: 2 },
      ],
    })
  })

  test('two readers behind one address count for their own answers', async () => {
    const { from, delivery } = await aBooking()
    const office = from('203.0.113.7')
    await office.serve()
    await office.serve()

    await office.tell('impression', { correlationId: '01990000-0000-7000-8000-00000000000a' })
    await office.tell('impression', { correlationId: '01990000-0000-7000-8000-00000000000b' })

    await expect.poll(delivery, WITHIN).toMatchObject({ rendered: 2, chargedMicros: '0' })
  })

  test('unlinked events are billed when a key of the publisher vouches for them, whatever the user agent', async () => {
    const { world, whole, from, delivery } = await aBooking()
    const { deps, seller } = world
    const key = await addKey(whole, { account: seller, scopes: ['serving:write'] })
    const server = from('192.0.2.1')
    await from('203.0.113.7').serve('?sessionId=visit-1')
    deps.clock.advance(1)

    await server.tell('impression', { sessionId: 'visit-1' }, { ...key, 'user-agent': 'node' })

    await expect.poll(delivery, WITHIN).toMatchObject({ rendered: 1, chargedMicros: '4000' })
  })

  test('unlinked events are labelled by what the server says about the reader', async () => {
    const { world, whole, from, delivery } = await aBooking()
    const key = await addKey(whole, { account: world.seller, scopes: ['serving:write'] })
    await from('203.0.113.7').serve('?sessionId=visit-1')

    await from('192.0.2.1').tell(
      'impression',
      { sessionId: 'visit-1', userAgent: 'Googlebot/2.1 (+http://www.google.com/bot.html)' },
      key,
    )

    await expect.poll(delivery, WITHIN).toMatchObject({
      rendered: 0,
      chargedMicros: '0',
      labels: [{ label: 'bot', impressions: 1 }],
    })
  })

  test('unlinked events are not billed by the key of another publisher', async () => {
    const { world, whole, from, delivery } = await aBooking()
    const other = await addAccount(world.deps, 'publisher')
    const key = await addKey(whole, { account: other, scopes: ['serving:write'] })
    await from('203.0.113.7').serve('?sessionId=visit-1')

    await from('192.0.2.1').tell('impression', { sessionId: 'visit-1' }, key)

    await expect.poll(delivery, WITHIN).toMatchObject({ rendered: 1, chargedMicros: '0' })
  })

  test('an unlinked event does not replace the linked one: the link is still billed, the impression counts once', async () => {
    const { world, whole, from, delivery, campaign } = await aBooking()
    const { clock } = world.deps
    const reader = from('203.0.113.7')
    const [banner] = (await reader.serve()).json().banners
    await reader.tell('impression')
    await expect.poll(delivery, WITHIN).toMatchObject({ rendered: 1, chargedMicros: '0' })
    await untilAdded(world.db, clock)

    expect((await whole.get(banner.impressionUrl)).statusCode).toBe(200)
    expect((await whole.get(banner.impressionUrl)).statusCode).toBe(200)

    await expect.poll(delivery, WITHIN).toMatchObject({
      rendered: 1,
      chargedMicros: '4000',
      labels: [
        { label: 'duplicate', impressions: 1 },
        { label: 'valid', impressions: 1 },
      ],
    })
    expect(await whole.admin(`/budget/ledger/${campaign.publicId}`)).toMatchObject({
      days: [{ spentMicros: '4000', entriesMicros: '4000', agrees: true }],
    })
    // Reports include the charge too.
    await until(
      'all events are added',
      async () => !(await addSettled(world.db, clock.now())).hasMore,
    )
    const day = clock.now().toISOString().slice(0, 10)
    await expect
      .poll(async () => {
        await addSettled(world.db, clock.now())
        return (await world.pool.query('select day::text from stats_rebuilds')).rows
      })
      .toEqual([{ day }])
    await rebuildAll({ db: world.db, clock }, day)
    const { rows } = await world.pool.query(
      `select impressions::integer, charged_millis::integer from stats_cube
        where grain = 'day' and label = 'valid'`,
    )
    expect(rows).toEqual([{ impressions: 1, charged_millis: 4_000_000 }])
  })

  test('unlinked events with faults are refused with all of them named', async () => {
    const { from } = await aBooking()

    const answer = await from('203.0.113.7').tell('impression', {
      bannerPublicId: 'x',
      placementPublicId: 'y',
      deviceType: 'toaster',
    })

    expect(answer.statusCode).toBe(400)
    expect(answer.json().faults).toHaveLength(3)
  })
})

const untilAdded = (db: Database, clock: Clock) =>
  until('the event is added', async () => (await addSettled(db, clock.now())).events > 0)

import { DAY_SECONDS } from '@placard/calendar'
import { micros } from '@placard/money'
import type { Pool } from 'pg'
import { describe, expect, test } from 'vitest'
import { cuttable } from '../../testing/services/cuttable.ts'
import { aServingWorld } from '../../testing/worlds/serving-world.ts'
import { addDeviceSession, addKey, addUser } from '../../testing/server.ts'
import { BROWSER, startWhole } from '../../testing/worlds/whole-world.ts'

/** The click id, read from the landing page's own address. */
const clickIdOf = ({ headers }: { readonly headers: { readonly location?: string | undefined } }) =>
  new URL(headers.location ?? '').searchParams.get('placard_click')

type Whole = Awaited<ReturnType<typeof startWhole>>

/** What an admin sees once all acknowledged events are settled. */
async function shows(whole: Whole, path: string, expected: object): Promise<void> {
  await expect.poll(() => whole.admin(path), { timeout: 20_000 }).toMatchObject(expected)
}

const untilSettled = (whole: Whole, { publicId }: { readonly publicId: string }) =>
  shows(whole, `/tracking/delivery/${publicId}`, { rendered: 1 })

/** One campaign, CPM or CPC, alone on one placement. */
async function aMarket(given: { pricing?: 'cpm' | 'cpc'; daily?: bigint } = {}) {
  const world = await aServingWorld()
  const { pricing = 'cpm', daily } = given
  const placement = await world.addPlacement({
    type: 'feed',
    mode: 'hybrid',
    floorMicros: micros(2_000_000n),
  })
  const banner = await world.addBanner({
    ctaUrl: 'https://shop.example/autumn?click={decisionId}',
    utmSource: 'placard',
  })
  const campaign = await world.addCampaign({
    pricing,
    pacingStrategy: 'Accelerated',
    ...(daily !== undefined && { budgetDailyMicros: micros(daily) }),
  })
  await world.addCampaignPlacement(campaign, placement)
  const ad = await world.addAd(campaign, 5_000_000n, banner)
  return { world, placement, banner, campaign, ad }
}

test('an ad served, seen twice, clicked and converted counts one of each, with the right charge, for admins', async () => {
  const { world, campaign } = await aMarket({ daily: 1_000_000n })
  const { clock } = world.deps
  const whole = await startWhole(world)

  const ad = await whole.serveAd({ placement: 'home-top', userId: 'u1' })
  clock.advance(2)
  expect((await whole.get(ad.impressionUrl!)).statusCode).toBe(200)
  expect((await whole.get(ad.impressionUrl!)).statusCode).toBe(200)
  clock.advance(2)
  const click = await whole.get(ad.clickUrl!)
  await shows(whole, `/tracking/delivery/${campaign.publicId}`, { clicked: 1 })
  const converted = await whole.post('/t/v', {
    token: clickIdOf(click),
    kind: 'purchase',
    orderId: 'order-1',
    valueMicros: '20000000',
    currency: 'EUR',
  })

  expect(click.statusCode).toBe(302)
  expect(click.headers.location).toMatch(
    /^https:\/\/shop\.example\/autumn\?click=[0-9a-f-]{36}&utm_source=placard&placard_click=[\w-]+$/,
  )
  expect(converted.statusCode).toBe(202)
  await shows(whole, `/tracking/delivery/${campaign.publicId}`, {
    rendered: 1,
    viewable: 0,
    clicked: 1,
    // A floor of 2.00 per thousand, alone in the auction.
    chargedMicros: '2000',
    unfiltered: { impressions: 2, clicks: 1 },
    labels: [
      { label: 'duplicate', impressions: 1 },
      { label: 'valid', impressions: 1, clicks: 1 },
    ],
    conversions: [{ kind: 'purchase', conversions: 1, credit: 1 }],
  })
  await shows(whole, `/budget/ledger/${campaign.publicId}`, {
    days: [{ spentMicros: '2000', entriesMicros: '2000', agrees: true }],
  })
  expect(whole.serving.budgets.findCampaign(Number(campaign.id))).toMatchObject({
    campaignDay: { spentMicros: 2_000, heldMicros: 0 },
    reservations: 0,
  })
})

test('a click pays the whole click price, and its reservation is released', async () => {
  const { world, campaign } = await aMarket({ pricing: 'cpc', daily: 100_000_000n })
  const whole = await startWhole(world)
  const ad = await whole.serveAd()
  const before = whole.serving.budgets.findCampaign(Number(campaign.id))!
  expect(before.campaignDay.heldMicros).toBeGreaterThan(0)

  await whole.get(ad.impressionUrl!)
  world.deps.clock.advance(1)
  await whole.get(ad.clickUrl!)

  await shows(whole, `/tracking/delivery/${campaign.publicId}`, { clicked: 1 })
  const { days } = (await whole.admin(`/budget/ledger/${campaign.publicId}`)) as {
    days: { spentMicros: string }[]
  }
  const after = whole.serving.budgets.findCampaign(Number(campaign.id))!
  expect(after.campaignDay).toMatchObject({
    spentMicros: Number(days[0]!.spentMicros),
    heldMicros: 0,
  })
  expect(after.campaignDay.spentMicros).toBeGreaterThan(0)
})

test('HEAD counts nothing, and prefetched answers have no tracking links', async () => {
  const { world, campaign } = await aMarket()
  const whole = await startWhole(world)
  const ad = await whole.serveAd()

  const heads = await Promise.all(
    [ad.impressionUrl!, ad.clickUrl!].map((url) =>
      whole.http.inject({ method: 'HEAD', url: new URL(url).pathname, headers: BROWSER }),
    ),
  )
  const prefetched = await whole.serveAd({}, { ...BROWSER, 'sec-purpose': 'prefetch' } as never)

  expect(heads.map(({ statusCode }) => statusCode)).toEqual([200, 302])
  expect(prefetched).toMatchObject({ statusCode: 200 })
  expect(prefetched).not.toHaveProperty('impressionUrl')
  await shows(whole, `/tracking/delivery/${campaign.publicId}`, {
    unfiltered: { impressions: 0, clicks: 0 },
  })
})

test('a forged link redirects nowhere; an expired one still redirects and is not billed', async () => {
  const { world, campaign } = await aMarket({ pricing: 'cpc' })
  const whole = await startWhole(world)
  const ad = await whole.serveAd()
  await whole.get(ad.impressionUrl!)
  const path = new URL(ad.clickUrl!).pathname
  const forged = await whole.get(`${path.slice(0, -2)}AA`)
  world.deps.clock.advance(31 * DAY_SECONDS)
  const expired = await whole.get(path)

  expect({ status: forged.statusCode, location: forged.headers.location }).toEqual({ status: 400 })
  expect(expired.statusCode).toBe(302)
  await shows(whole, `/tracking/delivery/${campaign.publicId}`, {
    chargedMicros: '0',
    labels: [{ label: 'expired', clicks: 1 }],
  })
})

test('many readers at once use up a small budget and never exceed it by a micro', async () => {
  const { world, campaign } = await aMarket({ daily: 50_001n })
  const whole = await startWhole(world, {
    settings: { RATE_PER_ADDRESS: '1000000,1000000,1000000,1000000' },
  })

  const visit = async () => {
    const ad = await whole.serveAd()
    if (ad.impressionUrl) await whole.get(ad.impressionUrl)
  }
  await Promise.all(Array.from({ length: 200 }, visit))

  // An impression costs 2,000 micros and reserves up to 5,000: with less left none is shown.
  await expect
    .poll(
      async () => {
        await visit()
        return whole.admin(`/budget/ledger/${campaign.publicId}`)
      },
      { timeout: 30_000 },
    )
    .toMatchObject({ days: [{ limitMicros: '50001', spentMicros: '46000', agrees: true }] })
  expect(await whole.serveAd()).toMatchObject({ statusCode: 204 })
  await shows(whole, `/tracking/delivery/${campaign.publicId}`, {
    rendered: 23,
    overDelivered: 0,
  })
  expect(whole.serving.budgets.snapshot().reservations).toBe(0)
})

test('money spent before a restart is not spent again', async () => {
  const { world, campaign } = await aMarket({ daily: 6_000n })
  const first = await startWhole(world)
  const ad = await first.serveAd()
  await first.get(ad.impressionUrl!)
  await untilSettled(first, campaign)

  const second = await startWhole(world)

  expect(await second.serveAd()).toMatchObject({ statusCode: 204 })
})

test('a user who reached a cap does not see the ad again, even after a restart', async () => {
  const { world, campaign } = await aMarket()
  await world.pool.query(
    `insert into frequency_caps (public_id, account_id, campaign_id, max_impressions_per_user, "window",
                                 created_at, updated_at)
     values (gen_random_uuid(), $1, $2, 1, 'Day', now(), now())`,
    [world.buyer.id, campaign.id],
  )
  const first = await startWhole(world)
  const asUser = { placement: 'home-top', userId: 'u1' }
  const ad = await first.serveAd(asUser)
  await first.get(ad.impressionUrl!)
  await untilSettled(first, campaign)
  expect(await first.serveAd(asUser)).toMatchObject({ statusCode: 204 })

  const second = await startWhole(world)

  expect(await second.serveAd(asUser)).toMatchObject({ statusCode: 204 })
  expect(await second.serveAd({ ...asUser, userId: 'u2' })).toMatchObject({ statusCode: 200 })
})

test('events by ad and user are matched to the auction, and a key of the publisher bills its charge once', async () => {
  const { world, campaign, ad } = await aMarket()
  const whole = await startWhole(world)
  await whole.serveAd({ placement: 'home-top', userId: 'u1' })
  await expect.poll(async () => (await world.pool.query('select 1 from auctions')).rowCount).toBe(1)

  const event = { adId: ad.publicId, userId: 'u1' }
  const key = await addKey(whole, { account: world.seller, scopes: ['serving:write'] })
  const answers = [
    await whole.post('/api/v1/ads/events/impression', event, key),
    await whole.post('/api/v1/ads/events/impression', { ...event, eventId: 'again' }),
    await whole.post('/api/v1/ads/events/impression', { ...event, userId: 'stranger' }),
  ]

  expect(answers.map(({ statusCode }) => statusCode)).toEqual([202, 202, 202])
  await shows(whole, `/tracking/delivery/${campaign.publicId}`, {
    rendered: 1,
    chargedMicros: '2000',
    labels: [{ label: 'duplicate' }, { label: 'unmatched' }, { label: 'valid' }],
  })
})

describe('a user', () => {
  test('a user who asks for erasure is erased: events stay without the user', async () => {
    const { world, campaign } = await aMarket()
    const { pool } = world
    await pool.query(
      `insert into frequency_caps (public_id, account_id, campaign_id, max_impressions_per_user,
                                   "window", created_at, updated_at)
       values (gen_random_uuid(), $1, $2, 1, 'Day', now(), now())`,
      [world.buyer.id, campaign.id],
    )
    const whole = await startWhole(world)
    const asUser = { placement: 'home-top', userId: 'u1' }
    const ad = await whole.serveAd(asUser)
    await whole.get(ad.impressionUrl!)
    world.deps.clock.advance(1)
    await whole.get(ad.clickUrl!)
    await expect.poll(async () => (await pool.query('select from auctions')).rowCount).toBe(1)
    await shows(whole, `/tracking/delivery/${campaign.publicId}`, { clicked: 1 })

    const answer = await whole.adminPost('/api/v1/privacy/forget', { userId: 'u1' })

    expect(answer).toMatchObject({
      erased: { impressions: 1, clicks: 1, frequencyCounts: 1, decisions: 1, counters: 1 },
    })
    expect(await usersIn(pool)).toEqual([])
    expect(await whole.serveAd(asUser)).toMatchObject({ statusCode: 200 })
    await shows(whole, `/tracking/delivery/${campaign.publicId}`, {
      rendered: 1,
      clicked: 1,
    })
  })

  test.each<Record<string, string>>([{ 'sec-gpc': '1' }, { dnt: '1' }])(
    'who sends %j is counted, not kept',
    async (signal) => {
      const { world, campaign } = await aMarket()
      const whole = await startWhole(world)
      const ad = await whole.serveAd({ placement: 'home-top', userId: 'u1' })
      const headers = { ...BROWSER, ...signal }

      await whole.get(ad.impressionUrl!, headers)
      world.deps.clock.advance(1)
      const click = await whole.get(ad.clickUrl!, headers)
      await whole.post('/t/v', { token: clickIdOf(click), kind: 'checkout' }, headers)

      await untilSettled(whole, campaign)
      const { rows } = await world.pool.query(
        'select user_key from impressions union all select user_key from conversions',
      )
      expect(rows).toEqual([{ user_key: null }, { user_key: null }])
    },
  )

  test('no table contains the reader’s address', async () => {
    const { world } = await aMarket()
    const whole = await startWhole(world)
    const remoteAddress = '203.0.113.77'
    const from = { remoteAddress, headers: BROWSER }
    const payload = { placement: 'home-top', userId: 'u1' }
    const served = await whole.http.inject({
      ...from,
      method: 'POST',
      url: '/api/v1/ads/serve',
      payload,
    })
    const { impressionUrl, clickUrl } = served.json<{ impressionUrl: string; clickUrl: string }>()
    for (const url of [impressionUrl, clickUrl]) await whole.http.inject({ ...from, url })
    await expect.poll(async () => (await world.pool.query('select from auctions')).rowCount).toBe(1)

    const { rows: tables } = await world.pool.query<{ name: string }>(
      `select oid::regclass::text as name from pg_class
        where relkind = 'r' and relnamespace = 'public'::regnamespace`,
    )
    const each = tables.map(
      ({ name }) => `select '${name}' as found from ${name} t where t::text like $1`,
    )
    const { rows } = await world.pool.query(each.join(' union all '), [`%${remoteAddress}%`])
    expect(rows).toEqual([])
  })
})

async function usersIn(pool: Pool): Promise<unknown[]> {
  const tables = ['impressions', 'clicks', 'auctions', 'frequency_counts']
  const { rows } = await pool.query(
    tables
      .map((table) => `select user_key from ${table} where user_key is not null`)
      .join(' union all '),
  )
  return rows
}

describe('while PostgreSQL is unavailable', () => {
  test('events are acknowledged once they are in the spool, and settle when PostgreSQL is back', async () => {
    const { world, campaign } = await aMarket()
    const way = await cuttable(world.url)
    const whole = await startWhole(world, { ingestUrl: way.url })
    const ad = await whole.serveAd()
    way.cut()

    const answers = [await whole.get(ad.impressionUrl!), await whole.get(ad.impressionUrl!)]
    const spooled = await whole.metrics.getSingleMetricAsString('placard_spool_events')
    way.mend()

    expect(answers.map(({ statusCode }) => statusCode)).toEqual([200, 200])
    expect(spooled).toMatch(/placard_spool_events 2$/m)
    await shows(whole, `/tracking/delivery/${campaign.publicId}`, {
      rendered: 1,
      chargedMicros: '2000',
    })
  })

  test('with a full spool a pixel gets 503, and a click is still redirected', async () => {
    const { world } = await aMarket()
    const way = await cuttable(world.url)
    const whole = await startWhole(world, {
      ingestUrl: way.url,
      settings: { SPOOL_BYTES_MAX: '1024' },
    })
    const ads = [await whole.serveAd(), await whole.serveAd(), await whole.serveAd()]
    way.cut()

    for (const { impressionUrl } of ads) await whole.get(impressionUrl!)
    const pixel = await whole.get(ads[0]!.impressionUrl!)
    const click = await whole.get(ads[0]!.clickUrl!)
    const lost = await whole.metrics.getSingleMetricAsString('placard_events_lost_total')
    way.mend()

    expect(pixel.statusCode).toBe(503)
    expect(pixel.json()).toMatchObject({ code: 'EVENTS_NOT_TAKEN' })
    expect(click.statusCode).toBe(302)
    expect(lost).toMatch(/why="click-redirected"} 1$/m)
    expect(lost).toMatch(/why="spool-full"} [1-9]/)
  })
})

test('events of a blocked device session are counted under that label, and nobody pays', async () => {
  const { world, campaign } = await aMarket({ daily: 1_000_000n })
  const reader = await addUser(world.deps, 'advertiser')
  const sessionId = await addDeviceSession(world.deps, reader, { isBlocked: true })
  const whole = await startWhole(world)
  const said = await whole.adminPost('/api/v1/context-tokens', { deviceSessionId: sessionId })
  const ad = await whole.serveAd({ placement: 'home-top', contextToken: said['token'] })

  await whole.get(ad.impressionUrl!)

  await shows(whole, `/tracking/delivery/${campaign.publicId}`, {
    rendered: 0,
    chargedMicros: '0',
    labels: [{ label: 'blocked-session', impressions: 1 }],
  })
  expect(whole.serving.budgets.findCampaign(Number(campaign.id))).toMatchObject({
    campaignDay: { spentMicros: 0, heldMicros: 0 },
  })
})

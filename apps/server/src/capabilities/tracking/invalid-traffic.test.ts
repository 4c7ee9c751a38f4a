import { micros } from '@placard/money'
import { describe, expect, test } from 'vitest'
import { addKey } from '../../testing/server.ts'
import { aServingWorld } from '../../testing/worlds/serving-world.ts'
import { BROWSER, type ServedLinks, startWhole } from '../../testing/worlds/whole-world.ts'

const WITHIN = { timeout: 20_000 }

/** One ad on a site of `gazette.example`. */
async function aSite() {
  const world = await aServingWorld()
  const placement = await world.addPlacement({ mode: 'auction', floorMicros: micros(2_000_000n) })
  const site = await world.addSite({ approvalRequired: false, domain: 'gazette.example' })
  await world.addSlot(site, placement)
  const banner = await world.addBanner({ ctaUrl: 'https://shop.example/' })
  const campaign = await world.addCampaign({ pacingStrategy: 'Accelerated' })
  await world.addCampaignPlacement(campaign, placement)
  await world.addAd(campaign, 5_000_000n, banner)
  const whole = await startWhole(world)
  const get = (url: string, { address = '203.0.113.7', headers = {} } = {}) =>
    whole.http.inject({
      url: new URL(url).pathname,
      remoteAddress: address,
      headers: { ...BROWSER, ...headers },
    })
  return {
    world,
    whole,
    get,
    serve: async (headers: object = {}) =>
      (await whole.serveAd(undefined, { ...BROWSER, ...headers })) as ServedLinks,
    delivery: () => whole.admin(`/tracking/delivery/${campaign.publicId}`),
    labels: async () => {
      const { labels } = (await whole.admin(`/tracking/delivery/${campaign.publicId}`)) as {
        labels: { label: string; impressions: number }[]
      }
      return Object.fromEntries(labels.map(({ label, impressions }) => [label, impressions]))
    },
  }
}

describe('invalid traffic by default', () => {
  test('of 168 pixels within 12 s from one address all are counted and not all are billed', async () => {
    const { world, get, serve, delivery } = await aSite()
    for (let n = 0; n < 168; n++) {
      if (n % 14 === 0) world.deps.clock.advance(1)
      await get((await serve()).impressionUrl)
    }

    await expect.poll(delivery, WITHIN).toMatchObject({
      unfiltered: { impressions: 168 },
      labels: [{ label: 'burst' }, { label: 'valid' }],
    })
    const { rendered, invalidShare } = (await delivery()) as {
      rendered: number
      invalidShare: { impressions: number }
    }
    expect(rendered).toBeLessThanOrEqual(120)
    expect(invalidShare.impressions).toBeCloseTo((168 - rendered) / 168, 3)
  })

  test('addresses of one IPv6 /64 count as one address', async () => {
    const { get, serve, labels } = await aSite()

    for (let n = 1; n <= 120; n++) {
      const { impressionUrl } = await serve()
      await get(impressionUrl, { address: `2001:db8:1:2::${n.toString(16)}` })
    }

    await expect.poll(labels, WITHIN).toEqual({ burst: 20, valid: 100 })
  })

  test('bots, data centres, prefetches and foreign sites are labelled, and nobody pays for them', async () => {
    const { get, serve, labels, delivery } = await aSite()
    const from = (headers: object, address?: string) => ({ headers, ...(address && { address }) })

    const visits: [string, Parameters<typeof get>[1]][] = [
      ['bot', from({ 'user-agent': 'Googlebot/2.1 (+http://www.google.com/bot.html)' })],
      ['no-user-agent', from({ 'user-agent': '' })],
      ['data-centre', from({}, '95.216.1.1')],
      ['prefetch', from({ 'sec-purpose': 'prefetch' })],
      ['wrong-site', from({ referer: 'https://fraud.example/' })],
      ['wrong-site', from({ origin: 'https://fraud.example' })],
      ['valid', from({ referer: 'https://www.gazette.example/' })],
      ['valid', from({})],
    ]
    for (const [, visit] of visits) await get((await serve()).impressionUrl, visit)

    await expect.poll(labels, WITHIN).toEqual({
      bot: 1,
      'no-user-agent': 1,
      'data-centre': 1,
      prefetch: 1,
      'wrong-site': 2,
      valid: 2,
    })
    expect(await delivery()).toMatchObject({ chargedMicros: '4000' })
  })

  test('if a page requested the ad, an impression must name the page it is on', async () => {
    const { get, serve, labels } = await aSite()
    const page = { origin: 'https://gazette.example' }
    const [silent, named] = [await serve(page), await serve(page)]

    await get(silent.impressionUrl)
    await get(named.impressionUrl, { headers: page })

    await expect.poll(labels, WITHIN).toEqual({ 'wrong-site': 1, valid: 1 })
  })

  test('an event from before its decision is labelled impossible', async () => {
    const { world, whole, serve, labels } = await aSite()
    const { eventToken: token } = await serve()
    const occurredAt = new Date(world.deps.clock.now().getTime() - 3_600_000).toISOString()

    await whole.post('/t/e', { events: [{ token, kind: 'impression', occurredAt }] })

    await expect.poll(labels, WITHIN).toEqual({ 'impossible-time': 1 })
  })

  test('a key of the publisher speaks for its readers: rate, user agent and page of the server do not count', async () => {
    const { world, whole, serve, labels } = await aSite()
    const key = await addKey(whole, { account: world.seller, scopes: ['serving:write'] })
    const headers = { ...key, 'user-agent': 'node' }
    const seen = async () => ({ token: (await serve()).eventToken, kind: 'impression' })

    for (let n = 0; n < 5; n++) {
      const events = await Promise.all(Array.from({ length: 26 }, seen))
      await whole.post('/t/e', { events }, headers)
    }
    const bot = { token: (await serve()).eventToken, kind: 'impression', userAgent: 'curl/8.5.0' }
    await whole.post('/t/e', { events: [bot] }, headers)

    await expect.poll(labels, WITHIN).toEqual({ bot: 1, valid: 130 })
  })
})

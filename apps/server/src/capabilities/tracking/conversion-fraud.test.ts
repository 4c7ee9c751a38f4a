import { micros } from '@placard/money'
import { describe, expect, test } from 'vitest'
import { addKey } from '../../testing/server.ts'
import { aServingWorld } from '../../testing/worlds/serving-world.ts'
import { type ServedLinks, startWhole } from '../../testing/worlds/whole-world.ts'

const WITHIN = { timeout: 20_000 }

/** One ad, and the shop that it leads to. */
async function aShop() {
  const world = await aServingWorld()
  const { clock } = world.deps
  const placement = await world.addPlacement({ mode: 'auction' })
  const banner = await world.addBanner({ ctaUrl: 'https://shop.example/autumn#top' })
  const campaign = await world.addCampaign({ pacingStrategy: 'Accelerated' })
  await world.addCampaignPlacement(campaign, placement)
  await world.addAd(campaign, 5_000_000n, banner)
  const whole = await startWhole(world)
  const serve = async (body?: object) => (await whole.serveAd(body)) as ServedLinks
  const conversions = async () => {
    const { rows } = await world.pool.query(
      `select label, count(*)::integer as count, coalesce(sum(value_micros), 0)::text as micros
         from conversions group by 1 order by 1`,
    )
    return rows
  }
  return {
    world,
    whole,
    serve,
    conversions,
    delivery: () => whole.admin(`/tracking/delivery/${campaign.publicId}`),
    /** Served, seen and clicked. Returns the click id that the shop reads from its own address. */
    async land() {
      const ad = await serve()
      await whole.get(ad.impressionUrl)
      clock.advance(2)
      const { headers } = await whole.get(ad.clickUrl)
      const url = new URL(String(headers.location))
      return { ad, url, clickId: url.searchParams.get('placard_click')! }
    },
    buy: (token: string, more: object = {}) =>
      whole.post('/t/v', {
        token,
        kind: 'purchase',
        orderId: 'order-1',
        valueMicros: '999000000',
        currency: 'EUR',
        ...more,
      }),
  }
}

describe('a conversion', () => {
  test('no conversion comes from an event token or a click link, which every page has', async () => {
    const { whole, serve, buy, conversions } = await aShop()
    const ad = await serve()
    await whole.get(ad.impressionUrl)
    const clickToken = ad.clickUrl.slice(ad.clickUrl.lastIndexOf('/') + 1)

    for (const token of [ad.eventToken, clickToken]) {
      const answers = await Promise.all(
        Array.from({ length: 40 }, (_, i) => buy(token, { orderId: `order-${i}` })),
      )
      expect(new Set(answers.map(({ statusCode }) => statusCode))).toEqual(new Set([400]))
      expect((await whole.get(`/t/v/${token}?kind=purchase&order=o&value=1`)).statusCode).toBe(400)
    }

    expect(await conversions()).toEqual([])
  })

  test('a conversion comes from the click id that the redirect gave to the shop', async () => {
    const { land, buy, delivery } = await aShop()

    const { url, clickId } = await land()
    const answer = await buy(clickId)

    expect(url.hash).toBe('#top')
    expect(answer.statusCode).toBe(202)
    await expect.poll(delivery, WITHIN).toMatchObject({
      clicked: 1,
      conversions: [{ kind: 'purchase', conversions: 1, credit: 1 }],
    })
  })

  test('a conversion counts once per order and advertiser, through whatever click', async () => {
    const { land, buy, conversions } = await aShop()
    const [first, second] = [await land(), await land()]

    await buy(first.clickId)
    await buy(second.clickId)

    await expect
      .poll(conversions, WITHIN)
      .toEqual([{ label: 'valid', count: 1, micros: '999000000' }])
  })

  test('a conversion through an invalid click is stored and credited to nobody', async () => {
    const { world, whole, serve, buy, conversions, delivery } = await aShop()
    const ad = await serve()
    await whole.get(ad.impressionUrl)
    world.deps.clock.advance(2)
    const { headers } = await whole.get(ad.clickUrl, { 'user-agent': 'curl/8.5.0' })

    await buy(new URL(String(headers.location)).searchParams.get('placard_click')!)

    await expect
      .poll(conversions, WITHIN)
      .toEqual([{ label: 'no-click', count: 1, micros: '999000000' }])
    expect(await delivery()).toMatchObject({ conversions: [] })
  })

  test('a conversion above the advertiser’s bound is quarantined and reported', async () => {
    const { world, whole, land, buy, conversions } = await aShop()
    await world.pool.query('update advertisers set conversion_value_max_micros = 100000000')
    await world.pool.query(
      `insert into recipients (public_id, account_id, name, mail_to, confirmed_mail, topics, sealed_secret, created_at, updated_at)
       values (gen_random_uuid(), $1, 'Ada', '{ada@northwind.example}', '{ada@northwind.example}', '{conversion-held}', '', now(), now())`,
      [world.buyer.id],
    )
    const { clickId } = await land()

    await buy(clickId)

    await expect
      .poll(async () => (await whole.admin('/tracking/quarantine'))['items'], WITHIN)
      .toMatchObject([{ reason: 'value' }])
    expect(await conversions()).toEqual([])
    const { rows } = await world.pool.query('select topic, subject from notices')
    expect(rows).toEqual([
      {
        topic: 'conversion-held',
        subject: 'A conversion of Northwind exceeds the advertiser’s value bound',
      },
    ])
  })

  test('without a bound of the advertiser, a conversion above its currency’s bound is quarantined', async () => {
    const { land, buy, whole, conversions } = await aShop()
    const { clickId } = await land()

    await buy(clickId, { valueMicros: String(micros(10_000_000_001n)) })

    await expect
      .poll(async () => (await whole.admin('/tracking/quarantine'))['items'], WITHIN)
      .toMatchObject([{ reason: 'value' }])
    expect(await conversions()).toEqual([])
  })

  test('a conversion reported by a server needs its order, and is credited to an ad its user saw within a day', async () => {
    const { world, whole, serve, delivery } = await aShop()
    const key = await addKey(whole, { account: world.buyer, scopes: ['campaigns:write'] })
    const ad = await serve({ placement: 'home-top', userId: 'u1' })
    await whole.get(ad.impressionUrl)
    await expect
      .poll(async () => (await world.pool.query('select from auctions')).rowCount, WITHIN)
      .toBe(1)
    const body = {
      advertiserId: world.advertiser.publicId,
      userId: 'u1',
      eventId: 'e1',
      kind: 'purchase',
    }

    const without = await whole.post('/api/v1/conversions', body, key)
    const answer = await whole.post('/api/v1/conversions', { ...body, orderId: 'o1' }, key)

    expect(without.json()).toMatchObject({ code: 'CONVERSION_ORDER_MISSING' })
    expect(answer.statusCode).toBe(202)
    await expect
      .poll(delivery, WITHIN)
      .toMatchObject({ conversions: [{ kind: 'purchase', conversions: 1, credit: 1 }] })
  })
})

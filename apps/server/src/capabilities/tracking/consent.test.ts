import { micros } from '@placard/money'
import { expect, test } from 'vitest'
import { aServingWorld } from '../../testing/worlds/serving-world.ts'
import { startWhole } from '../../testing/worlds/whole-world.ts'

/** One campaign, alone on one placement. */
async function aMarket(product: { adProductCategory?: string } = {}) {
  const world = await aServingWorld()
  const placement = await world.addPlacement({
    type: 'feed',
    mode: 'hybrid',
    floorMicros: micros(2_000_000n),
  })
  const banner = await world.addBanner({ ctaUrl: 'https://shop.example/autumn', ...product })
  const campaign = await world.addCampaign({ pricing: 'cpm', pacingStrategy: 'Accelerated' })
  await world.addCampaignPlacement(campaign, placement)
  await world.addAd(campaign, 5_000_000n, banner)
  const whole = await startWhole(world)
  const { publicId } = campaign
  const renders = async (rendered: number) => {
    const read = () => whole.admin(`/tracking/delivery/${publicId}`)
    await expect.poll(read, { timeout: 20_000 }).toMatchObject({ rendered })
  }
  return { world, whole, renders }
}

/** Each refuses something at one place of a request. */
const REFUSALS: readonly { readonly query?: string; readonly consent?: object }[] = [
  { query: 'gdpr=1' },
  { query: 'gdpr=1&gdpr_consent=broken' },
  { query: 'gpp=DBA&gpp_sid=7' },
  { query: 'us_privacy=1YYN' },
  { query: 'coppa=1' },
  { consent: { gdprApplies: true } },
  { consent: { gppSections: [2] } },
  { consent: { usPrivacy: '1YYN' } },
  { consent: { isChild: true } },
  { consent: { storage: false } },
]

test('a reader who refuses by any signal gets an ad, is counted, and is in no table', async () => {
  const { world, whole, renders } = await aMarket()
  const query = (text = '') => (text === '' ? '' : `?${text}`)
  const ids = REFUSALS.map((_, at) => ({ userId: `user-${at}`, sessionId: `session-${at}` }))
  for (const [at, { query: said, consent }] of REFUSALS.entries()) {
    const body = { ...ids[at], ...(consent && { consent }) }
    const bySlug = await whole.post(`/api/v1/banners/serve${query(said)}`, {
      ...body,
      slugs: ['home-top'],
    })
    const byType = await whole.post(`/api/v1/ads/serve${query(said)}`, {
      ...body,
      placement: 'home-top',
    })
    const ad = byType.json<{ impressionUrl: string; clickUrl: string }>()
    for (const link of [ad.impressionUrl, ad.clickUrl]) await whole.get(link + query(said))
    expect(bySlug.json().placements[0].banners).toHaveLength(1)
  }
  await renders(REFUSALS.length)
  await expect
    .poll(async () => (await world.pool.query('select from auctions')).rowCount)
    .toBe(2 * REFUSALS.length)

  for (const table of ['impressions', 'clicks', 'auctions', 'frequency_counts']) {
    const { rowCount } = await world.pool.query(`select from ${table} where user_key is not null`)
    expect({ table, rowCount }).toEqual({ table, rowCount: 0 })
  }
  const kept = await world.pool.query(
    'select from auctions where session_key is not null or address_key is not null',
  )
  expect(kept.rowCount).toBe(0)
})

test('a later signal on a link refuses what the request allowed', async () => {
  const { world, whole, renders } = await aMarket()
  const ad = await whole.serveAd({ placement: 'home-top', userId: 'u1' })

  await whole.get(`${ad.impressionUrl!}?us_privacy=1YYN`)
  await renders(1)

  const { rows } = await world.pool.query('select user_key from impressions')
  expect(rows).toEqual([{ user_key: null }])
})

test('a child sees no alcohol, and the record says why', async () => {
  const { world, whole } = await aMarket({ adProductCategory: '1003' })
  const body = { placement: 'home-top' }

  const grown = await whole.post('/api/v1/ads/serve', body)
  const child = await whole.post('/api/v1/ads/serve', { ...body, consent: { isChild: true } })

  expect([grown.statusCode, child.statusCode]).toEqual([200, 204])
  await expect
    .poll(
      async () => (await world.pool.query('select from auctions where asked is not null')).rowCount,
    )
    .toBe(1)
})

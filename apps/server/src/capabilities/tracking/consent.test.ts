import { micros } from '@placard/money'
import fc from 'fast-check'
import type { Pool } from 'pg'
import { pino } from 'pino'
import { expect, test } from 'vitest'
import { aServingWorld } from '../../testing/worlds/serving-world.ts'
import { BROWSER, startWhole } from '../../testing/worlds/whole-world.ts'

/** One campaign, alone on one placement. */
async function aMarket(product: { adProductCategory?: string } = {}) {
  const world = await aServingWorld()
  const placement = await world.addPlacement({
    type: 'feed',
    mode: 'hybrid',
    floorMicros: micros(2_000_000n),
  })
  const site = await world.addSite()
  await world.addSlot(site, placement, { width: 600, height: 300 })
  const banner = await world.addBanner({ ctaUrl: 'https://shop.example/autumn', ...product })
  const campaign = await world.addCampaign({ pricing: 'cpm', pacingStrategy: 'Accelerated' })
  await world.addCampaignPlacement(campaign, placement)
  const ad = await world.addAd(campaign, 5_000_000n, banner)
  const lines: string[] = []
  const log = pino({ level: 'trace' }, { write: (line) => lines.push(line) })
  const whole = await startWhole(world, { log })
  const { publicId } = campaign
  const renders = async (rendered: number) => {
    const read = () => whole.admin(`/tracking/delivery/${publicId}`)
    await expect.poll(read, { timeout: 20_000 }).toMatchObject({ rendered })
  }
  return {
    world,
    whole,
    renders,
    adId: ad.publicId,
    bannerId: banner.publicId,
    siteId: site.publicId,
    logged: () => lines,
  }
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

/** A reader as a request can name one, findable wherever a trace of it stays. */
interface Named {
  readonly userId: string
  readonly sessionId: string
  readonly address: string
}

const named = (at: number): Named => ({
  userId: `refusing-reader-${at}`,
  sessionId: `refusing-visit-${at}`,
  address: `203.0.113.${at}`,
})

/** Every public way on which a request can name a reader. Events name the ad that `world` serves. */
const WAYS: Readonly<
  Record<string, (names: { adId: string; bannerId: string; siteId: string }) => Way>
> = {
  'a slug': () => ({ url: '/api/v1/banners/serve', body: { slugs: ['home-top'] } }),
  'a type': () => ({ url: '/api/v1/ads/serve', body: { placement: 'home-top' } }),
  'a page': ({ siteId }) => ({
    url: `/api/v1/sites/${siteId}/serve`,
    body: { url: 'https://site.example/', slots: [{ placement: 'home-top' }] },
  }),
  'an event of an ad': ({ adId }) => ({ url: '/api/v1/ads/events/impression', body: { adId } }),
  'a click on a banner': ({ bannerId }) => ({
    url: '/api/v1/banners/events/click',
    body: { bannerPublicId: bannerId, placementSlug: 'home-top' },
  }),
}
interface Way {
  readonly url: string
  readonly body: Record<string, unknown>
}

const DRAWN = fc.sample(
  fc.record({
    way: fc.constantFrom(...Object.keys(WAYS)),
    refusals: fc.uniqueArray(fc.constantFrom(...REFUSALS), { minLength: 1, maxLength: 3 }),
    header: fc.constantFrom(undefined, 'sec-gpc', 'dnt'),
  }),
  { numRuns: 60, seed: 7 },
)

test('a reader who refuses by any signal on any way gets an ad and is in no table and no log', async () => {
  const { world, whole, adId, bannerId, siteId, logged } = await aMarket()
  let links: readonly string[] = []
  for (const [at, { way, refusals, header }] of DRAWN.entries()) {
    const { url, body } = WAYS[way]!({ adId, bannerId, siteId })
    const { userId, sessionId, address } = named(at)
    const query = refusals.flatMap((one) => one.query ?? []).join('&')
    const consent = Object.assign({}, ...refusals.map((one) => one.consent)) as object
    const answer = await whole.http.inject({
      method: 'POST',
      url: `${url}?${query}`,
      remoteAddress: address,
      headers: { ...BROWSER, ...(header && { [header]: '1' }) },
      payload: { ...body, userId, sessionId, user: { id: userId }, consent },
    })
    expect({ way, refusals, status: answer.statusCode }).toMatchObject({
      status: way.includes(' o') ? 202 : 200,
    })
    links = [...links, ...(answer.body.match(/\/t\/[ic]\/[\w-]+/g) ?? [])]
  }
  expect(links.length).toBeGreaterThan(30)
  for (const link of links) await whole.get(link)
  await whole.serving.stop()

  expect(await tracesIn(world.pool)).toEqual([])
  expect(logged().filter((line) => /refusing-|203\.0\.113\./.test(line))).toEqual([])
})

/** Every row of every table that names a reader or holds the key of one. */
async function tracesIn(pool: Pool) {
  const tables = await pool.query<{ name: string; keys: string[] }>(
    `select c.table_name as name,
            array_agg(c.column_name::text) filter (where c.column_name ~ '^(user|session|address|reader)_key$') as keys
       from information_schema.columns c join information_schema.tables t using (table_schema, table_name)
      where table_schema = 'public' and t.table_type = 'BASE TABLE' group by 1`,
  )
  const traces: unknown[] = []
  for (const { name, keys } of tables.rows) {
    const isKnown = (keys ?? []).map((key) => `or t.${key} is not null`).join(' ')
    const { rows } = await pool.query(
      `select * from "${name}" t where t::text ~ 'refusing-|203[.]0[.]113[.]' ${isKnown}`,
    )
    traces.push(...rows.map((row: unknown) => ({ name, row })))
  }
  return traces
}

test('the search finds the reader of a request without a refusal', async () => {
  const { world, whole } = await aMarket()
  const { userId, sessionId } = named(1)

  await whole.post('/api/v1/ads/serve', { placement: 'home-top', userId, sessionId })

  await expect.poll(async () => (await tracesIn(world.pool)).length).toBeGreaterThan(0)
})

test('an event or a conversion that carries a refusal is counted without its reader', async () => {
  const { world, whole, renders } = await aMarket()
  const { eventToken } = await whole.serveAd({ placement: 'home-top', userId: 'u1' })
  const consent = { gdprApplies: true }

  const answer = await whole.post('/t/e', {
    events: [{ token: eventToken, kind: 'impression' }],
    consent,
  })
  await renders(1)

  expect(answer.json()).toEqual({ results: [{ verdict: 'accepted' }] })
  const { rows } = await world.pool.query('select user_key from impressions')
  expect(rows).toEqual([{ user_key: null }])
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

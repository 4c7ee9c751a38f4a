import { micros } from '@placard/money'
import { expect, test } from 'vitest'
import { aServingWorld, type ServingWorld } from '../../../testing/worlds/serving-world.ts'
import { BROWSER, startWhole } from '../../../testing/worlds/whole-world.ts'
import { named, parseXml } from '../shared/testing-xml.ts'

const WITHIN = { timeout: 20_000 }

type BannerGiven = NonNullable<Parameters<ServingWorld['addBanner']>[0]>

const FILM: BannerGiven = {
  format: 'video',
  headline: 'Autumn leaves',
  ctaUrl: 'https://northwind.example/autumn',
  videoUrl: '/api/v1/assets/1/file',
  videoFiles: [
    {
      url: '/api/v1/assets/1/file',
      contentType: 'video/mp4',
      width: 1_280,
      height: 720,
      durationMs: 15_000,
      bitrateKbps: 1_200,
      byteCount: 2_250_000,
    },
  ],
}

/** A place for films, and campaigns with one film each. */
async function aCinema(films: readonly BannerGiven[] = [{}]) {
  const world = await aServingWorld()
  const placement = await world.addPlacement({ slug: 'preroll', mode: 'auction', maxBanners: 3 })
  const campaigns = []
  for (const [at, film] of films.entries()) {
    const campaign = await world.addCampaign({
      pricing: 'cpm',
      budgetDailyMicros: micros(5_000_000n),
      maxBidMicros: micros(9_000_000n),
    })
    await world.addCampaignPlacement(campaign, placement)
    const banner = await world.addBanner({ ...FILM, ...film })
    await world.addAd(campaign, BigInt(5 - at) * 1_000_000n, banner)
    campaigns.push({ campaign, banner })
  }
  const whole = await startWhole(world)
  const get = (path: string, headers: Record<string, string> = {}) =>
    whole.get(path, { ...BROWSER, ...headers })
  return { world, whole, get, placement, campaigns }
}

const textsIn = (xml: string, name: string) =>
  named(parseXml(xml), name).map(({ textContent }) => textContent)
const textIn = (xml: string, name: string) => textsIn(xml, name)[0] ?? ''
const eventIn = (xml: string, event: string) =>
  named(parseXml(xml), 'Tracking').find((one) => one.getAttribute('event') === event)!.textContent

const adsIn = (xml: string) => named(parseXml(xml), 'Ad')

test('a film is counted once by every link and charged once, and its record names the door', async () => {
  const { get, whole, world, campaigns } = await aCinema()
  const { body, headers } = await get('/vast/preroll?w=1280&h=720')
  expect(headers['content-type']).toBe('application/xml; charset=utf-8')
  expect(headers['cache-control']).toBe('no-store')
  expect(textIn(body, 'AdTitle')).toBe('Autumn leaves')
  expect(textIn(body, 'MediaFile')).toMatch(/^http:\/\/[^/]+\/api\/v1\/assets\/1\/file$/)

  const again = await get(`/vast/d/${textIn(body, 'Impression').split('/').at(-1)}?v=3`)
  expect(parseXml(again.body).getAttribute('version')).toBe('3.0')
  expect(textIn(again.body, 'MediaFile')).toBe(textIn(body, 'MediaFile'))
  for (const xml of [body, again.body, body]) {
    await get(textIn(xml, 'Impression'))
    for (const event of ['start', 'midpoint', 'complete', 'mute']) await get(eventIn(xml, event))
    await get(textIn(xml, 'Error').replace('[ERRORCODE]', '405'))
  }
  await get(textIn(body, 'Viewable'))
  world.deps.clock.advance(1)
  const click = await get(textIn(body, 'ClickThrough'))
  expect(click.headers.location).toContain('https://northwind.example/autumn')

  const delivery = () => whole.admin(`/tracking/delivery/${campaigns[0]!.campaign.publicId}`)
  await expect.poll(delivery, WITHIN).toMatchObject({
    rendered: 1,
    viewable: 1,
    clicked: 1,
    video: { start: 1, midpoint: 1, complete: 1, mute: 1, firstQuartile: 0 },
    videoErrors: [{ code: 405, count: 1 }],
  })
  expect(Number((await delivery())['chargedMicros'])).toBeGreaterThan(0)
  const records = async () => (await world.pool.query('select kind, asked from auctions')).rows
  await expect
    .poll(records, WITHIN)
    .toMatchObject([{ kind: 'vast', asked: { said: { player: { width: 1_280 } } } }])
})

test('HEAD and an empty answer hold nothing; a reader who refuses everything is in no record', async () => {
  const { get, world, whole } = await aCinema()
  const { statusCode, body } = await whole.http.inject({ method: 'HEAD', url: '/vast/preroll' })
  expect([statusCode, body]).toEqual([200, ''])

  expect(adsIn((await get('/vast/preroll?uid=ada&gdpr=1')).body)).toHaveLength(1)
  for (const query of ['mimes=video/webm', 'maxdur=10', 'w=200&h=400', 'durs=6']) {
    const { body, statusCode } = await get(`/vast/preroll?${query}`)
    expect([query, statusCode, adsIn(body)]).toEqual([query, 200, []])
  }

  const records = async () =>
    (await world.pool.query('select user_key, empty_reason from auctions order by id')).rows
  const empty = { user_key: null, empty_reason: 'no-candidate' }
  await expect
    .poll(records, WITHIN)
    .toEqual([{ user_key: null, empty_reason: null }, empty, empty, empty, empty])
})

test('pages of other origins may send credentials; every fault of a query is named', async () => {
  const { get, whole } = await aCinema()
  const origin = 'https://player.example'
  const { headers } = await get('/vast/preroll', { origin })
  const preflight = await whole.http.inject({
    method: 'OPTIONS',
    url: '/vast/preroll',
    headers: { origin, 'access-control-request-method': 'GET' },
  })
  for (const found of [headers, preflight.headers]) {
    expect(found['access-control-allow-origin']).toBe(origin)
    expect(found['access-control-allow-credentials']).toBe('true')
  }

  const faulty = await get('/vast/preroll?w=-1&v=9&max=99')
  expect(faulty.statusCode).toBe(400)
  const { faults } = faulty.json<{ faults: readonly { path: string }[] }>()
  expect(faults.map(({ path }) => path).toSorted()).toEqual([
    'querystring/max',
    'querystring/v',
    'querystring/w',
  ])
  expect((await get('/vmap/preroll?breaks=never')).statusCode).toBe(400)
  expect((await get('/vast/elsewhere')).statusCode).toBe(404)
})

test('breaks lead to films; a forged token and a switched-off door answer with an empty document', async () => {
  const { get, world } = await aCinema()
  const vmap = await get('/vmap/preroll?breaks=start,60&v=3')
  const [tag] = textsIn(vmap.body, 'vmap:AdTagURI')
  expect(adsIn((await get(tag!)).body)).toHaveLength(1)

  const forged = await get('/vast/d/AQFhYmNkZWY')
  expect([forged.statusCode, adsIn(forged.body)]).toEqual([200, []])

  await world.pool.query(
    `insert into switches (name, is_on, updated_at) values ('doors.vast', false, now())`,
  )
  await expect.poll(async () => adsIn((await get('/vast/preroll')).body), WITHIN).toEqual([])
  const told = await get('/vast/preroll?err=1&v=3')
  expect(parseXml(told.body).getAttribute('version')).toBe('3.0')
  expect(textIn(told.body, 'Error')).toMatch(/\/vast\/empty\/error\?code=\[ERRORCODE\]$/)
  const error = await get(textIn(told.body, 'Error'))
  expect([error.statusCode, error.headers['content-type']]).toEqual([200, 'image/gif'])
})

test('films follow one another, none of one campaign twice; older players get one; pictures of the campaign stand beside', async () => {
  const { get, world, whole, campaigns } = await aCinema([{}, {}])
  const { campaign } = campaigns[0]!
  const twin = await world.addBanner({ ...FILM, headline: 'Twin' })
  await world.addAd(campaign, 4_500_000n, twin)
  const picture = { primaryImageUrl: '/api/v1/assets/2/file', width: 300, height: 250 }
  await world.addAd(campaign, 1_000n, await world.addBanner(picture))
  await world.addAd(
    campaign,
    1_000n,
    await world.addBanner({ primaryImageUrl: 'https://x.example' }),
  )
  const expected = campaigns.map(({ banner }) => banner.publicId)
  const ask = async (query = '') => (await get(`/vast/preroll${query}`)).body
  const companions = async () => named(parseXml(await ask()), 'Companion')
  await expect.poll(companions, WITHIN).toHaveLength(1)

  const row = adsIn(await ask('?max=3'))
  expect(row.map((ad) => ad.getAttribute('id'))).toEqual(expected)
  expect(row.map((ad) => ad.getAttribute('sequence'))).toEqual(['1', '2'])
  for (const query of ['', '?max=3&v=2']) {
    const ids = adsIn(await ask(query)).map((ad) => ad.getAttribute('id'))
    expect(ids).toEqual(expected.slice(0, 1))
  }

  const body = await ask()
  expect(textIn(body, 'StaticResource')).toMatch(/^http:.*\/assets\/2\/file$/)
  await get(eventIn(body, 'creativeView'))
  await expect
    .poll(() => whole.admin(`/tracking/delivery/${campaign.publicId}`), WITHIN)
    .toMatchObject({ rendered: 0, video: { creativeView: 1 } })
})

test('the tag of another ad server is wrapped, with our macros filled and its own left to the player', async () => {
  const vastUrl = 'https://other.example/vast?p={placement}&u={pageUrl}&cb=[CACHEBUSTING]'
  const tag = { videoUrl: null, videoFiles: null, vastUrl }
  const { get } = await aCinema([tag])

  const { body } = await get('/vast/preroll?url=https%3A%2F%2Fnews.example%2F%3Fa%26b')

  expect(textIn(body, 'VASTAdTagURI')).toBe(
    'https://other.example/vast?p=preroll&u=https%3A%2F%2Fnews.example%2F%3Fa%26b&cb=[CACHEBUSTING]',
  )
  expect(textIn(body, 'ClickTracking')).toMatch(/\/t\/k\//)
  expect((await get('/vast/preroll?wrap=0')).body).not.toContain('<Ad')
})

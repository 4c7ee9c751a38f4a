import { micros } from '@placard/money'
import { expect, test } from 'vitest'
import { addKey } from '../../../testing/server.ts'
import { aServingWorld } from '../../../testing/worlds/serving-world.ts'
import { BROWSER, startWhole } from '../../../testing/worlds/whole-world.ts'
import { aRequest } from './testing-market.ts'

const WITHIN = { timeout: 20_000 }
const SERVER = { 'user-agent': 'Go-http-client/1.1' }
const PAGE = { ...BROWSER, origin: 'https://gazette.example' }

/** A campaign of one advertiser on a real node, and its bids. */
async function aBidder() {
  const world = await aServingWorld()
  const placement = await world.addPlacement({ type: 'feed', mode: 'hybrid' })
  const banner = await world.addBanner({ ctaUrl: 'https://shop.example/autumn' })
  const campaign = await world.addCampaign({ budgetDailyMicros: micros(1_000_000n) })
  await world.addCampaignPlacement(campaign, placement)
  await world.addAd(campaign, 5_000_000n, banner)
  const whole = await startWhole(world)
  const bid = async (request: object = {}, headers: Record<string, string> = PAGE) => {
    const answer = await whole.post('/openrtb2/auction', aRequest(request), headers)
    return answer.json().seatbid?.[0]?.bid?.[0]
  }
  const delivery = () => whole.admin(`/tracking/delivery/${campaign.publicId}`)
  return { world, whole, bid, delivery }
}

const pixelOf = ({ adm }: { adm: string }) => /src="([^"]*\/t\/i\/[\w-]+)"/.exec(adm)?.[1] ?? ''
const clickOf = ({ adm }: { adm: string }) => /href="([^"]*\/t\/c\/[\w-]+)"/.exec(adm)?.[1] ?? ''

test('a pixel and its burl are one impression at a thousandth of the price; a server’s burl takes nobody’s place', async () => {
  const { world, whole, bid, delivery } = await aBidder()
  const shown = await bid()

  // The exchange's server calls first, the reader's browser shows the ad later.
  const early = await whole.get(shown.burl, SERVER)
  expect(early.statusCode).toBe(200)
  await whole.get(pixelOf(shown))
  await whole.post(new URL(shown.burl).pathname, {})
  const head = await whole.http.inject({ method: 'HEAD', url: new URL(shown.burl).pathname })
  expect(head.statusCode).toBe(200)
  world.deps.clock.advance(2_000)
  await whole.get(clickOf(shown))

  await expect.poll(delivery, WITHIN).toMatchObject({
    rendered: 1,
    clicked: 1,
    chargedMicros: String(Math.round(shown.price * 1_000)),
  })
})

test('an exchange with a key of the publisher bills by burl alone, and gives back what it lost', async () => {
  const { world, whole, bid, delivery } = await aBidder()
  const key = await addKey(whole, { account: world.seller, scopes: ['serving:write'] })
  const [won, lost] = [await bid({}, { ...SERVER, ...key }), await bid({}, { ...SERVER, ...key })]
  const reserved = () => whole.metrics.getSingleMetricAsString('placard_budget_reservations')

  expect(won.burl).toContain('?x=')
  expect(lost.lurl).toMatch(/\/t\/l\/.*&why=\$\{AUCTION_LOSS\}$/)
  expect(await reserved()).toMatch(/ 2$/m)
  expect((await whole.get(lost.lurl.replace(/x=[^&]*/, 'x=forged.seal'))).statusCode).toBe(200)
  expect(await reserved()).toMatch(/ 2$/m)
  expect((await whole.get(lost.lurl, SERVER)).statusCode).toBe(200)
  expect(await reserved()).toMatch(/ 1$/m)
  await whole.get(won.burl, SERVER)

  await expect.poll(delivery, WITHIN).toMatchObject({ rendered: 1 })
})

test('a reader who refuses is not known, and one who refuses selection gets no bid where the operator says so', async () => {
  const { whole, bid } = await aBidder()
  const refused = { regs: { gdpr: 1 }, user: { id: 'reader-1', consent: 'broken' } }

  const shown = await bid(refused)
  await whole.get(pixelOf(shown))

  expect(shown.price).toBeGreaterThan(0)
  const { rows } = await whole.connection.pool.query<{ user_key: string | null }>(
    'select user_key from auctions',
  )
  expect(rows.every(({ user_key }) => user_key === null)).toBe(true)
})

test('a film bids as VAST, its document can be had again, and its impression is counted once', async () => {
  const { world, whole, bid } = await aBidder()
  const film = {
    url: '/api/v1/assets/1/file',
    contentType: 'video/mp4',
    width: 1_280,
    height: 720,
    durationMs: 15_000,
    bitrateKbps: 1_200,
    byteCount: 2_250_000,
  }
  const preroll = await world.addPlacement({ slug: 'preroll', type: 'feed', mode: 'auction' })
  const campaign = await world.addCampaign({ budgetDailyMicros: micros(1_000_000n) })
  await world.addCampaignPlacement(campaign, preroll)
  const shown = { format: 'video', headline: 'Leaves', videoUrl: film.url, videoFiles: [film] }
  await world.addAd(campaign, 6_000_000n, await world.addBanner(shown))
  const video = { mimes: ['video/mp4'], w: 640, h: 360, protocols: [2, 3] }
  const imp = [{ id: 'player', tagid: 'preroll', video }]
  const asked = () => bid({ imp })
  await expect.poll(asked, WITHIN).toMatchObject({ mtype: 2, w: 640, h: 360, dur: 15, exp: 1_800 })

  const given = await asked()
  const again = await whole.get(given.nurl)
  const impressionIn = (xml: string) =>
    /<Impression[^>]*><!\[CDATA\[(.*?)\]\]>/.exec(xml)?.[1] ?? ''
  for (const url of [impressionIn(given.adm), impressionIn(again.body), given.burl]) {
    await whole.get(url)
  }

  expect(given.adm).toMatch(/<VAST version="3.0"/)
  expect(again.headers['content-type']).toContain('application/xml')
  expect(again.body).toContain('<AdTitle>Leaves</AdTitle>')
  const delivery = () => whole.admin(`/tracking/delivery/${campaign.publicId}`)
  await expect.poll(delivery, WITHIN).toMatchObject({
    rendered: 1,
    chargedMicros: String(Math.round(given.price * 1_000)),
  })
})

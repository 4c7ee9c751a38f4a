import { micros } from '@placard/money'
import { expect, test } from 'vitest'
import { cuttable } from '../../testing/services/cuttable.ts'
import { aServingWorld } from '../../testing/worlds/serving-world.ts'
import { startWhole, type WholeOptions } from '../../testing/worlds/whole-world.ts'

const WITHIN = { timeout: 20_000 }
const QUARTILES = ['start', 'firstQuartile', 'midpoint', 'thirdQuartile', 'complete']

/** One campaign with a film, alone on one placement, and a showing of it. */
async function aShownFilm(options: (url: string) => Promise<WholeOptions> = async () => ({})) {
  const world = await aServingWorld()
  const placement = await world.addPlacement({ type: 'feed', mode: 'hybrid' })
  const banner = await world.addBanner({ ctaUrl: 'https://shop.example/autumn' })
  const campaign = await world.addCampaign({ budgetDailyMicros: micros(1_000_000n) })
  await world.addCampaignPlacement(campaign, placement)
  await world.addAd(campaign, 5_000_000n, banner)
  const whole = await startWhole(world, await options(world.url))
  const { eventToken, impressionUrl = '', clickUrl = '' } = await whole.serveAd()
  const delivery = () => whole.admin(`/tracking/delivery/${campaign.publicId}`)
  return { world, whole, token: eventToken, impressionUrl, clickUrl, delivery }
}

test('a film that is watched, muted and clicked: each step once, errors by code, one charge', async () => {
  const { world, whole, token, impressionUrl, clickUrl, delivery } = await aShownFilm()
  await whole.get(impressionUrl)
  for (const name of [...QUARTILES, ...QUARTILES, 'mute', 'viewable', 'custom-7']) {
    expect((await whole.get(`/t/p/${token}/${name}`)).statusCode).toBe(200)
  }
  for (const code of ['405', '405', 'nonsense']) {
    await whole.http.inject({
      url: `/t/x/${token}?code=${code}`,
      headers: { 'user-agent': 'Mozilla/5.0 (X11; Linux x86_64) Firefox/140.0' },
    })
  }
  world.deps.clock.advance(1)
  await whole.get(`/t/k/${clickUrl.split('/').at(-1)}`)

  await expect.poll(delivery, WITHIN).toMatchObject({
    rendered: 1,
    viewable: 1,
    clicked: 1,
    unfiltered: { impressions: 1, views: 1, clicks: 1 },
    video: {
      ...Object.fromEntries(QUARTILES.map((name) => [name, 1])),
      mute: 1,
      skip: 0,
    },
    videoErrors: [
      { code: 405, count: 1 },
      { code: 900, count: 1 },
    ],
    customEvents: [{ number: 7, count: 1 }],
  })
  const { chargedMicros } = await delivery()
  expect(Number(chargedMicros)).toBeGreaterThan(0)
})

test('while PostgreSQL is away steps are kept on the disk, and counted once when it is back', async () => {
  const way: { cut?: () => void; mend?: () => void } = {}
  const { whole, token, delivery } = await aShownFilm(async (url) => {
    const cut = await cuttable(url)
    Object.assign(way, { cut: () => cut.cut(), mend: () => cut.mend() })
    return { ingestUrl: cut.url }
  })
  way.cut?.()

  const answers = []
  for (const name of [...QUARTILES, 'start']) answers.push(await whole.get(`/t/p/${token}/${name}`))
  way.mend?.()

  expect(answers.map(({ statusCode }) => statusCode)).toEqual([200, 200, 200, 200, 200, 200])
  await expect.poll(delivery, WITHIN).toMatchObject({ video: { start: 1, complete: 1 } })
})

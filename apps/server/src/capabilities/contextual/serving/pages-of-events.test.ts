import { sql } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { addRankerFeedback, listScores } from './store-ranker.ts'
import {
  aContextualWorld,
  FOOD_AND_DRINK,
  SPORTS,
} from '../../../testing/worlds/contextual-world.ts'
import { BROWSER, startWhole } from '../../../testing/worlds/whole-world.ts'

/** Browsers send other origins only the origin of the page. */
const ORIGIN = { ...BROWSER, referer: 'https://gazette.example/' }

test('a click and an impression train the page that requested the ad, not the cut Referer', async () => {
  const world = await aContextualWorld()
  const { db, deps, site, pages } = world
  // The front page is about something else.
  await world.addPage('/', FOOD_AND_DRINK)
  await db.execute(sql`update banners set cta_url = 'https://shop.example/'`)
  await world.auction()
  const whole = await startWhole(world)

  const answer = await whole.post(
    `/api/v1/sites/${site.publicId}/serve`,
    { url: `${pages.sport}?utm_source=mail#top`, slots: [{ placement: 'home-top' }] },
    ORIGIN,
  )
  const [banner] = answer.json().slots[0].banners
  expect((await whole.get(banner.impressionUrl, ORIGIN)).statusCode).toBe(200)
  deps.clock.advance(2)
  expect((await whole.get(banner.clickUrl, ORIGIN)).statusCode).toBe(302)

  await expect
    .poll(
      async () => {
        await addRankerFeedback(db, deps.clock.now())
        return (await listScores(db, { siteId: site.id, now: new Date() })).of(SPORTS).site
      },
      { timeout: 20_000 },
    )
    .toMatchObject({ impressions: 1, clicks: 1 })
  expect(
    (await listScores(db, { siteId: site.id, now: new Date() })).of(FOOD_AND_DRINK).site,
  ).toBeUndefined()
})

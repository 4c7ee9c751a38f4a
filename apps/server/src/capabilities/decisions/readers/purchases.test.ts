import { DAY_SECONDS } from '@placard/calendar'
import { micros } from '@placard/money'
import { expect, test } from 'vitest'
import { addKey } from '../../../testing/server.ts'
import { aServingWorld } from '../../../testing/worlds/serving-world.ts'
import { startWhole } from '../../../testing/worlds/whole-world.ts'

const WITHIN = { timeout: 20_000 }
/** As decided for feeds, before anything is learned. */
const PLAIN_CTR = 0.02
const LIFTED_CTR = 0.022
const USER = 'reader-1'

/** A cpc campaign whose ad USER was shown and clicked. */
async function aShop() {
  const world = await aServingWorld()
  const { deps, pool } = world
  const placement = await world.addPlacement({ mode: 'auction', type: 'feed' })
  await world.addBidder(placement, 500_000n, { pricing: 'cpc', maxBidMicros: micros(1_000_000n) })
  await pool.query(`update banners set cta_url = 'https://shop.example/'`)
  const whole = await startWhole(world)
  const { get, post, serveAd, adminPost } = whole
  const click = async () => {
    const ad = await serveAd({ placement: 'home-top', userId: USER })
    await get(ad.impressionUrl!)
    deps.clock.advance(2)
    const { headers } = await get(ad.clickUrl!)
    await expect
      .poll(
        async () => (await pool.query(`select from clicks where label = 'valid'`)).rowCount,
        WITHIN,
      )
      .toBe(1)
    return new URL(String(headers.location)).searchParams.get('placard_click')!
  }
  const why = async (userId = USER) =>
    (await adminPost('/api/v1/admin/decisions/explain', { placement: 'home-top', userId })) as {
      context: { lastPurchaseDaysAgo?: number }
      winners: [{ ctr: number; calculation: string[] }]
    }
  const ctrOf = async (userId?: string) => (await why(userId)).winners[0].ctr
  return { ...world, whole, click, why, ctrOf, post }
}

const ORDER = { kind: 'purchase', valueMicros: '49900000', currency: 'EUR' }

test('a counted purchase raises the reader’s click rate by a tenth for 14 days, and Why says so', async () => {
  const { deps, pool, whole, click, why, ctrOf, post } = await aShop()
  const token = await click()
  expect(await ctrOf()).toBe(PLAIN_CTR)

  await post('/t/v', { ...ORDER, token, orderId: '1' })

  await expect.poll(() => ctrOf(), WITHIN).toBeCloseTo(LIFTED_CTR, 9)
  const told = await why()
  expect(told.context.lastPurchaseDaysAgo).toBe(0)
  expect(told.winners[0].calculation).toContain(
    'Click rate × 1.1: the reader bought something within the last day.',
  )
  expect(await ctrOf('somebody else')).toBe(PLAIN_CTR)

  await whole.serveAd({ placement: 'home-top', userId: USER })
  await whole.serving.recorder.flush()
  const { rows } = await pool.query<{ id: string; days: string }>(
    `select id, context ->> 'lastPurchaseDaysAgo' as days from auctions order by id desc limit 1`,
  )
  expect(rows[0]!.days).toBe('0')
  const recorded = await whole.admin(`/decisions/${rows[0]!.id}/explain`)
  expect(JSON.stringify(recorded['recorded'])).toContain('the reader bought something')

  deps.clock.advance(14 * DAY_SECONDS)
  expect(await ctrOf()).toBeCloseTo(LIFTED_CTR, 9)
  deps.clock.advance(DAY_SECONDS)
  expect(await ctrOf()).toBe(PLAIN_CTR)
})

test('a purchase that no ad is credited for says nothing of a reader, and a forgotten one neither', async () => {
  const { whole, buyer, advertiser, pool, click, ctrOf, post } = await aShop()
  const token = await click()
  const key = await addKey(whole, { account: buyer, scopes: ['campaigns:write'] })
  const report = { ...ORDER, advertiserId: advertiser.publicId }

  await post(
    '/api/v1/conversions',
    { ...report, userId: 'stranger', eventId: 'a', orderId: 'a' },
    key,
  )
  await post('/t/v', { ...ORDER, kind: 'checkout', token })
  await post('/api/v1/conversions', { ...report, userId: USER, eventId: 'b', orderId: 'b' }, key)
  await expect.poll(() => ctrOf(), WITHIN).toBeCloseTo(LIFTED_CTR, 9)
  expect(await ctrOf('stranger')).toBe(PLAIN_CTR)
  const { rows } = await pool.query('select count(*)::int as readers from user_segments')
  expect(rows).toEqual([{ readers: 1 }])

  await whole.adminPost('/api/v1/privacy/forget', { userId: USER })
  await expect.poll(() => ctrOf(), WITHIN).toBe(PLAIN_CTR)
})

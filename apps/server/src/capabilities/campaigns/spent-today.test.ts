import { micros } from '@placard/money'
import { expect, test } from 'vitest'
import { aServingWorld } from '../../testing/worlds/serving-world.ts'
import { startWhole } from '../../testing/worlds/whole-world.ts'

test('an advertiser shows what it has spent today, in lists too, until midnight in its own zone', async () => {
  const world = await aServingWorld()
  const { advertiser, deps, pool } = world
  await pool.query(`update advertisers set time_zone = 'Asia/Tokyo'`)
  const placement = await world.addPlacement({ mode: 'auction', floorMicros: micros(2_000_000n) })
  await world.addBidder(placement, 5_000_000n)
  const whole = await startWhole(world)
  const read = () => whole.admin(`/advertisers/${advertiser.publicId}`)
  const spent = { spentTodayMicros: '2000', currency: 'EUR', timeZone: 'Asia/Tokyo' }

  expect(await read()).toMatchObject({ ...spent, spentTodayMicros: '0' })
  await whole.get((await whole.serveAd()).impressionUrl!)

  await expect.poll(read, { timeout: 20_000 }).toMatchObject(spent)
  expect(await whole.admin('/advertisers')).toMatchObject({ items: [spent] })
  deps.clock.moveTo('2026-06-15T15:00:00Z')
  expect(await read()).toMatchObject({ ...spent, spentTodayMicros: '0' })
})

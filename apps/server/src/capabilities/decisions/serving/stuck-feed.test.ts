import { expect, onTestFinished, test, vi } from 'vitest'
import { aServingWorld, startServing } from '../../../testing/worlds/serving-world.ts'

/** An ad that is served, and a change feed that an open transaction holds back. */
async function aStuckFeed() {
  const world = await aServingWorld()
  await world.addBidder(await world.addPlacement({ type: 'feed', mode: 'hybrid' }), 5_000_000n)
  const open = await world.pool.connect()
  onTestFinished(() => open.release())
  const hold = () =>
    open.query(`begin; update advertisers set version = version + 1 where name = 'Northwind'`)
  return { world, hold }
}

const SWITCH_OFF = `insert into switches (name, is_on, updated_at, version)
  values ('decisions.serving', false, now(), 1)`
const eventually = (look: () => Promise<void>) =>
  vi.waitFor(look, { timeout: 10_000, interval: 20 })

test('an emergency switch acts while the change feed stands still', async () => {
  const { world, hold } = await aStuckFeed()
  const { serveAd } = await startServing(world)
  const status = async () => (await serveAd({ placement: 'home-top' })).statusCode
  expect(await status()).toBe(200)
  await hold()

  await world.pool.query(SWITCH_OFF)

  await eventually(async () => expect(await status()).toBe(204))
  await world.pool.query('update switches set is_on = true, version = 2')
  await eventually(async () => expect(await status()).toBe(200))
})

test('a node that starts while the change feed stands still obeys the emergency switch', async () => {
  const { world, hold } = await aStuckFeed()
  await hold()
  await world.pool.query(SWITCH_OFF)

  const { serveAd } = await startServing(world)

  expect((await serveAd({ placement: 'home-top' })).statusCode).toBe(204)
})

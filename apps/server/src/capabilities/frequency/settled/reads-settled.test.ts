import { expect, test } from 'vitest'
import { createSettler } from '../../tracking/index.ts'
import { addCampaign, addCaps, aMarket, eventsOf } from '../../tracking/testing.ts'
import { listSettledBy } from './reads-settled.ts'

test('counts are listed for the users that one process settled last', async () => {
  const market = await aMarket()
  const { pool, deps } = market
  const campaignKey = await addCampaign(market)
  await addCaps(market, campaignKey, ['Lifetime'])
  const anEvent = eventsOf(market)
  const settle = (node: string, users: readonly string[]) =>
    createSettler({ pool: market.ingestPool, node, clock: deps.clock, ids: deps.ids }).settle(
      users.map((userKey) => anEvent({ campaignKey, userKey })),
      { countsRepeats: true },
    )
  await settle('one', ['ada', 'bob'])
  await settle('two', ['ada', 'cleo'])

  const listed = async (node: string) =>
    (await listSettledBy(pool, node, deps.clock.now()))
      .map(({ userKey, impressions }) => `${userKey} ${impressions}`)
      .toSorted()

  expect(await listed('one')).toEqual(['ada 2', 'bob 1'])
  expect(await listed('two')).toEqual(['ada 2', 'cleo 1'])
  expect(await listed('nobody')).toEqual([])
})

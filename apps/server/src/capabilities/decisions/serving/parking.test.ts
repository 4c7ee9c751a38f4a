import { micros } from '@placard/money'
import { describe, expect, test } from 'vitest'
import { addKey } from '../../../testing/server.ts'
import { aServingWorld } from '../../../testing/worlds/serving-world.ts'
import { BROWSER, startWhole, type WholeOptions } from '../../../testing/worlds/whole-world.ts'

const ADDRESS = '203.0.113.7'
const OTHER_ADDRESS = '198.51.100.9'

/**
 * A budget for 25 showings at 2,000 micros. None is shown with less than 5,000 left: the whole bid
 * must fit.
 */
async function aSmallBudget(settings: WholeOptions['settings'] = {}) {
  const world = await aServingWorld()
  const placement = await world.addPlacement({
    type: 'feed',
    mode: 'auction',
    floorMicros: micros(2_000_000n),
  })
  const { campaign } = await world.addBidder(placement, 5_000_000n, {
    pacingStrategy: 'Accelerated',
    budgetDailyMicros: micros(50_000n),
  })
  const whole = await startWhole(world, { settings })
  const ask = async (remoteAddress: string, body: object = {}, headers = {}) =>
    (
      await whole.http.inject({
        method: 'POST',
        url: '/api/v1/ads/serve',
        remoteAddress,
        headers: { ...BROWSER, ...headers },
        payload: { placement: 'home-top', ...body },
      })
    ).statusCode
  const askOften = async (remoteAddress: string, count: number, headers = {}) => {
    const answers = []
    for (let at = 0; at < count; at++) answers.push(await ask(remoteAddress, {}, headers))
    return answers.filter((status) => status === 200).length
  }
  const budget = () => whole.serving.budgets.findCampaign(Number(campaign.id))!
  return { world, whole, ask, askOften, budget }
}

describe('a small budget', () => {
  test('is not parked by one address that asks for ads and shows none', async () => {
    const { ask, askOften, budget } = await aSmallBudget()

    const shown = await askOften(ADDRESS, 60)

    expect(shown).toBe(2)
    expect(budget().campaignDay.heldMicros).toBe(4_000)
    expect(await ask(OTHER_ADDRESS)).toBe(200)
  })

  test('is not parked by many addresses: half stays free for readers whom somebody vouches for', async () => {
    const { world, ask, askOften, budget } = await aSmallBudget()
    for (let at = 1; at <= 60; at++) await askOften(`203.0.113.${at}`, 3)
    expect(budget().campaignDay.heldMicros).toBe(24_000)
    expect(await ask(OTHER_ADDRESS)).toBe(204)

    const key = await addKey(world, { account: world.seller, scopes: ['serving:write'] })
    expect(await askOften(OTHER_ADDRESS, 3, key)).toBe(3)
  })

  test('is free again after seconds, and the addresses of an IPv6 network are one', async () => {
    const { world, askOften, budget } = await aSmallBudget()

    const shown = [
      await askOften('2001:db8:1:1::1', 3),
      await askOften('2001:db8:1:1:ffff::2', 3),
      await askOften('2001:db8:1:2::1', 3),
    ]
    expect(shown).toEqual([2, 0, 2])

    world.deps.clock.advance(11)
    expect(budget().reservations).toBe(0)
  })

  test('a user id that somebody made up is no proof, a context token is', async () => {
    const { world, whole, ask, askOften, budget } = await aSmallBudget()
    for (let at = 1; at <= 5; at++) await ask(ADDRESS, { userId: `user-${at}` })
    expect(budget().campaignDay.heldMicros).toBe(4_000)

    const { token } = await whole.adminPost('/api/v1/context-tokens', {
      publisherId: world.publisher.publicId,
      userId: 'u1',
    })
    const answers = []
    for (let at = 0; at < 5; at++) answers.push(await ask(ADDRESS, { contextToken: token }))
    // A tenth of what is left, for a minute: a token holds no more than an address, but longer.
    expect(answers.filter((status) => status === 200)).toHaveLength(2)
    world.deps.clock.advance(11)
    expect(budget().campaignDay.heldMicros).toBe(4_000)
    expect(await askOften(OTHER_ADDRESS, 1)).toBe(1)
  })
})

test('one address begins so many reservations, over all campaigns, and the metric tells', async () => {
  const { whole, ask, askOften } = await aSmallBudget({
    RESERVATIONS_PER_READER: '3',
    RESERVATION_PERCENT_PER_READER: '100',
  })

  expect(await askOften(ADDRESS, 10)).toBe(3)
  expect(await ask(OTHER_ADDRESS)).toBe(200)
  const told = await whole.metrics.metrics()
  expect(told).toContain('placard_decisions_holds_refused_total 7')
  expect(told).toContain('placard_budget_share_refused_total{bound="holder"} 0')
})

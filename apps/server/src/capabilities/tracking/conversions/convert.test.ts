import { DAY_MS } from '@placard/calendar'
import { describe, expect, test } from 'vitest'
import type { Conversion } from './conversion.ts'
import { convert } from './convert.ts'
import type { TrackedEvent } from '../intake/event.ts'
import type { Showing } from './store.ts'
import { addCampaign, aMarket, countRows, eventsOf, type Market, settlerOn } from '../testing.ts'

async function aShop() {
  const market = await aMarket()
  const campaignKey = await addCampaign(market)
  const nowMs = market.deps.clock.now().getTime()
  const anEvent = eventsOf(market)
  const userKey = 'a-user'
  const shown = anEvent({ campaignKey, userKey, occurredAtMs: nowMs - 60_000 })
  const { decisionId } = shown
  const click = anEvent({
    campaignKey,
    userKey,
    decisionId,
    kind: 'click',
    occurredAtMs: nowMs - 30_000,
  })
  return { market, campaignKey, userKey, nowMs, shown, click }
}

const showingOf = ({ decisionId, decisionDay, position }: TrackedEvent): Showing => ({
  decisionId: decisionId!,
  decisionDay,
  position,
})

function purchase(market: Market, overrides: Partial<Conversion> = {}): Conversion {
  const nowMs = market.deps.clock.now().getTime()
  return {
    eventId: market.deps.ids.next(),
    kind: 'purchase',
    way: 'server',
    decisionDay: Math.floor(nowMs / DAY_MS),
    decisionId: undefined,
    advertiserKey: market.advertiserKey,
    userKey: undefined,
    orderId: undefined,
    valueMicros: 20_000_000n,
    currency: 'EUR',
    occurredAtMs: nowMs,
    receivedAtMs: nowMs,
    clock: 'on-time',
    label: 'valid',
    ...overrides,
  }
}

const noShowings = async () => []
const creditsOf = async ({ pool }: Market) =>
  (
    await pool.query(
      'select touch, campaign_id::integer as campaign, share from conversion_credits',
    )
  ).rows

describe('a conversion', () => {
  test('a conversion is credited to a click of the same user', async () => {
    const { market, campaignKey, userKey, shown, click } = await aShop()
    await settlerOn(market).settle([shown, click], { countsRepeats: true })
    const deps = { pool: market.pool, listShowings: noShowings }

    expect(await convert(deps, purchase(market, { userKey }))).toBe(true)

    expect(await creditsOf(market)).toEqual([
      { touch: 'click', campaign: campaignKey, share: 10_000 },
    ])
  })

  test('a conversion is credited to the impression in its tracking link, even without a user', async () => {
    const { market, campaignKey, shown, click } = await aShop()
    await settlerOn(market).settle([shown, click], { countsRepeats: true })
    const deps = { pool: market.pool, listShowings: noShowings }

    await convert(deps, purchase(market), showingOf(shown))

    expect(await creditsOf(market)).toEqual([
      { touch: 'click', campaign: campaignKey, share: 10_000 },
    ])
  })

  test('a conversion is credited to a view within the last day if there is no click', async () => {
    const { market, campaignKey, userKey, shown } = await aShop()
    await settlerOn(market).settle([shown], { countsRepeats: true })
    const deps = { pool: market.pool, listShowings: async () => [showingOf(shown)] }

    await convert(deps, purchase(market, { userKey }))

    expect(await creditsOf(market)).toEqual([
      { touch: 'view', campaign: campaignKey, share: 10_000 },
    ])
  })

  test('a conversion counts once per order', async () => {
    const { market } = await aShop()
    const deps = { pool: market.pool, listShowings: noShowings }
    const order = { orderId: 'order-1' }

    const results = await Promise.all([1, 2, 3].map(() => convert(deps, purchase(market, order))))

    expect(results.filter(Boolean)).toHaveLength(1)
    expect(await countRows(market.pool, 'conversions')).toBe(1)
  })

  test('a conversion counts once per event id', async () => {
    const { market } = await aShop()
    const deps = { pool: market.pool, listShowings: noShowings }
    const same = purchase(market)

    expect([await convert(deps, same), await convert(deps, same)]).toEqual([true, false])
  })

  test('a conversion without a valid label is stored and credited to nobody', async () => {
    const { market, userKey, shown, click } = await aShop()
    await settlerOn(market).settle([shown, click], { countsRepeats: true })
    const deps = { pool: market.pool, listShowings: noShowings }

    await convert(deps, purchase(market, { userKey, label: 'bot' }))

    expect(await countRows(market.pool, 'conversions')).toBe(1)
    expect(await creditsOf(market)).toEqual([])
  })
})

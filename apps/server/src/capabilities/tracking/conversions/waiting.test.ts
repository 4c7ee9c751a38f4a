import { DAY_MS } from '@placard/calendar'
import { expect, test } from 'vitest'
import { manualTimers } from '../../../platform/background/manual-timers.ts'
import type { Conversion } from './conversion.ts'
import { stageBatch, deleteStagedBatches } from '../settlement/store-staging.ts'
import { addCampaign, aMarket, countRows, eventsOf, type Market, settlerOn } from '../testing.ts'
import { acceptConversion, keepReady } from './waiting.ts'

const USER = 'a-user'

/** A staged click, and a purchase that arrives before the click is settled. */
async function anEarlyPurchase() {
  const market = await aMarket()
  const campaignKey = await addCampaign(market)
  const anEvent = eventsOf(market)
  const nowMs = market.deps.clock.now().getTime()
  const fields = { campaignKey, userKey: USER }
  const shown = anEvent({ ...fields, occurredAtMs: nowMs - 60_000 })
  const { decisionId } = shown
  const click = anEvent({ ...fields, decisionId, kind: 'click', occurredAtMs: nowMs - 30_000 })
  const batch = await stageBatch(market.pool, [shown, click])
  const { pool, deps } = market
  const keeping = { pool, clock: deps.clock, listShowings: async () => [] }
  return { market, keeping, batch, events: [shown, click], campaignKey }
}

function purchase({ deps, advertiserKey }: Market): Conversion {
  const nowMs = deps.clock.now().getTime()
  return {
    eventId: deps.ids.next(),
    kind: 'purchase',
    way: 'server',
    decisionDay: Math.floor(nowMs / DAY_MS),
    decisionId: undefined,
    advertiserKey,
    userKey: USER,
    orderId: 'order-1',
    valueMicros: 20_000_000n,
    currency: 'EUR',
    occurredAtMs: nowMs,
    receivedAtMs: nowMs,
    clock: 'on-time',
    label: 'valid',
  }
}

const creditsOf = async ({ pool }: Market) =>
  (await pool.query('select touch, campaign_id::integer as campaign from conversion_credits')).rows

test('a conversion that arrives before its click is settled is credited to that click', async () => {
  const { market, keeping, batch, campaignKey } = await anEarlyPurchase()
  await acceptConversion(keeping, purchase(market))
  expect(await keepReady(keeping)).toBe(true)
  expect(await countRows(market.pool, 'conversions')).toBe(0)

  await settlerOn(market).staging.settle([batch], { countsRepeats: true })

  expect(await keepReady(keeping)).toBe(false)
  expect(await creditsOf(market)).toEqual([{ touch: 'click', campaign: campaignKey }])
})

test('a conversion waits for a click that itself waits for its impression', async () => {
  const { market, keeping, batch, events, campaignKey } = await anEarlyPurchase()
  const [shown, click] = events
  await deleteStagedBatches(market.pool, [batch])
  const first = await stageBatch(market.pool, [shown!])
  const second = await stageBatch(market.pool, [click!])
  await acceptConversion(keeping, purchase(market))
  const settler = settlerOn(market)

  await settler.staging.settle([second], { countsRepeats: true })
  await settler.staging.settle([first], { countsRepeats: true })
  expect(await keepReady(keeping)).toBe(true)

  await settler.staging.settle([second], { countsRepeats: true })
  expect(await keepReady(keeping)).toBe(false)
  expect(await creditsOf(market)).toEqual([{ touch: 'click', campaign: campaignKey }])
})

test('a conversion does not wait for batches staged after it', async () => {
  const { market, keeping, batch } = await anEarlyPurchase()
  await acceptConversion(keeping, purchase(market))
  await stageBatch(market.pool, [eventsOf(market)()])

  await deleteStagedBatches(market.pool, [batch])

  expect(await keepReady(keeping)).toBe(false)
})

test('a conversion sent twice while it waits, or stored by two nodes at once, counts once', async () => {
  const { market, keeping, batch } = await anEarlyPurchase()
  await acceptConversion(keeping, purchase(market))
  await acceptConversion(keeping, purchase(market))
  await deleteStagedBatches(market.pool, [batch])

  await Promise.all([keepReady(keeping), keepReady(keeping)])

  expect(await countRows(market.pool, 'conversions')).toBe(1)
  expect(await countRows(market.pool, 'waiting_conversions')).toBe(0)
})

test('a conversion is stored at once if nothing is staged', async () => {
  const { market, keeping, batch } = await anEarlyPurchase()
  await deleteStagedBatches(market.pool, [batch])

  await acceptConversion(keeping, purchase(market))

  expect(await countRows(market.pool, 'conversions')).toBe(1)
})

test('a conversion waits for the spool of this node, and is refused if that takes too long', async () => {
  const { market, keeping, batch, events, campaignKey } = await anEarlyPurchase()
  await deleteStagedBatches(market.pool, [batch])
  const spool = Promise.withResolvers<void>()
  const timers = manualTimers()
  const deps = { ...keeping, timers, spoolSettled: () => spool.promise }

  const late = acceptConversion(deps, purchase(market))
  timers.pass(3_000)
  await expect(late).rejects.toMatchObject({ kind: { code: 'EVENTS_NOT_TAKEN' } })

  const kept = acceptConversion(deps, purchase(market))
  await settlerOn(market).settle(events, { countsRepeats: false })
  spool.resolve()
  await kept
  expect(await creditsOf(market)).toEqual([{ touch: 'click', campaign: campaignKey }])
})

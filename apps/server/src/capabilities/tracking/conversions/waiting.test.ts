import { DAY_MS } from '@placard/calendar'
import { expect, test } from 'vitest'
import { manualTimers } from '../../../platform/background/manual-timers.ts'
import type { Conversion } from './conversion.ts'
import { addNote, deleteNotes } from '../settlement/store-staging.ts'
import { addCampaign, aMarket, countRows, eventsOf, type Market, settlerOn } from '../testing.ts'
import { acceptConversion, keepReady } from './waiting.ts'

const USER = 'a-user'

/** A click that is acknowledged and noted, and a purchase that comes before it is settled. */
async function anEarlyPurchase() {
  const market = await aMarket()
  const campaignKey = await addCampaign(market)
  const anEvent = eventsOf(market)
  const nowMs = market.deps.clock.now().getTime()
  const its = { campaignKey, userKey: USER }
  const shown = anEvent({ ...its, occurredAtMs: nowMs - 60_000 })
  const { decisionId } = shown
  const click = anEvent({ ...its, decisionId, kind: 'click', occurredAtMs: nowMs - 30_000 })
  const note = await addNote(market.pool, [shown, click])
  const { pool, deps } = market
  const keeping = { pool, clock: deps.clock, listShowings: async () => [] }
  return { market, keeping, note, events: [shown, click], campaignKey }
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

test('a conversion that comes before its click is settled goes to that click', async () => {
  const { market, keeping, note, campaignKey } = await anEarlyPurchase()
  await acceptConversion(keeping, purchase(market))
  expect(await keepReady(keeping)).toBe(true)
  expect(await countRows(market.pool, 'conversions')).toBe(0)

  await settlerOn(market).inbox.settle([note], { countsRepeats: true })

  expect(await keepReady(keeping)).toBe(false)
  expect(await creditsOf(market)).toEqual([{ touch: 'click', campaign: campaignKey }])
})

test('it waits for a click that itself waits for its impression', async () => {
  const { market, keeping, note, events, campaignKey } = await anEarlyPurchase()
  const [shown, click] = events
  await deleteNotes(market.pool, [note])
  const first = await addNote(market.pool, [shown!])
  const second = await addNote(market.pool, [click!])
  await acceptConversion(keeping, purchase(market))
  const settler = settlerOn(market)

  await settler.inbox.settle([second], { countsRepeats: true })
  await settler.inbox.settle([first], { countsRepeats: true })
  expect(await keepReady(keeping)).toBe(true)

  await settler.inbox.settle([second], { countsRepeats: true })
  expect(await keepReady(keeping)).toBe(false)
  expect(await creditsOf(market)).toEqual([{ touch: 'click', campaign: campaignKey }])
})

test('it does not wait for what was noted after it', async () => {
  const { market, keeping, note } = await anEarlyPurchase()
  await acceptConversion(keeping, purchase(market))
  await addNote(market.pool, [eventsOf(market)()])

  await deleteNotes(market.pool, [note])

  expect(await keepReady(keeping)).toBe(false)
})

test('sent twice while it waits, or kept by two nodes at once, it counts once', async () => {
  const { market, keeping, note } = await anEarlyPurchase()
  await acceptConversion(keeping, purchase(market))
  await acceptConversion(keeping, purchase(market))
  await deleteNotes(market.pool, [note])

  await Promise.all([keepReady(keeping), keepReady(keeping)])

  expect(await countRows(market.pool, 'conversions')).toBe(1)
  expect(await countRows(market.pool, 'waiting_conversions')).toBe(0)
})

test('where nothing is noted it is kept at once', async () => {
  const { market, keeping, note } = await anEarlyPurchase()
  await deleteNotes(market.pool, [note])

  await acceptConversion(keeping, purchase(market))

  expect(await countRows(market.pool, 'conversions')).toBe(1)
})

test('it waits for what this node still has in its spool, and is sent away if that takes long', async () => {
  const { market, keeping, note, events, campaignKey } = await anEarlyPurchase()
  await deleteNotes(market.pool, [note])
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

import { expect, test } from 'vitest'
import {
  addCampaign,
  aMarket,
  booksOf,
  countRows,
  eventsOf,
  settlerOn,
  stepOf,
} from '../testing.ts'

const FIRST = { countsRepeats: true }

async function aFilm() {
  const market = await aMarket()
  const campaignKey = await addCampaign(market, { dailyMicros: 1_000_000n })
  const shown = eventsOf(market)({ campaignKey, userKey: 'a-reader', sessionId: 'a-session' })
  const sums = async () => {
    const { rows } = await market.pool.query<{ name: string; label: string; events: number }>(
      'select name, label, events::integer from progress_stats order by name, label',
    )
    return rows.map(({ name, label, events }) => `${name} ${label} ${events}`)
  }
  return { market, campaignKey, shown, settler: settlerOn(market), sums }
}

test('a step counts once per showing, whether it is repeated in its batch or in a later one', async () => {
  const { market, shown, settler, sums } = await aFilm()
  const [start, midpoint] = [stepOf(shown, 'start'), stepOf(shown, 'midpoint')]

  const first = await settler.settle([start, start, midpoint], FIRST)
  const second = await settler.settle([start, midpoint], FIRST)

  expect([first.progress, second.progress]).toEqual([{ valid: 2 }, {}])
  expect(await countRows(market.pool, 'progress_events')).toBe(2)
  expect(await sums()).toEqual(['midpoint valid 1', 'start valid 1'])
})

test('steps of two banners of one decision are two', async () => {
  const { shown, settler, sums } = await aFilm()

  await settler.settle([stepOf(shown, 'start'), stepOf({ ...shown, position: 1 }, 'start')], FIRST)

  expect(await sums()).toEqual(['start valid 2'])
})

test('an error counts once per showing and code', async () => {
  const { shown, settler, sums } = await aFilm()
  const [missing, timeout] = [stepOf(shown, 'error-401'), stepOf(shown, 'error-402')]

  await settler.settle([missing, timeout, missing], FIRST)

  expect(await sums()).toEqual(['error-401 valid 1', 'error-402 valid 1'])
})

test('nobody pays for progress, and it is no delivery', async () => {
  const { market, campaignKey, shown, settler } = await aFilm()

  await settler.settle([stepOf(shown, 'complete')], FIRST)

  expect(await booksOf(market.pool, campaignKey)).toEqual({})
  expect(await countRows(market.pool, 'delivery_stats')).toBe(0)
  const settled = await settler.settle([shown, stepOf(shown, 'start')], FIRST)
  expect(settled.fresh.map(({ event }) => event.kind)).toEqual(['impression'])
  expect((await booksOf(market.pool, campaignKey)).campaign).toBe(1_000_000)
})

test('what is not valid is kept apart by its label', async () => {
  const { shown, settler, sums } = await aFilm()

  const { progress } = await settler.settle(
    [stepOf(shown, 'start'), { ...stepOf({ ...shown, position: 1 }, 'start'), label: 'bot' }],
    FIRST,
  )

  expect(progress).toEqual({ valid: 1, bot: 1 })
  expect(await sums()).toEqual(['start bot 1', 'start valid 1'])
})

test('a step that no table takes is quarantined, and the others settle', async () => {
  const { market, shown, settler, sums } = await aFilm()

  const settled = await settler.settle(
    [stepOf(shown, 'start'), stepOf(shown, 'no name'), stepOf(shown, 'complete')],
    FIRST,
  )

  expect(settled).toMatchObject({ quarantined: 1, progress: { valid: 2 } })
  expect(await sums()).toEqual(['complete valid 1', 'start valid 1'])
  expect(await countRows(market.pool, 'quarantined_events')).toBe(1)
})

test('batches that share steps settle at the same time, and each step counts once', async () => {
  const { market, shown, settler, sums } = await aFilm()
  const steps = ['start', 'firstQuartile', 'midpoint', 'thirdQuartile', 'complete'].map((name) =>
    stepOf(shown, name),
  )

  await Promise.all([
    settler.settle(steps, FIRST),
    settler.settle(steps.toReversed(), FIRST),
    settler.settle(steps, FIRST),
  ])

  expect(await countRows(market.pool, 'progress_events')).toBe(5)
  expect((await sums()).every((sum) => sum.endsWith(' 1'))).toBe(true)
})

test('followers of settled batches are told of batches that have progress only', async () => {
  const { market, shown, settler } = await aFilm()

  await settler.settle([stepOf(shown, 'start')], FIRST)

  const { rows } = await market.pool.query(
    `select events, cardinality(decision_days) as days from settled_batches`,
  )
  expect(rows).toEqual([{ events: 1, days: 1 }])
})

test('progress names no reader', async () => {
  const { market, shown, settler } = await aFilm()

  await settler.settle([stepOf(shown, 'start')], FIRST)

  const { rows } = await market.pool.query('select to_jsonb(e)::text as row from progress_events e')
  expect(rows[0].row).not.toMatch(/a-reader|a-session/)
})

import { setImmediate as nextLoopTick } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { manualTimers } from '../../../platform/background/manual-timers.ts'
import { campaignTerms, openBook } from './testing-book.ts'
import { keepSweeping } from './sweeping.ts'
import { until } from '../../../testing/until.ts'

const CAMPAIGNS = 1_000

/** A book in which so many campaigns turn at once, because none can pay for a showing. */
function aBookWithVerdictChanges() {
  const { book, published } = openBook()
  for (let campaignKey = 1; campaignKey <= CAMPAIGNS; campaignKey++) {
    book.putCampaign(campaignTerms({ campaignKey, dailyMicros: 0 }))
  }
  const timers = manualTimers()
  const sweeping = keepSweeping(book, timers)
  timers.pass(100)
  return { published, timers, sweeping }
}

test('many campaigns that turn at once are published a few at a time, with turns for requests between', async () => {
  const { published, timers, sweeping } = aBookWithVerdictChanges()
  let ticks = 0
  await until('the sweep is over', () => {
    if (timers.waiting().length > 0) return true
    ticks++
    return false
  })

  expect(published).toHaveLength(CAMPAIGNS)
  expect(ticks).toBeGreaterThan(10)
  expect(timers.waiting()).toEqual([100])
  sweeping.stop()
})

test('stopped in the middle, it tells no more and never wakes again', async () => {
  const { published, timers, sweeping } = aBookWithVerdictChanges()
  await until('something is published', () => published.length > 0)

  sweeping.stop()
  const publishedBefore = published.length
  for (let tick = 0; tick < 10; tick++) await nextLoopTick()

  expect(published.length).toBeLessThan(CAMPAIGNS)
  expect(published.length - publishedBefore).toBeLessThanOrEqual(4)
  expect(timers.waiting()).toEqual([])
})

test('what turns while others are published waits for the next time', async () => {
  const timers = manualTimers()
  const sweeping = keepSweeping({ sweep: () => 8 }, timers)
  timers.pass(100)

  await until('the sweep is over', () => timers.waiting().length > 0)

  expect(timers.waiting()).toEqual([100])
  sweeping.stop()
})

import { setImmediate as nextLoopTick } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { manualTimers } from '../../../platform/background/manual-timers.ts'
import { campaignTerms, openBook } from './testing-book.ts'
import { keepSweeping } from './sweeping.ts'
import { until } from '../../../testing/until.ts'

const CAMPAIGNS = 1_000

/** A book in which many verdicts change at once, because no campaign can pay for an impression. */
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

test('many changed verdicts are published a few at a time, with pauses for requests', async () => {
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

test('a sweep stopped in the middle publishes no more and never runs again', async () => {
  const { published, timers, sweeping } = aBookWithVerdictChanges()
  await until('something is published', () => published.length > 0)

  sweeping.stop()
  const publishedBefore = published.length
  for (let tick = 0; tick < 10; tick++) await nextLoopTick()

  expect(published.length).toBeLessThan(CAMPAIGNS)
  expect(published.length - publishedBefore).toBeLessThanOrEqual(4)
  expect(timers.waiting()).toEqual([])
})

test('a verdict that changes during a sweep waits for the next sweep', async () => {
  const timers = manualTimers()
  const sweeping = keepSweeping({ sweep: () => 8 }, timers)
  timers.pass(100)

  await until('the sweep is over', () => timers.waiting().length > 0)

  expect(timers.waiting()).toEqual([100])
  sweeping.stop()
})

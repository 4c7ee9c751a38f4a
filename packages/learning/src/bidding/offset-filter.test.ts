import { expect, test } from 'vitest'
import { BID_MAX, marketDay } from '../testing/market.ts'
import { OFFSET_DEFAULTS, OffsetFilter } from './offset-filter.ts'
import { curveOf, lnMultiplierFor, spendAt } from './spend-curve.ts'

const curve = curveOf(marketDay({ count: 5_000, seed: 1 }), BID_MAX)
const ln = lnMultiplierFor(curve, 5)

/** A window in a market that is `offset` away from history. */
const windowAt = (offset: number, requests: number) => {
  const spend = Math.round(requests * spendAt(curve, ln + offset))
  return { requests, wins: Math.round(spend / 40), spend, value: 0, clicks: 0 }
}

/** Offset found after one small window of a market that is far off. */
function firstMean(outlier: number): number {
  const filter = new OffsetFilter({ ...OFFSET_DEFAULTS, outlier })
  filter.note(curve, ln, windowAt(1.4, 60))
  return filter.mean
}

test('the filter finds no offset before the first window', () => {
  expect(new OffsetFilter().mean).toBeCloseTo(0, 12)
})

test.each([-1.4, -0.2, 0.2, 1.4])(
  'the filter finds an offset of %d within 12 windows',
  (offset) => {
    const filter = new OffsetFilter()
    for (let window = 0; window < 12; window++) filter.note(curve, ln, windowAt(offset, 200))

    expect(Math.abs(filter.mean - offset)).toBeLessThan(0.25)
  },
)

test('a filter that considers a wrong history possible finds one sooner', () => {
  expect(firstMean(0.02)).toBeGreaterThan(firstMean(0) + 0.05)
})

test('the filter follows a market that moves', () => {
  const filter = new OffsetFilter()
  for (let window = 0; window < 30; window++) filter.note(curve, ln, windowAt(-0.3, 200))
  for (let window = 0; window < 30; window++) filter.note(curve, ln, windowAt(0.3, 200))

  expect(filter.mean).toBeGreaterThan(0.15)
})

test('the offset stays on the grid even if the market may move far between windows', () => {
  const filter = new OffsetFilter({ ...OFFSET_DEFAULTS, drift: 0.15 })
  for (let window = 0; window < 96; window++) {
    filter.note(curve, ln, { requests: 300, wins: 0, spend: 0, value: 0, clicks: 0 })
    expect(Math.abs(filter.mean)).toBeLessThanOrEqual(2.4)
  }
  expect(filter.mean).toBeLessThan(-0.5)
})

test('a stopped window counts as a lower bound of its spend', () => {
  const [whole, stopped] = [new OffsetFilter(), new OffsetFilter()]
  const half = { ...windowAt(0, 200), spend: Math.round(windowAt(0, 200).spend / 2) }
  whole.note(curve, ln, half)
  stopped.note(curve, ln, { ...half, isBraked: true })

  expect(whole.mean).toBeLessThan(-0.02)
  expect(stopped.mean).toBeGreaterThanOrEqual(0)
})

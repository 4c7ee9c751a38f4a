import { expect, test } from 'vitest'
import { deriveMetrics, NO_SUMS, safeDivide } from './metrics.ts'

const sums = {
  ...NO_SUMS,
  impressions: 3_000n,
  views: 1_500n,
  clicks: 7n,
  overDelivered: 2n,
  chargedMillis: 12_345_678_999n,
  contentViews: 400_000n,
  addToCarts: 120_000n,
  checkouts: 65_000n,
  purchases: 25_000n,
  revenue: 49_995_000n * 10_000n,
}

test('zero divided by zero is zero', () => {
  expect(safeDivide(5, 0)).toBe(0)
  expect(safeDivide(5, 2)).toBe(2.5)
  expect(deriveMetrics(NO_SUMS, ['ctr', 'cpc', 'cpm', 'roas', 'conversionRate'])).toEqual({
    ctr: 0,
    cpc: 0,
    cpm: 0,
    roas: 0,
    conversionRate: 0,
  })
})

test('rates are percentages with two decimals, money has two, return on spend four', () => {
  const names = ['ctr', 'cpc', 'cpm', 'spend', 'checkoutRate', 'purchaseRate', 'roas'] as const

  expect(deriveMetrics(sums, names)).toEqual({
    ctr: 0.23,
    cpc: 1.76,
    cpm: 4.12,
    spend: 12.35,
    checkoutRate: 16.25,
    purchaseRate: 38.46,
    roas: 4.0496,
  })
})

test('the completion rate counts completed films per started film', () => {
  const films = { ...NO_SUMS, videoStarts: 300n, midpoints: 200n, videoCompletes: 101n }

  expect(deriveMetrics(films, ['completionRate', 'midpoints'])).toEqual({
    completionRate: 33.67,
    midpoints: 200,
  })
})

test('micros are exact and rounded down, as in the ledger; shared conversions are fractions', () => {
  expect(deriveMetrics(sums, ['spendMicros', 'revenueMicros', 'purchases'])).toEqual({
    spendMicros: '12345678',
    revenueMicros: '49995000',
    purchases: 2.5,
  })
})

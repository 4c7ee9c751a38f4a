import { expect, test } from 'vitest'
import { marketDay } from '../testing/market.ts'
import type { Auctions } from './auctions.ts'
import { hindsight } from './hindsight.ts'

const rows = (prices: number[], rates: number[]): Auctions => ({
  count: prices.length,
  price: Int32Array.from(prices),
  pctr: Float64Array.from(rates),
  click: new Uint8Array(prices.length),
  window: new Uint8Array(prices.length),
})

test('hindsight takes the best value per money first, and a fraction of the auction that no longer fits', () => {
  const auctions = rows([10, 10, 20], [0.3, 0.1, 0.4])

  expect(hindsight(auctions, 20)).toEqual({ whole: 0.3, fractional: 0.3 + 0.4 * 0.5 })
  expect(hindsight(auctions, 100).whole).toBeCloseTo(0.8, 12)
})

test('hindsight always takes free auctions', () => {
  expect(hindsight(rows([0, 5], [0.1, 0.2]), 0)).toEqual({ whole: 0.1, fractional: 0.1 })
})

test('no affordable choice of auctions is worth more than the fractional bound', () => {
  const day = marketDay({ count: 14, seed: 3 })
  const budget = 200
  let most = 0
  for (let choice = 0; choice < 2 ** 14; choice++) {
    let cost = 0
    let value = 0
    for (let at = 0; at < 14; at++) {
      if ((choice & (1 << at)) === 0) continue
      cost += day.price[at]!
      value += day.pctr[at]!
    }
    if (cost <= budget) most = Math.max(most, value)
  }

  const { whole, fractional } = hindsight(day, budget)
  expect(most).toBeLessThanOrEqual(fractional + 1e-12)
  expect(most).toBeGreaterThanOrEqual(whole - 1e-12)
})

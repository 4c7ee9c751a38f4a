import { describe, expect, test } from 'vitest'
import { normalDraw, seededDraws } from '../random.ts'
import { BID_MAX, marketDay } from '../testing/market.ts'
import { type Bidding, curveFromProbabilities, priceProbabilities } from './price-survival.ts'
import { curveOf, lnMultiplierFor, scaleCurve, spendAt } from './spend-curve.ts'

const day = marketDay({ count: 5_000, seed: 1 })
const curve = curveOf(day, BID_MAX)

test('each point of the curve is the cost of bidding at that multiplier', () => {
  for (const at of [150, 200, 230, 260]) {
    const multiplier = Math.exp(curve.lnFirst + at * curve.lnStep)
    let spent = 0
    for (let one = 0; one < day.count; one++) {
      const bid = Math.min(BID_MAX, Math.floor(day.pctr[one]! * multiplier))
      if (bid >= day.price[one]!) spent += day.price[one]!
    }
    expect(curve.spend[at]).toBeCloseTo(spent / day.count, 6)
  }
})

test('the inverse finds the multiplier for a given spend', () => {
  for (const wanted of [0.5, 5, 30]) {
    expect(spendAt(curve, lnMultiplierFor(curve, wanted))).toBeCloseTo(wanted, 9)
  }
  expect(lnMultiplierFor(curve, 0)).toBeCloseTo(curve.lnFirst, 9)
  expect(Math.exp(lnMultiplierFor(curve, 1e9))).toBeCloseTo(1e8, -2)
})

test('a scaled curve answers with scaled multipliers', () => {
  const wrong = scaleCurve(curve, 4)

  expect(lnMultiplierFor(wrong, 5)).toBeCloseTo(lnMultiplierFor(curve, 5) + Math.log(4), 12)
})

describe('with lost auctions censored', () => {
  const draws = seededDraws(5)
  const market = Array.from({ length: 60_000 }, () => ({
    price: Math.min(299, Math.round(40 * Math.exp(0.7 * normalDraw(draws)))),
    bid: Math.round(20 + 130 * draws.next()),
  }))
  const seen: Bidding[] = market.map(({ price, bid }) => ({
    bid,
    price: bid >= price ? price : undefined,
  }))
  const truth = (limit: number) =>
    market.filter(({ price }) => price <= limit).length / market.length

  test('the probability of every price is found, although expensive auctions were mostly lost', () => {
    const { probability } = priceProbabilities(seen, BID_MAX)

    for (let limit = 20; limit <= 140; limit += 20) {
      const sum = probability.slice(0, limit + 1).reduce((total, one) => total + one, 0)
      expect(sum).toBeCloseTo(truth(limit), 1.8)
    }
  })

  test('counting only the prices of wins would make the market look too cheap', () => {
    const won = seen.filter(({ price }) => price !== undefined)
    const cheap = won.filter(({ price }) => price! <= 40).length / won.length

    expect(cheap - truth(40)).toBeGreaterThan(0.1)
  })

  test('the curve equals the one from all prices', () => {
    const pctrs = Array.from({ length: 2_000 }, () => 0.002 * Math.exp(0.5 * normalDraw(draws)))
    const found = curveFromProbabilities(priceProbabilities(seen, BID_MAX), pctrs)
    for (const multiplier of [5_000, 10_000, 20_000, 30_000]) {
      let spent = 0
      market.slice(0, 20_000).forEach(({ price }, at) => {
        if (Math.floor(pctrs[at % pctrs.length]! * multiplier) >= price) spent += price
      })
      const ratio = spendAt(found, Math.log(multiplier)) / (spent / 20_000)
      expect(ratio).toBeGreaterThan(0.95)
      expect(ratio).toBeLessThan(1.05)
    }
  })
})

import { CURVE_GRID, emptyCurve, type SpendCurve } from './spend-curve.ts'

/** What a bidder sees of an auction: the price if it won, otherwise only that its bid was too low. */
export interface Bidding {
  readonly bid: number
  /** Undefined when lost. */
  readonly price: number | undefined
}

/** Probability of each price 0…max. The rest costs more than `max`. */
export interface PriceProbabilities {
  readonly probability: Float64Array
}

/**
 * Kaplan–Meier over prices: a lost auction is "at risk" up to its bid and then leaves the sample, so
 * low bids do not make the market look expensive. Nothing is known above the highest bid.
 */
export function priceProbabilities(
  biddings: Iterable<Bidding>,
  priceMax: number,
): PriceProbabilities {
  const priced = new Float64Array(priceMax + 2)
  const left = new Float64Array(priceMax + 2)
  let atRisk = 0
  for (const { bid, price } of biddings) {
    atRisk++
    if (price === undefined) left[Math.min(priceMax + 1, Math.max(0, Math.floor(bid) + 1))]!++
    else priced[Math.min(priceMax + 1, price)]!++
  }

  const probability = new Float64Array(priceMax + 1)
  let survives = 1
  for (let price = 0; price <= priceMax && atRisk > 0; price++) {
    atRisk -= left[price]!
    if (atRisk <= 0) break
    const hazard = priced[price]! / atRisk
    probability[price] = survives * hazard
    survives *= 1 - hazard
    atRisk -= priced[price]!
  }
  return { probability }
}

/** The spend curve of requests with these pCTR values in a market with these prices. */
export function curveFromProbabilities(
  { probability }: PriceProbabilities,
  pctrs: ArrayLike<number>,
  grid = CURVE_GRID,
): SpendCurve {
  const expected = new Float64Array(probability.length)
  let sum = 0
  for (let price = 0; price < probability.length; price++) {
    sum += price * probability[price]!
    expected[price] = sum
  }
  const curve = emptyCurve(grid)
  const { spend, lnFirst, lnStep } = curve
  for (let at = 0; at < spend.length; at++) {
    const multiplier = Math.exp(lnFirst + at * lnStep)
    let cost = 0
    for (let one = 0; one < pctrs.length; one++) {
      cost += expected[Math.min(probability.length - 1, Math.floor(pctrs[one]! * multiplier))]!
    }
    spend[at] = cost / pctrs.length
  }
  return curve
}

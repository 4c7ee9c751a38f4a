/** Probability of each price 0…max, with one added observation of each price (Laplace). */
export function smoothedPrices(counts: ArrayLike<number>): Float64Array {
  let total = 0
  for (let price = 0; price < counts.length; price++) total += counts[price]!
  const probability = new Float64Array(counts.length)
  for (let price = 0; price < counts.length; price++) {
    probability[price] = (counts[price]! + 1) / (total + counts.length)
  }
  return probability
}

export interface MeanMarket {
  /** Click rate of an average auction. */
  readonly rate: number
  /** Probability of each price, from 0 to the highest bid. */
  readonly prices: Float64Array
}

const SATURATED = 1e-10

/**
 * Value of n auctions and a budget if every auction is average (Cai et al. 2017, "RLB"). A budget that
 * can win all auctions has the value of an unlimited one, so rows end there.
 */
export class MeanValueTable {
  private readonly rows: Float64Array[] = []

  constructor(market: MeanMarket, { auctions, budget }: { auctions: number; budget: number }) {
    let row: Float64Array = new Float64Array(budget + 1)
    let flatFrom = 0
    const perAuction =
      market.rate * market.prices.reduce((sum, probability) => sum + probability, 0)
    const cumulative = Float64Array.from(market.prices)
    for (let price = 1; price < cumulative.length; price++)
      cumulative[price]! += cumulative[price - 1]!
    for (let n = 0; n < auctions; n++) {
      this.rows.push(row.slice(0, flatFrom + 1))
      const bids = bestBids(row, { rate: market.rate, bidMax: market.prices.length - 1 })
      const next = nextRow(row, bids, { ...market, cumulative, ceiling: perAuction * (n + 1) })
      row = next.row
      flatFrom = next.flatFrom
    }
  }

  /** The highest bid worth making on an auction with this click rate, with `auctions` to follow. */
  bid(rate: number, { auctions, budget, limit }: Hand): number {
    const row = this.rows[auctions]!
    const last = row.length - 1
    const kept = row[Math.min(last, budget)]!
    let bid = 0
    for (let price = 1; price <= Math.min(budget, limit); price++) {
      if (rate + (row[Math.min(last, budget - price)]! - kept) < 0) break
      bid = price
    }
    return bid
  }

  value(auctions: number, budget: number): number {
    const row = this.rows[auctions]!
    return row[Math.min(row.length - 1, budget)]!
  }
}

export interface Hand {
  readonly auctions: number
  readonly budget: number
  readonly limit: number
}

function bestBids(
  row: Float64Array,
  { rate, bidMax }: { rate: number; bidMax: number },
): Int32Array {
  const bids = new Int32Array(row.length)
  let to = row.length - 2
  for (let budget = row.length - 1; budget > 0; budget--) {
    while (to >= 0 && row[to]! - row[budget]! + rate >= 0) to--
    bids[budget] = Math.min(bidMax, to < 0 ? budget : budget - to - 1)
  }
  return bids
}

interface Bellman extends MeanMarket {
  readonly cumulative: Float64Array
  /** Value of an unlimited budget. */
  readonly ceiling: number
}

function nextRow(
  row: Float64Array,
  bids: Int32Array,
  { rate, prices, cumulative, ceiling }: Bellman,
): { row: Float64Array; flatFrom: number } {
  const next = new Float64Array(row.length)
  for (let budget = 1; budget < row.length; budget++) {
    const bid = bids[budget]!
    const kept = row[budget]!
    let after = 0
    for (let price = 0; price <= bid; price++) after += prices[price]! * row[budget - price]!
    next[budget] = kept + after + cumulative[bid]! * (rate - kept)
    if (Math.abs(next[budget]! - ceiling) < SATURATED) {
      next.fill(ceiling, budget + 1)
      return { row: next, flatFrom: budget + 1 < row.length ? budget + 1 : budget }
    }
  }
  return { row: next, flatFrom: row.length - 1 }
}

import type { Auctions } from './auctions.ts'

/** Indexes of the auctions, best value per money first. */
export function byWorth(auctions: Auctions): Uint32Array {
  const worth = new Float64Array(auctions.count)
  for (let at = 0; at < auctions.count; at++) {
    worth[at] = auctions.pctr[at]! / Math.max(auctions.price[at]!, FREE)
  }
  return Uint32Array.from(worth.keys()).toSorted((a, b) => worth[b]! - worth[a]!)
}

/** A price of 0 has the highest value per money, but a finite one. */
const FREE = 1e-9

export interface Hindsight {
  /** Value of the best auctions that fit as a whole. Published ratios divide by it. */
  readonly whole: number
  /** The same with a fraction of the next auction: an upper bound for every policy. */
  readonly fractional: number
}

/** What a bidder who knew all prices would have won with the budget. */
export function hindsight(
  auctions: Auctions,
  budget: number,
  order = byWorth(auctions),
): Hindsight {
  let left = budget
  let value = 0
  for (const at of order) {
    const price = auctions.price[at]!
    if (price > left)
      return { whole: value, fractional: value + auctions.pctr[at]! * (left / price) }
    left -= price
    value += auctions.pctr[at]!
  }
  return { whole: value, fractional: value }
}

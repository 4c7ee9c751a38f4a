import type { Auctions } from './auctions.ts'

/** Auctions from the best value per money to the worst. */
export function byWorth(auctions: Auctions): Uint32Array {
  const worth = new Float64Array(auctions.count)
  for (let at = 0; at < auctions.count; at++) {
    worth[at] = auctions.pctr[at]! / Math.max(auctions.price[at]!, FREE)
  }
  return Uint32Array.from(worth.keys()).toSorted((a, b) => worth[b]! - worth[a]!)
}

/** A price of 0 is worth more than any other, and finite. */
const FREE = 1e-9

export interface Hindsight {
  /** Value of the best auctions that fit whole: the mark that published ratios are against. */
  readonly whole: number
  /** The same with a part of the next one: no policy can have more. */
  readonly fractional: number
}

/** What someone who knew all prices would have won with the budget. */
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

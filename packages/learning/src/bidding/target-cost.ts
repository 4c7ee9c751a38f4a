import type { Auctions } from './auctions.ts'
import { type CurveGrid, type SpendCurve } from './spend-curve.ts'

/** What a campaign wants to pay for a conversion, and what its predicted conversions are worth. */
export interface CostTarget {
  /** Per conversion. A bid by target is this × a multiplier × the predicted conversion rate. */
  readonly micros: number
  /** The target per predicted conversion: lower if fewer came than were predicted. */
  readonly aimedMicros: number
  /** The most that a click may cost. */
  readonly clickMicrosMax: number
  /** What a click costs above the second price. */
  readonly stepMicros: number
}

/** No auction costs more than this. */
export const PRICE_MAX = 2 ** 31 - 2
/** Price of an auction that cannot be won. */
export const NEVER_WON = 2 ** 31 - 1

/**
 * Auctions as bids by target meet them: a win is worth its predicted conversions, and what the maximum
 * bid cannot pay is never won. `rates` are predicted conversions per click.
 */
export function inConversions(
  auctions: Auctions,
  rates: ArrayLike<number>,
  target: Pick<CostTarget, 'clickMicrosMax' | 'stepMicros'>,
): Auctions {
  const { pctr } = auctions
  const price = paidIn(auctions, target)
  return {
    ...auctions,
    price: price.map((one, at) => (one > target.clickMicrosMax * pctr[at]! ? NEVER_WON : one)),
    pctr: worthOf(auctions, rates),
  }
}

/** The same auctions for booked bids, which follow the click rate: wins are counted in conversions. */
export const countedInConversions = (
  auctions: Auctions,
  rates: ArrayLike<number>,
  target: Pick<CostTarget, 'stepMicros'>,
): Auctions => ({ ...auctions, price: paidIn(auctions, target), worth: worthOf(auctions, rates) })

/** What a win is charged: the second price and a step per click. */
const paidIn = (
  { price, pctr }: Auctions,
  { stepMicros }: Pick<CostTarget, 'stepMicros'>,
): Int32Array =>
  price.map((one, at) => Math.min(NEVER_WON, Math.ceil(one + stepMicros * pctr[at]!)))

const worthOf = ({ pctr }: Auctions, rates: ArrayLike<number>): Float64Array =>
  pctr.map((rate, at) => rate * rates[at]!)

/** Two decades around the target. */
export const gridAround = ({ micros }: CostTarget): CurveGrid => ({
  first: micros / 100,
  last: micros * 100,
  steps: 400,
})

/**
 * The highest ln k at which a unit of value costs `costMax` on average. A win at k costs at most k per
 * unit of value, mostly less: so k may exceed the target until the mean reaches it.
 */
export function lnWithinCost({ spend, lnFirst, lnStep }: SpendCurve, costMax: number): number {
  let value = 0
  let within = Math.log(costMax)
  for (let at = 0; at < spend.length; at++) {
    const ln = lnFirst + at * lnStep
    value += (spend[at]! - (spend[at - 1] ?? 0)) / Math.exp(ln - lnStep / 2)
    if (spend[at]! > costMax * value) return within
    // Beyond the last price that history knows, a higher k buys nothing.
    if (spend[at]! > (spend[at - 1] ?? 0)) within = Math.max(within, ln)
  }
  return within
}

/** A mean cost so far above the target is no matter. */
const TOLERANCE = 0.1
/** A target that is missed weighs more than conversions that are had in spite of it. */
const MISSED_POWER = 4

/** What a day's conversions are worth to somebody with a target: less, the further it is missed. */
export function worthWithin(
  { value, spend }: { readonly value: number; readonly spend: number },
  aimedMicros: number,
): number {
  const within = ((1 + TOLERANCE) * aimedMicros * value) / Math.max(spend, 1e-9)
  return value * Math.min(1, within) ** MISSED_POWER
}

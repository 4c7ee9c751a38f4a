import type { Auctions } from './auctions.ts'

/**
 * Spend per request as a function of the multiplier k, where a bid is pCTR × k: values at equal steps of
 * ln k. It never falls, so each spend has one multiplier.
 */
export interface SpendCurve {
  readonly lnFirst: number
  readonly lnStep: number
  readonly spend: Float64Array
  /** Usual price of a win, in the unit of `spend`. Scales the noise before the first win. */
  readonly usualPrice?: number | undefined
}

export interface CurveGrid {
  readonly first: number
  readonly last: number
  readonly steps: number
}

/** Six decades cover click rates down to 10⁻⁶ and prices up to 300. */
export const CURVE_GRID: CurveGrid = { first: 1e2, last: 1e8, steps: 400 }

/** The curve of auctions whose prices are all known, as in a replay. */
export function curveOf(auctions: Auctions, bidMax: number, grid = CURVE_GRID): SpendCurve {
  const curve = emptyCurve(grid)
  for (let at = 0; at < auctions.count; at++) {
    const price = auctions.price[at]!
    if (price > bidMax) continue
    addFrom(curve, Math.log(price / auctions.pctr[at]!), price)
  }
  return accumulate(curve, auctions.count)
}

export function emptyCurve({ first, last, steps }: CurveGrid): SpendCurve {
  const lnFirst = Math.log(first)
  return {
    lnFirst,
    lnStep: (Math.log(last) - lnFirst) / steps,
    spend: new Float64Array(steps + 1),
  }
}

/** Adds an amount to every multiplier from e^ln upwards, after `accumulate` has run. */
function addFrom(curve: SpendCurve, ln: number, amount: number): void {
  const at = Math.max(0, Math.ceil((ln - curve.lnFirst) / curve.lnStep - 1e-12))
  if (at < curve.spend.length) curve.spend[at]! += amount
}

function accumulate(curve: SpendCurve, requests: number): SpendCurve {
  let sum = 0
  for (let at = 0; at < curve.spend.length; at++) {
    sum += curve.spend[at]!
    curve.spend[at] = sum / requests
  }
  return curve
}

/** Spend per request at ln k. Below the grid it falls with k, above the grid it is constant. */
export function spendAt(curve: SpendCurve, lnMultiplier: number): number {
  const { spend, lnFirst, lnStep } = curve
  const place = (lnMultiplier - lnFirst) / lnStep
  const last = spend.length - 1
  if (place <= 0) return spend[0]! * Math.exp(lnMultiplier - lnFirst)
  if (place >= last) return spend[last]!
  const at = Math.floor(place)
  return spend[at]! + (place - at) * (spend[at + 1]! - spend[at]!)
}

/** ln k at which a request costs `wanted` on average, within the grid. */
export function lnMultiplierFor(curve: SpendCurve, wanted: number): number {
  const { spend, lnFirst, lnStep } = curve
  let low = 0
  let high = spend.length - 1
  if (wanted >= spend[high]!) return lnFirst + high * lnStep
  if (wanted <= spend[0]!) return lnFirst
  while (high - low > 1) {
    const middle = (low + high) >> 1
    if (spend[middle]! <= wanted) low = middle
    else high = middle
  }
  const rise = spend[high]! - spend[low]!
  const part = rise > 0 ? (wanted - spend[low]!) / rise : 0
  return lnFirst + (low + part) * lnStep
}

/** The same market for a multiplier that is off: every answer is `factor` times as high. */
export const scaleCurve = (curve: SpendCurve, factor: number): SpendCurve => ({
  ...curve,
  lnFirst: curve.lnFirst + Math.log(factor),
})

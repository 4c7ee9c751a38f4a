import { type Auctions, WINDOWS_PER_DAY } from '../bidding/auctions.ts'
import { normalDraw, seededDraws } from '../random.ts'

export interface MarketSettings {
  readonly count: number
  readonly seed: number
  /** Multiplies all prices. */
  readonly priceScale?: number
  /** Relative number of requests per window. */
  readonly shape?: (window: number) => number
}

export const BID_MAX = 300

/** Auctions of a synthetic market: log-normal click rates and prices, random clicks by their rate. */
export function marketDay({
  count,
  seed,
  priceScale = 1,
  shape = evening,
}: MarketSettings): Auctions {
  const draws = seededDraws(seed)
  const weights = Array.from({ length: WINDOWS_PER_DAY }, (_, window) => shape(window))
  const total = weights.reduce((sum, weight) => sum + weight, 0)
  const windows: number[] = []
  let due = 0
  weights.forEach((weight, window) => {
    due += (count * weight) / total
    while (windows.length < Math.round(due)) windows.push(window)
  })
  const pctr = Float64Array.from(windows, () =>
    Math.min(0.5, 0.002 * Math.exp(0.8 * normalDraw(draws))),
  )
  return {
    count: windows.length,
    window: Uint8Array.from(windows),
    pctr,
    price: Int32Array.from(windows, () =>
      Math.min(BID_MAX, Math.round(priceScale * 50 * Math.exp(0.6 * normalDraw(draws)))),
    ),
    click: Uint8Array.from(pctr, (rate) => (draws.next() < rate ? 1 : 0)),
  }
}

const evening = (window: number): number => 1 + 0.8 * Math.sin((window / 96) * 2 * Math.PI - 2)

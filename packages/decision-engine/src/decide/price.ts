import type { Pricing } from '../changes/records.ts'

/** 0.01 of the currency: the step above the second price, and the default floor (CPM). */
export const PRICE_STEP_MICROS = 10_000
export const RESERVE_MICROS = 10_000

export interface BidLimits {
  readonly bidMicros: number
  readonly bidMicrosMax?: number | undefined
  readonly mayExceedMax: boolean
}

export interface BidTerms extends BidLimits {
  readonly bidMultiplier: number
}

/** Bid × multiplier, rounded to micros, at most the maximum, or twice that if the campaign allows it. */
export const effectiveBid = (terms: BidTerms): number =>
  Math.min(Math.round(terms.bidMicros * terms.bidMultiplier), bidLimit(terms))

/** The most that an effective bid may be. */
export function bidLimit({ bidMicros, bidMicrosMax = bidMicros, mayExceedMax }: BidLimits): number {
  return mayExceedMax ? 2 * bidMicrosMax : bidMicrosMax
}

/** What a click is worth by a target, in whole micros rounded down, so that it costs no more. */
export const bidByTarget = (targetMicros: number, conversionRate: number): number =>
  Math.floor(targetMicros * conversionRate)

/**
 * The part of a score that does not depend on the context, in micros per impression (CPM) or per click
 * (CPC). A CPM score equals its base score; a CPC score is its base score × pCTR.
 */
export const baseScoreOf = (bid: { pricing: Pricing; micros: number; quality: number }): number =>
  bid.pricing === 'cpm' ? (bid.micros * bid.quality) / 1000 : bid.micros * bid.quality

export interface PricedBid {
  readonly isCpc: boolean
  readonly effectiveBidMicros: number
  readonly ctr: number
  readonly score: number
}

/** Revenue of 1,000 impressions at the full bid. Floors are compared with it. */
export const cpmOf = (bid: Pick<PricedBid, 'isCpc' | 'effectiveBidMicros' | 'ctr'>): number =>
  bid.isCpc ? bid.effectiveBidMicros * bid.ctr * 1000 : bid.effectiveBidMicros

export interface Price {
  /** In micros per impression: min(winner's score, second score + 0.01), rounded half up. */
  readonly finalPriceMicros: number
  /** In the unit of the bid: micros per thousand impressions, or per click. */
  readonly chargeMicros: number
}

export const NO_SECOND = -1

/**
 * The second price. Both amounts are rounded half up to whole micros. The floor is rounded up first, so
 * a charge is never below it. Clamping to the bid comes last, so a charge is never above it. A lone bid
 * pays the floor; its final price is the score it would have at that bid.
 */
export function priceOf(winner: PricedBid, secondScore: number, floorMicros: number): Price {
  const bid = winner.effectiveBidMicros
  const floorUnit = winner.isCpc ? Math.ceil(floorMicros / (1000 * winner.ctr)) : floorMicros
  if (secondScore === NO_SECOND) {
    const scoreAtFloor = (winner.score * floorMicros) / cpmOf(winner)
    return {
      finalPriceMicros: roundHalfUp(Math.min(winner.score, scoreAtFloor)),
      chargeMicros: Math.min(bid, floorUnit),
    }
  }
  const wanted = roundHalfUp((bid * secondScore) / winner.score + PRICE_STEP_MICROS)
  return {
    finalPriceMicros: roundHalfUp(Math.min(winner.score, secondScore + PRICE_STEP_MICROS)),
    chargeMicros: Math.min(bid, Math.max(floorUnit, wanted)),
  }
}

export const roundHalfUp = (amount: number): number => Math.floor(amount + 0.5)

/** The most one impression can cost, in whole micros, rounded up: the amount to reserve. */
export const costOf = (isCpc: boolean, micros: number): number =>
  isCpc ? micros : Math.ceil(micros / 1000)

/** Amounts are checked once, when a row is put. Decisions rely on that. */
export function assertMicros(amount: number): void {
  if (Number.isSafeInteger(amount) && amount >= 0) return
  throw new RangeError(`${amount} is not a whole number of micros`)
}

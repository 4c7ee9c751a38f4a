import type { LocalTime } from '@placard/calendar'
import type { Placement } from '../changes/records.ts'
import type { Context } from './targeting.ts'

/** Place and time of a request. Read once per decision, never per candidate. */
export interface Occasion {
  readonly placement: Placement | undefined
  /** In the placement's time zone. */
  readonly time: LocalTime
}

/**
 * The replaceable click model: pCTR = sigmoid(ad term + context term). A decision asks for the context
 * term once per request; the ad term is a column of the index (`ctrOdds`, as e^term). Without feature
 * crosses, a list that is ordered once serves every later request.
 */
export interface Scorer {
  /** Predicted click rate of the context, before any ad is known. */
  contextCtr(placementType: string, context: Context, occasion: Occasion): number
  /** The odds that a click converts, before any ad is known. Asked only where a bid depends on it. */
  contextConversionOdds(placementType: string, context: Context, occasion: Occasion): number
  /** Multiplies the score of a banner of this format. */
  quality(format: string): number
}

const CONTEXT_CTR_MIN = 0.0001
const CTR_MAX = 0.5
const HIGH_INTENT = 'high-intent'
/** Three clicks of a hundred convert. */
const CONVERSION_ODDS = 0.03 / 0.97
const HIGH_INTENT_BOOST = 1.25
const RECENT_PURCHASE_BOOST = 1.1
/** A purchase raises predicted click rates this long, by whole days. */
export const RECENT_PURCHASE_DAYS = 14

/** Placement type × segment × recency, and quality by format. */
export const heuristicScorer = {
  contextCtr(placementType, context) {
    let ctr = baseCtr(placementType)
    if (isHighIntent(context)) ctr *= HIGH_INTENT_BOOST
    if (boughtLately(context)) ctr *= RECENT_PURCHASE_BOOST
    return ctr
  },
  contextConversionOdds: () => CONVERSION_ODDS,
  quality(format) {
    if (format === 'single_image') return 1
    return format === 'video' ? 1.1 : 0.95
  },
} satisfies Scorer

const isHighIntent = ({ segments }: Context) => segments?.includes(HIGH_INTENT) === true

const boughtLately = ({ lastPurchaseDaysAgo: days }: Context) =>
  days !== undefined && days <= RECENT_PURCHASE_DAYS

/** What is known of the reader that raises the predicted click rate of every ad. */
export function describeCtrBoosts(context: Context): string[] {
  const lines: string[] = []
  if (isHighIntent(context)) {
    lines.push(`Click rate × ${HIGH_INTENT_BOOST}: the reader is in the segment "${HIGH_INTENT}".`)
  }
  if (boughtLately(context)) {
    const days = context.lastPurchaseDaysAgo
    const when = days === 0 ? 'within the last day' : `${days} ${days === 1 ? 'day' : 'days'} ago`
    lines.push(`Click rate × ${RECENT_PURCHASE_BOOST}: the reader bought something ${when}.`)
  }
  return lines
}

function baseCtr(placementType: string): number {
  if (placementType === 'story') return 0.018
  return placementType === 'banner' ? 0.012 : 0.02
}

export const clampContextCtr = (ctr: number): number =>
  Math.min(CTR_MAX, Math.max(CONTEXT_CTR_MIN, ctr))

export const oddsOf = (ctr: number): number => ctr / (1 - ctr)

/**
 * sigmoid(ad term + context term) in odds, so that no candidate needs an exponential. An ad without its
 * own term has exactly the context's rate. The odds of an ad are at least 0.01, so its rate never falls
 * below about a hundredth of the context's.
 */
export function predictCtr(adOdds: number, context: ContextCtr): number {
  if (adOdds === 1) return context.ctr
  const odds = adOdds * context.odds
  const ctr = odds / (1 + odds)
  if (ctr > CTR_MAX) return CTR_MAX
  return ctr
}

export interface ContextCtr {
  readonly ctr: number
  readonly odds: number
}

const AD_ODDS_MIN = 0.01
const AD_ODDS_MAX = 100

export const clampAdOdds = (odds: number): number =>
  Math.min(AD_ODDS_MAX, Math.max(AD_ODDS_MIN, odds))

/** The odds of contexts that convert badly: lists are ordered so that bounds are close above these. */
export const LOW_CONVERSION_ODDS = 0.02
const CONVERSION_ODDS_MIN = 0.00001
const CONVERSION_ODDS_MAX = 1

export const clampConversionOdds = (odds: number): number =>
  Math.min(CONVERSION_ODDS_MAX, Math.max(CONVERSION_ODDS_MIN, odds))

/** sigmoid(ad term + context term), in odds. */
export function predictRate(adOdds: number, contextOdds: number): number {
  const odds = adOdds * contextOdds
  return odds / (1 + odds)
}

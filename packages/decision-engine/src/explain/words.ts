import type { Explanation } from './explain.ts'
import type { WinRequirements } from './requirements.ts'
import type { Shortfall } from './shortfall.ts'
import { TARGETING_TEXT, type GateName, type Reason } from './reasons.ts'
import type { CandidateOutcome } from './trace.ts'

/** The sentence of each reason. */
export const REASON_TEXT: { readonly [R in Reason]: string } = {
  passed: 'passed every gate',
  'campaign-not-active': 'its campaign is not active',
  'ad-not-active': 'it is switched off',
  'banner-not-active': 'its banner is switched off or missing',
  'impression-cap-reached': 'its campaign has delivered all booked impressions',
  'click-cap-reached': 'its campaign has delivered all booked clicks',
  'before-flight': 'its campaign has not started yet',
  'after-flight': 'its campaign has ended',
  'banner-expired': 'its banner has expired',
  'before-publish': 'its banner is not published yet',
  'off-recurrence': 'its banner does not run on this day',
  'outside-window': 'its banner does not run at this time of day',
  'not-linked': 'its campaign is not booked on the placement',
  'placement-not-active': 'the placement is not active',
  'other-mode': 'the placement does not take this kind of delivery',
  'other-publisher': 'the house banner belongs to another publisher',
  size: 'none of its sizes fits the placement',
  format: 'the placement does not take its format',
  currency: 'it bids in another currency than the publisher sells in',
  'advertiser-blocked': 'the site blocks its advertiser',
  'ad-product-blocked': 'the site blocks its ad-product category',
  'not-approved': 'the site has not approved its banner',
  'campaign-on-page': 'its campaign is already on the page',
  'banner-on-page': 'its banner is already on the page',
  'label-on-page': 'an ad with one of its exclusion labels is already on the page',
  'request-size': 'the request asks for other sizes',
  'request-format': 'the request asks for other formats',
  'request-blocked': 'the request blocks its banner, its advertiser or its ad-product category',
  'request-deal': 'the request asks for other deals',
  'request-pricing': 'the request takes another kind of price',
  'request-floor': 'its booked rate is below the floor of the request or of its deal',
  'native-asset': 'its banner lacks an asset that the request requires',
  'request-video': 'its film does not fit the player of the request',
  'child-reader': 'its ad-product category is not shown to children',
  ...TARGETING_TEXT,
  'ad-frequency': 'the user has seen the ad as often as allowed',
  'campaign-frequency': 'the user has seen the campaign as often as allowed',
  'advertiser-frequency': 'the user has seen the advertiser as often as allowed',
  exhausted: 'its budget is spent',
  'ahead-of-plan': 'it has spent more than planned up to this hour',
  'below-floor': 'its bid is below the floor',
  outbid: 'another bid scored higher',
  'slots-full': 'every slot was taken by bookings before it',
  'reservation-refused': 'its budget or cap could not be reserved',
}

/** What holds for a candidate that passed a gate. */
export const GATE_TEXT: { readonly [G in GateName]: string } = {
  time: 'Switched on and in time',
  placement: 'Fits the placement',
  site: 'Welcome on the site',
  request: 'Accepted by the request',
  targeting: 'Meant for this reader',
  frequency: 'Not seen too often',
  budget: 'Has budget now',
  auction: 'Wins the auction',
}

/** One sentence per candidate, and what the requested ad would need. */
export function describeExplanation(explanation: Explanation): readonly string[] {
  const lines = explanation.outcomes.map((outcome) => describeOutcome(outcome))
  if (explanation.omitted > 0) lines.push(`${explanation.omitted} more candidates are not shown.`)
  const { winners } = explanation.decision
  lines.push(winners.length === 0 ? 'No ad was chosen.' : `${winners.length} banner(s) chosen.`)
  if (explanation.requirements !== undefined)
    lines.push(describeRequirements(explanation.requirements))
  return lines
}

/** How an amount is written; the engine knows no currency. */
type SayMoney = (micros: number) => string

export function describeOutcome(outcome: CandidateOutcome, say: SayMoney = decimal): string {
  const name = `${NAMES[outcome.kind]} ${outcome.candidate.key}`
  const score = outcome.score === undefined ? '' : ` with a score of ${decimal(outcome.score)}`
  if (outcome.reason === 'won') return `${name} was chosen${score}.`
  const by =
    outcome.shortfall === undefined ? '' : ` (${describeShortfall(outcome.shortfall, say)})`
  return `${name} was not shown${score}: ${REASON_TEXT[outcome.reason]}${by}.`
}

const NAMES = { ad: 'Ad', assignment: 'Booking', banner: 'House banner' } as const

function describeShortfall({ actual, needed, unit }: Shortfall, say: SayMoney): string {
  if (unit === 'impressions') return `${actual} seen, ${needed + 1} allowed`
  if (unit === 'cpm-micros') return `${say(actual)} per thousand, floor ${say(needed)}`
  return `now ${new Date(actual).toISOString()}, limit ${new Date(needed).toISOString()}`
}

export function describeRequirements(
  requirements: WinRequirements,
  say: SayMoney = decimal,
): string {
  const name = `Ad ${requirements.adKey}`
  if (!requirements.isKnown) return `${name} is not in the catalogue.`
  if (requirements.hasWon) return `${name} has won.`
  const { effectiveBidMicros, effectiveBidMicrosNeeded, scoreToBeat } = requirements
  const hurdles = requirements.obstacles.map((reason) => REASON_TEXT[reason])
  if (effectiveBidMicros < effectiveBidMicrosNeeded) {
    const to = scoreToBeat === undefined ? 'meet the floor' : 'get a place'
    hurdles.push(
      `it bids ${say(effectiveBidMicros)}, and needs ${say(effectiveBidMicrosNeeded)} to ${to}`,
    )
  }
  if (hurdles.length === 0) return `${name} passes every gate and needs nothing but a free place.`
  return `${name} would be shown if this were otherwise: ${hurdles.join('; ')}.`
}

const decimal = (micros: number) => (micros / 1_000_000).toFixed(6).replace(/\.?0+$/, '')

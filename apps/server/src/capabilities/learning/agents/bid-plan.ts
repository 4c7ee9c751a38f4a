import { PRICE_STEP_MICROS } from '@placard/decision-engine'
import {
  type CampaignHistory,
  type CampaignTerms,
  type CostTarget,
  NEVER_WON,
  type PastDay,
} from '@placard/learning'

/** A campaign that an agent may bid for, as stored. */
export interface AgentCampaign {
  readonly campaignKey: number
  readonly publicId: string
  readonly accountId: bigint
  readonly pricing: 'cpm' | 'cpc'
  /**
   * The highest bid of its ads, and the maximum that the campaign allows (0: the ads' own bids).
   */
  readonly bidMicros: number
  readonly maxBidMicros: number
  readonly mayExceedMax: boolean
  readonly isSmooth: boolean
  /** Some requests for its placements do not match its targeting. */
  readonly isTargeted: boolean
  readonly dailyMicros: number
  readonly timeZone: string
  /** What a purchase may cost; null without a target. */
  readonly targetMicros: number | null
  /** The ad with the highest bid: conversions are predicted for it. */
  readonly adKey: number
  readonly format: string
}

/** An agent lowers a bid to a tenth at most, and raises it to what the campaign allows. */
const MULTIPLIER_MIN = 0.1

/** The campaign's maximum bid; twice of it if the campaign opted in. */
const bidLimitOf = ({ bidMicros, maxBidMicros, mayExceedMax }: AgentCampaign): number =>
  (maxBidMicros > 0 ? maxBidMicros : bidMicros) * (mayExceedMax ? 2 : 1)

/** The same as a multiplier. */
export const multiplierMaxOf = (campaign: AgentCampaign): number =>
  Math.max(1, bidLimitOf(campaign) / campaign.bidMicros)

/** `correction`: purchases that came over those that were predicted. */
export function targetOf(campaign: AgentCampaign, correction: number): CostTarget | undefined {
  const { targetMicros: micros } = campaign
  if (micros === null) return undefined
  return {
    micros,
    aimedMicros: micros * correction,
    clickMicrosMax: bidLimitOf(campaign),
    stepMicros: PRICE_STEP_MICROS,
  }
}

/** What past days say about a campaign's spend. */
export interface UsualDay {
  /** Charges divided by the expected cost of its wins. */
  readonly deliveredShare: number
  /** Spend of its best recent day. An agent should not get less. */
  readonly spentMicros: number
  /** Purchases that came over those that were predicted. */
  readonly correction: number
  /** Predicted conversions per click won. */
  readonly conversionRate: number
}

export const usualDay = (days: readonly PastDay[], correction = 1): UsualDay => ({
  deliveredShare:
    days.length === 0
      ? 1
      : days.reduce((sum, { deliveredShare }) => sum + deliveredShare, 0) / days.length,
  spentMicros: Math.max(0, ...days.map(({ spentMicros = 0 }) => spentMicros)),
  correction,
  conversionRate: meanConversionRate(days),
})

function meanConversionRate(days: readonly PastDay[]): number {
  let [clicks, conversions] = [0, 0]
  for (const { auctions, conversionRates } of days) {
    if (conversionRates === undefined) continue
    for (let at = 0; at < auctions.count; at++) {
      if (auctions.price[at] === NEVER_WON) continue
      clicks += auctions.pctr[at]!
      conversions += auctions.pctr[at]! * conversionRates[at]!
    }
  }
  return clicks > 0 ? conversions / clicks : 0
}

/** The policies' input. Per impression if the campaign pays CPM. */
export function termsOf(campaign: AgentCampaign, usual: UsualDay): CampaignTerms {
  const { bidMicros, pricing } = campaign
  return {
    budget: campaign.dailyMicros / usual.deliveredShare,
    usualSpend: Math.min(campaign.dailyMicros, usual.spentMicros) / usual.deliveredShare,
    bookedK: pricing === 'cpc' ? bidMicros : bidMicros / 1_000,
    multiplierMin: MULTIPLIER_MIN,
    multiplierMax: multiplierMaxOf(campaign),
    isSmooth: campaign.isSmooth,
    target: targetOf(campaign, usual.correction),
  }
}

/** Figures of past days, as stored with the agent. */
export interface KeptPlan {
  readonly lnFirst: number
  readonly lnStep: number
  readonly spend: readonly number[]
  readonly usualPrice?: number | undefined
  readonly requests: readonly (readonly number[])[]
  readonly deliveredShare: number
  /** Plans from older releases lack these. */
  readonly spentMicros?: number | undefined
  readonly correction?: number | undefined
  readonly conversionRate?: number | undefined
}

export const planOf = ({ curve, requests }: CampaignHistory, usual: UsualDay): KeptPlan => ({
  lnFirst: curve.lnFirst,
  lnStep: curve.lnStep,
  spend: [...curve.spend],
  usualPrice: curve.usualPrice,
  requests: requests.map((day) => [...day]),
  ...usual,
})

export const usualIn = (plan: KeptPlan): UsualDay => ({
  deliveredShare: plan.deliveredShare,
  spentMicros: plan.spentMicros ?? 0,
  correction: plan.correction ?? 1,
  conversionRate: plan.conversionRate ?? 0,
})

/**
 * What multiplier 1 of a booked bid is as a multiplier of the target. Undefined without a target: both
 * are of the booked bid.
 */
export const bookedByTarget = (
  { bidMicros, targetMicros }: AgentCampaign,
  { conversionRate = 0 }: KeptPlan,
): number | undefined =>
  targetMicros === null || conversionRate <= 0
    ? undefined
    : bidMicros / (targetMicros * conversionRate)

export const historyIn = ({
  lnFirst,
  lnStep,
  spend,
  usualPrice,
  requests,
}: KeptPlan): CampaignHistory => ({
  curve: { lnFirst, lnStep, spend: Float64Array.from(spend), usualPrice },
  requests: requests.map((day) => Float64Array.from(day)),
})

import type { CampaignHistory, CampaignTerms, PastDay } from '@placard/learning'

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
}

/** An agent lowers a bid to a tenth at most, and raises it to what the campaign allows. */
const MULTIPLIER_MIN = 0.1

/** The campaign's maximum bid as a multiplier; twice of it if the campaign opted in. */
export function multiplierMaxOf({ bidMicros, maxBidMicros, mayExceedMax }: AgentCampaign): number {
  const most = (maxBidMicros > 0 ? maxBidMicros : bidMicros) * (mayExceedMax ? 2 : 1)
  return Math.max(1, most / bidMicros)
}

/** What past days say about a campaign's spend. */
export interface UsualDay {
  /** Charges divided by the expected cost of its wins. */
  readonly deliveredShare: number
  /** Spend of its best recent day. An agent should not get less. */
  readonly spentMicros: number
}

export const usualDay = (days: readonly PastDay[]): UsualDay => ({
  deliveredShare:
    days.length === 0
      ? 1
      : days.reduce((sum, { deliveredShare }) => sum + deliveredShare, 0) / days.length,
  spentMicros: Math.max(0, ...days.map(({ spentMicros = 0 }) => spentMicros)),
})

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
  /** Plans from older releases lack it. */
  readonly spentMicros?: number | undefined
}

export const planOf = ({ curve, requests }: CampaignHistory, usual: UsualDay): KeptPlan => ({
  lnFirst: curve.lnFirst,
  lnStep: curve.lnStep,
  spend: [...curve.spend],
  usualPrice: curve.usualPrice,
  requests: requests.map((day) => [...day]),
  ...usual,
})

export const usualIn = ({ deliveredShare, spentMicros = 0 }: KeptPlan): UsualDay => ({
  deliveredShare,
  spentMicros,
})

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

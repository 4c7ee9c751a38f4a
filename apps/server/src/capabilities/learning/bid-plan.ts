import type { CampaignHistory, CampaignTerms } from '@placard/learning'

/** A campaign that a bid agent may bid for, as the database has it. */
export interface AgentCampaign {
  readonly campaignKey: number
  readonly publicId: string
  readonly accountId: bigint
  readonly pricing: 'cpm' | 'cpc'
  /** The highest bid of its ads, and the most that the campaign allows (0: the ads' own). */
  readonly bidMicros: number
  readonly maxBidMicros: number
  readonly mayExceedMax: boolean
  readonly isSmooth: boolean
  /** Some of the requests for its placements are not for it. */
  readonly isTargeted: boolean
  readonly dailyMicros: number
  readonly timeZone: string
}

/** An agent moves a bid down to a tenth; up to what the campaign allows. */
const MULTIPLIER_MIN = 0.1

/** What the policies need to know; per showing where the campaign pays per mille. */
export function termsOf(campaign: AgentCampaign, deliveredShare: number): CampaignTerms {
  const { bidMicros, maxBidMicros, mayExceedMax, pricing } = campaign
  const most = (maxBidMicros > 0 ? maxBidMicros : bidMicros) * (mayExceedMax ? 2 : 1)
  return {
    budget: campaign.dailyMicros / deliveredShare,
    bookedK: pricing === 'cpc' ? bidMicros : bidMicros / 1_000,
    multiplierMin: MULTIPLIER_MIN,
    multiplierMax: Math.max(1, most / bidMicros),
    isSmooth: campaign.isSmooth,
  }
}

/** What past days say, as it is kept with the agent. */
export interface KeptPlan {
  readonly lnFirst: number
  readonly lnStep: number
  readonly spend: readonly number[]
  readonly usualPrice?: number | undefined
  readonly requests: readonly (readonly number[])[]
  readonly deliveredShare: number
}

export const planOf = ({ curve, requests }: CampaignHistory, deliveredShare: number): KeptPlan => ({
  lnFirst: curve.lnFirst,
  lnStep: curve.lnStep,
  spend: [...curve.spend],
  usualPrice: curve.usualPrice,
  requests: requests.map((day) => [...day]),
  deliveredShare,
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

import type { CampaignHistory, CampaignTerms, PastDay } from '@placard/learning'

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

/** What the campaign's maximum bid allows, twice of it where it opted in. */
export function multiplierMaxOf({ bidMicros, maxBidMicros, mayExceedMax }: AgentCampaign): number {
  const most = (maxBidMicros > 0 ? maxBidMicros : bidMicros) * (mayExceedMax ? 2 : 1)
  return Math.max(1, most / bidMicros)
}

/** What past days say of a campaign's money. */
export interface UsualDay {
  /** What is charged over what the wins should have cost. */
  readonly deliveredShare: number
  /** Its best day of late: an agent should not leave it with less. */
  readonly spentMicros: number
}

export const usualDay = (days: readonly PastDay[]): UsualDay => ({
  deliveredShare:
    days.length === 0
      ? 1
      : days.reduce((sum, { deliveredShare }) => sum + deliveredShare, 0) / days.length,
  spentMicros: Math.max(0, ...days.map(({ spentMicros = 0 }) => spentMicros)),
})

/** What the policies need to know; per showing where the campaign pays per mille. */
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

/** What past days say, as it is kept with the agent. */
export interface KeptPlan {
  readonly lnFirst: number
  readonly lnStep: number
  readonly spend: readonly number[]
  readonly usualPrice?: number | undefined
  readonly requests: readonly (readonly number[])[]
  readonly deliveredShare: number
  /** Plans of before do not have it. */
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

import type { Campaign } from '../../api/types.ts'
import type { Tone } from '../../ui/badge.tsx'

/** What the pacing list shows for which campaign. Pure. */
export interface PaceVerdict {
  readonly text: string
  /** For a narrow column. */
  readonly short: string
  readonly tone: Tone
}

export type PacedCampaign = Pick<
  Campaign,
  | 'name'
  | 'status'
  | 'pacingStrategy'
  | 'budgetDailyMicros'
  | 'spentTodayMicros'
  | 'plannedTodayMicros'
>

/** Running campaigns with a daily budget, furthest behind first. Near ties are ordered by name. */
export const pacedCampaigns = <Paced extends PacedCampaign>(campaigns: readonly Paced[]): Paced[] =>
  campaigns
    .filter(({ status, budgetDailyMicros }) => status === 'active' && budgetDailyMicros)
    .toSorted(
      (one, other) =>
        Math.round((leadOf(one) - leadOf(other)) * 20) || one.name.localeCompare(other.name),
    )

export const spentShare = ({ spentTodayMicros, budgetDailyMicros }: PacedCampaign): number =>
  shareOf(spentTodayMicros, budgetDailyMicros)

/** Where an even day would be. Undefined for a campaign that spends as fast as possible. */
export const plannedShare = (campaign: PacedCampaign): number | undefined =>
  campaign.pacingStrategy === 'Smooth'
    ? shareOf(campaign.plannedTodayMicros, campaign.budgetDailyMicros)
    : undefined

const shareOf = (part: string | null, whole: string | null) =>
  part && whole && whole !== '0' ? Number(part) / Number(whole) : 0

/** Above 0 ahead of the plan, below 0 behind it, as a share of the day's budget. */
const leadOf = (campaign: PacedCampaign) =>
  spentShare(campaign) - shareOf(campaign.plannedTodayMicros, campaign.budgetDailyMicros)

const BEHIND = -0.15
const AHEAD = 0.05

export function paceVerdict(campaign: PacedCampaign): PaceVerdict {
  if (spentShare(campaign) >= 1) return { text: 'Budget used up', short: 'Used up', tone: 'warn' }
  if (campaign.pacingStrategy === 'Accelerated')
    return { text: 'As fast as possible', short: 'Fast', tone: 'info' }
  const lead = leadOf(campaign)
  if (lead < BEHIND) return { text: 'Behind plan', short: 'Behind', tone: 'bad' }
  return lead > AHEAD
    ? { text: 'Ahead of plan', short: 'Ahead', tone: 'warn' }
    : { text: 'On plan', short: 'On plan', tone: 'good' }
}

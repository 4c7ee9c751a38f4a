import type { BudgetPacer } from '../../api/types.ts'
import type { Tone } from '../../ui/badge.tsx'

/** What the pacing list shows for which campaign. Pure. */
export interface PaceVerdict {
  readonly text: string
  readonly tone: Tone
}

/** Running campaigns with a daily budget, furthest behind first. Near ties are ordered by name. */
export const pacedCampaigns = (pacers: readonly BudgetPacer[]): BudgetPacer[] =>
  pacers
    .filter(
      ({ campaignStatus, dailyBudgetMicros }) => campaignStatus === 'active' && dailyBudgetMicros,
    )
    .toSorted(
      (one, other) =>
        Math.round((leadOf(one) - leadOf(other)) * 20) ||
        one.campaignName.localeCompare(other.campaignName),
    )

export const spentShare = ({ spentTodayMicros, dailyBudgetMicros }: BudgetPacer): number =>
  shareOf(spentTodayMicros, dailyBudgetMicros)

/** Where an even day would be. Undefined for a campaign that spends as fast as possible. */
export const plannedShare = (pacer: BudgetPacer): number | undefined =>
  pacer.strategy === 'Smooth' ? shareOf(pacer.plannedMicros, pacer.dailyBudgetMicros) : undefined

const shareOf = (part: string | null, whole: string | null) =>
  part && whole && whole !== '0' ? Number(part) / Number(whole) : 0

/** Above 0 ahead of the plan, below 0 behind it, as a share of the day's budget. */
const leadOf = (pacer: BudgetPacer) =>
  spentShare(pacer) - shareOf(pacer.plannedMicros, pacer.dailyBudgetMicros)

const BEHIND = -0.15
const AHEAD = 0.05

export function paceVerdict(pacer: BudgetPacer): PaceVerdict {
  if (spentShare(pacer) >= 1) return { text: 'Budget used up', tone: 'warn' }
  if (pacer.strategy === 'Accelerated') return { text: 'As fast as possible', tone: 'info' }
  const lead = leadOf(pacer)
  if (lead < BEHIND) return { text: 'Behind plan', tone: 'bad' }
  return lead > AHEAD ? { text: 'Ahead of plan', tone: 'warn' } : { text: 'On plan', tone: 'good' }
}

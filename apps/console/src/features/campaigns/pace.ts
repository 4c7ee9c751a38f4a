import type { Campaign } from '../../api/types.ts'
import type { Tone } from '../../ui/badge.tsx'

type Paced = Pick<
  Campaign,
  'status' | 'pacingStrategy' | 'spentTodayMicros' | 'plannedTodayMicros' | 'budgetDailyMicros'
>

const BEHIND = -0.15
const AHEAD = 0.05

/** How the spend of today compares with an even day. Undefined if the campaign follows no plan. Pure. */
export function paceOf(campaign: Paced): { text: string; tone: Tone } | undefined {
  const { status, budgetDailyMicros, plannedTodayMicros, spentTodayMicros } = campaign
  if (status !== 'active' || budgetDailyMicros === null || plannedTodayMicros === null) {
    return undefined
  }
  const budget = Number(budgetDailyMicros)
  if (Number(spentTodayMicros) >= budget) return { text: 'Used up', tone: 'warn' }
  if (campaign.pacingStrategy === 'Accelerated') return { text: 'Fast', tone: 'info' }
  const lead = (Number(spentTodayMicros) - Number(plannedTodayMicros)) / budget
  if (lead < BEHIND) return { text: 'Behind', tone: 'bad' }
  return lead > AHEAD ? { text: 'Ahead', tone: 'warn' } : { text: 'On plan', tone: 'good' }
}

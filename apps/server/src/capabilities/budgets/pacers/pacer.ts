import type { DayProgress } from '@placard/decision-engine'
import { micros, share } from '@placard/money'

/** A campaign's budget of today, as people read it. */
export interface Pacer {
  readonly campaignId: string
  readonly campaignName: string
  readonly campaignStatus: string
  /** How much of the advertiser's day has passed. */
  readonly progress: DayProgress
  readonly currency: string
  /** Today in the advertiser's zone. */
  readonly day: string
  readonly dailyMicros: bigint | null
  /** Spend of today, minus what a reset allowed again. */
  readonly spentMicros: bigint
  readonly leasedMicros: bigint
  readonly strategy: 'Smooth' | 'Accelerated'
  readonly lastUpdated: Date
}

/** Never below zero: a lowered budget has nothing left. */
export function remainingMicros({ dailyMicros, spentMicros }: Pacer): bigint | null {
  if (dailyMicros === null) return null
  return spentMicros < dailyMicros ? dailyMicros - spentMicros : 0n
}

/** The spend of an even day up to now. */
export function plannedMicros({
  dailyMicros,
  progress,
}: Pick<Pacer, 'dailyMicros' | 'progress'>): bigint | null {
  if (dailyMicros === null) return null
  const { elapsedSeconds: part, lengthSeconds: whole } = progress
  return share(micros(dailyMicros), { part, whole })
}

/** Percent with two decimals, rounded down. 0 without a budget. */
export function utilizationPercent({
  dailyMicros,
  spentMicros,
}: Pick<Pacer, 'dailyMicros' | 'spentMicros'>): number {
  if (dailyMicros === null || dailyMicros === 0n) return 0
  return Number((spentMicros * 10_000n) / dailyMicros) / 100
}

/** Sums of budgets in one currency. */
export interface PacerSums {
  readonly currency: string
  readonly campaigns: number
  readonly dailyMicros: bigint
  readonly spentMicros: bigint
  /** Sum of the campaigns' percentages. */
  readonly percents: number
  readonly exceeded: number
}

export interface PacerStatistics {
  readonly campaigns: number
  /** Undefined if amounts of two currencies would be added. */
  readonly dailyMicros: bigint | undefined
  readonly spentMicros: bigint | undefined
  readonly averagePercent: number
  readonly exceeded: number
}

export function sumUp(sums: readonly PacerSums[]): PacerStatistics {
  const total = (of: (sum: PacerSums) => number) => sums.reduce((all, sum) => all + of(sum), 0)
  const campaigns = total((sum) => sum.campaigns)
  const percents = total((sum) => sum.percents)
  const isMixed = sums.length > 1
  return {
    campaigns,
    dailyMicros: isMixed ? undefined : (sums[0]?.dailyMicros ?? 0n),
    spentMicros: isMixed ? undefined : (sums[0]?.spentMicros ?? 0n),
    averagePercent: campaigns === 0 ? 0 : Math.round((percents / campaigns) * 100) / 100,
    exceeded: total((sum) => sum.exceeded),
  }
}

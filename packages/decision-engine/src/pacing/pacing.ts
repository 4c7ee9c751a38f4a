import { HOUR_SECONDS, type LocalDay } from '@placard/calendar'
import type { SpendVerdict } from '../changes/records.ts'

export type PacingStrategy = 'Smooth' | 'Accelerated'

const SMOOTH_BUFFER = 1.2

export interface BudgetDay {
  readonly strategy: PacingStrategy
  readonly limitMicros: number
  /** Spent and held today. */
  readonly spentMicros: number
}

/** The advertiser's local day. A clock change makes it 23 or 25 hours long. */
export interface DayProgress {
  readonly elapsedSeconds: number
  readonly lengthSeconds: number
}

/**
 * How much may be spent by now. Smooth: the even share of all hours up to and including this one, plus
 * 20 %. Accelerated: the daily limit.
 */
export function judgePacing(budget: BudgetDay, costMicros: number, day: DayProgress): SpendVerdict {
  const after = budget.spentMicros + costMicros
  if (after > budget.limitMicros) return 'exhausted'
  if (budget.strategy === 'Accelerated') return 'may-spend'
  return after <= smoothAllowance(budget.limitMicros, day) ? 'may-spend' : 'ahead-of-plan'
}

/** Rounded down to whole micros. */
export function smoothAllowance(limitMicros: number, day: DayProgress): number {
  const hours = Math.ceil(day.lengthSeconds / HOUR_SECONDS)
  const hour = Math.min(hours - 1, Math.floor(day.elapsedSeconds / HOUR_SECONDS))
  return Math.min(limitMicros, Math.floor((limitMicros * (hour + 1) * SMOOTH_BUFFER) / hours))
}

export const dayProgress = (day: LocalDay, nowMs: number): DayProgress => ({
  elapsedSeconds: (nowMs - day.startMs) / 1000,
  lengthSeconds: (day.endMs - day.startMs) / 1000,
})

import type { SpendVerdict } from '../changes/records.ts'
import type { ZoneClock } from '../decide/zones.ts'

export type PacingStrategy = 'Smooth' | 'Accelerated'

const DAY_MS = 86_400_000
const HOUR_SECONDS = 3600
const SMOOTH_BUFFER = 1.2

export interface BudgetDay {
  readonly strategy: PacingStrategy
  readonly limitMicros: number
  /** Spent and held today. */
  readonly spentMicros: number
}

/** The advertiser's local day; a clock change makes it 23 or 25 hours long. */
export interface DayProgress {
  readonly elapsedSeconds: number
  readonly lengthSeconds: number
}

/**
 * Smooth steps by the hour: up to and including the current one, the hours of the day may have
 * spent their even share and a fifth more. Accelerated knows only the day's limit.
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

export interface LocalDay {
  /** Days since 1970-01-01 on the zone's calendar. */
  readonly day: number
  readonly startMs: number
  readonly endMs: number
}

/** The calendar day of a zone around an instant. Costs a few calls of Intl: keep it for the day. */
export function localDay(clock: ZoneClock, nowMs: number): LocalDay {
  const day = Math.floor(clock.localMs(nowMs) / DAY_MS)
  const startMs = startOfDay(clock, day, nowMs)
  return { day, startMs, endMs: startOfDay(clock, day + 1, nowMs) }
}

export const dayProgress = (day: LocalDay, nowMs: number): DayProgress => ({
  elapsedSeconds: (nowMs - day.startMs) / 1000,
  lengthSeconds: (day.endMs - day.startMs) / 1000,
})

/**
 * The first instant of a local day. Where midnight is skipped the day begins when the clocks have
 * jumped; where midnight comes twice it begins with the first.
 */
function startOfDay(clock: ZoneClock, day: number, nearMs: number): number {
  const midnight = day * DAY_MS
  const guess = midnight - (clock.localMs(nearMs) - nearMs)
  const start = guess - (clock.localMs(guess) - midnight)
  const earlier = start - HOUR_SECONDS * 1000
  return Math.floor(clock.localMs(earlier) / DAY_MS) === day ? earlier : start
}

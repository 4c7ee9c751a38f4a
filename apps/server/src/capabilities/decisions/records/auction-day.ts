import { DAY_MS } from '@placard/calendar'
/** A UTC day, `2026-06-15`. */
export type UtcDay = string

export const utcDayOf = (instant: Date): UtcDay => instant.toISOString().slice(0, 10)

export const addDays = (instant: Date, days: number): Date =>
  new Date(instant.getTime() + days * DAY_MS)

const DAYS_BEFORE = 1
const DAYS_AHEAD = 3

/**
 * Days that need a partition: yesterday for late records, and three days ahead in case the job does
 * not run.
 */
export function daysToPrepare(now: Date): readonly UtcDay[] {
  const days: UtcDay[] = []
  for (let day = -DAYS_BEFORE; day <= DAYS_AHEAD; day++) days.push(utcDayOf(addDays(now, day)))
  return days
}

/** The oldest day that is kept: today and `retentionDays` days before it. */
export const oldestDayKept = (now: Date, retentionDays: number): UtcDay =>
  utcDayOf(addDays(now, -retentionDays))

/** Days on which a decision with this UUIDv7 may be recorded. Around midnight there are two. */
export function daysOfDecision(decisionId: string): readonly UtcDay[] {
  const made = new Date(Number.parseInt(decisionId.replace('-', '').slice(0, 12), 16))
  return [-1, 0, 1].map((days) => utcDayOf(addDays(made, days)))
}

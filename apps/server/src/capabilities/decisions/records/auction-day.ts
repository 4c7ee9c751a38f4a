import { DAY_MS } from '@placard/calendar'
/** A UTC day as `2026-06-15`. */
export type UtcDay = string

export const utcDayOf = (instant: Date): UtcDay => instant.toISOString().slice(0, 10)

export const addDays = (instant: Date, days: number): Date =>
  new Date(instant.getTime() + days * DAY_MS)

const DAYS_BEFORE = 1
const DAYS_AHEAD = 3

/** Days that have a partition: yesterday for the late, and enough ahead for a night without us. */
export function daysToPrepare(now: Date): readonly UtcDay[] {
  const days: UtcDay[] = []
  for (let day = -DAYS_BEFORE; day <= DAYS_AHEAD; day++) days.push(utcDayOf(addDays(now, day)))
  return days
}

/** The oldest day that is kept: today and so many days before it. */
export const oldestDayKept = (now: Date, retentionDays: number): UtcDay =>
  utcDayOf(addDays(now, -retentionDays))

/** The days on which a decision with this uuid v7 can have been made; it may have waited at midnight. */
export function daysOfDecision(decisionId: string): readonly UtcDay[] {
  const made = new Date(Number.parseInt(decisionId.replace('-', '').slice(0, 12), 16))
  return [-1, 0, 1].map((days) => utcDayOf(addDays(made, days)))
}

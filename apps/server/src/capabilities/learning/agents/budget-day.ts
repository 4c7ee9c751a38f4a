import { DAY_MS, localDay, ZoneClocks } from '@placard/calendar'

/** A day in an advertiser's time zone. */
export interface BudgetDay {
  /** `YYYY-MM-DD`. */
  readonly day: string
  /** Days since 1970-01-01. */
  readonly number: number
  readonly startMs: number
  readonly endMs: number
}

const zones = new ZoneClocks()

export function budgetDayAt(timeZone: string, atMs: number): BudgetDay {
  const { day, startMs, endMs } = localDay(zones.find(timeZone) ?? zones.find('UTC')!, atMs)
  return { day: dateOf(day), number: day, startMs, endMs }
}

/** The days before, oldest first. */
export function daysBefore(timeZone: string, atMs: number, count: number): BudgetDay[] {
  const days: BudgetDay[] = []
  let { startMs } = budgetDayAt(timeZone, atMs)
  for (let back = 0; back < count; back++) {
    const day = budgetDayAt(timeZone, startMs - 1)
    days.unshift(day)
    startMs = day.startMs
  }
  return days
}

const dateOf = (day: number): string => new Date(day * DAY_MS).toISOString().slice(0, 10)

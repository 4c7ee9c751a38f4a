import { DAY_MS, localTime, type ZoneClock, ZoneClocks } from '@placard/calendar'
import type { ReportPeriod, SavedQuestion } from '@placard/contract/reports'

/** When a saved report is sent, and which days it covers. */

export type Rhythm = 'day' | 'week' | 'month'

export interface Schedule {
  readonly every: Rhythm
  /** By the clock of the zone. */
  readonly atHour: number
  readonly timeZone: string
}

const QUARTER_MS = 15 * 60_000
/** A month of quarter-hours, and a day for clock changes. */
const QUARTERS_MAX = 33 * 96
const MONDAY = 1

/**
 * The next time after an instant: the first quarter-hour on a day of the schedule at or after the
 * hour. If a clock change skips the hour, the next one counts. If the hour comes twice, the first
 * counts.
 */
export function nextDue({ every, atHour, timeZone }: Schedule, after: Date): Date {
  const clock = clockOf(timeZone)
  const isPast = (ms: number) => localTime(clock, ms).hour >= atHour
  let ms = (Math.floor(after.getTime() / QUARTER_MS) + 1) * QUARTER_MS
  for (let quarter = 0; quarter < QUARTERS_MAX; quarter++, ms += QUARTER_MS) {
    const { day } = localTime(clock, ms)
    const before = ms - QUARTER_MS
    const hasJustCome = isPast(ms) && (localTime(clock, before).day < day || !isPast(before))
    if (hasJustCome && isDayOf(every, day)) return new Date(ms)
  }
  throw new RangeError(`${every} at ${atHour} never comes in ${timeZone}`)
}

function isDayOf(every: Rhythm, day: number): boolean {
  const date = new Date(day * DAY_MS)
  if (every === 'week') return date.getUTCDay() === MONDAY
  return every === 'day' || date.getUTCDate() === 1
}

const clockOf = (timeZone: string): ZoneClock => {
  const clock = new ZoneClocks().find(timeZone)
  if (!clock) throw new RangeError(`"${timeZone}" is not a time zone`)
  return clock
}

const DAYS_BACK = {
  yesterday: 1,
  'last-7-days': 7,
  'last-30-days': 30,
  'last-90-days': 90,
} as const

/** The days of a period, both inclusive, at an instant in the zone. */
export function daysOf(
  period: ReportPeriod,
  { at, timeZone }: { readonly at: Date; readonly timeZone: string },
): { readonly from: string; readonly to: string } {
  const { day: today } = localTime(clockOf(timeZone), at.getTime())
  if (period === 'today') return { from: textOf(today), to: textOf(today) }
  if (period === 'today-and-6-days') return { from: textOf(today - 6), to: textOf(today) }
  const firstOfMonth = today - daysIntoMonth(today)
  if (period === 'this-month') return { from: textOf(firstOfMonth), to: textOf(today) }
  if (period === 'last-month') {
    const last = firstOfMonth - 1
    return { from: textOf(last - daysIntoMonth(last)), to: textOf(last) }
  }
  return { from: textOf(today - DAYS_BACK[period]), to: textOf(today - 1) }
}

const daysIntoMonth = (day: number) => new Date(day * DAY_MS).getUTCDate() - 1
const textOf = (day: number) => new Date(day * DAY_MS).toISOString().slice(0, 10)

/** The query of a saved report at an instant. */
export function queryOf(
  { question, timeZone }: { readonly question: SavedQuestion; readonly timeZone: string },
  at: Date,
) {
  const { period, ...matter } = question
  return { ...matter, timeZone, ...daysOf(period, { at, timeZone }) }
}

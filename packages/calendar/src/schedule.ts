import { DAY_MS, weekdayOf, weekOfDay } from './days.ts'
import { parseRecurrence, parseUntil, type Recurrence } from './recurrence.ts'
import type { ZoneClock } from './zones.ts'

/** Monday, 1970-01-05: intervals count from here when a banner has no publish date. */
const FIRST_MONDAY = 4
const WEEKDAY_NUMBERS = { SU: 0, MO: 1, TU: 2, WE: 3, TH: 4, FR: 5, SA: 6 } as const

/** A recurrence as numbers, so that a decision can judge it without parsing. */
interface CompiledRule {
  readonly frequency: Recurrence['frequency']
  readonly interval: number
  /** Bit n is weekday n, 0 is Sunday; undefined when the rule has no BYDAY. */
  readonly weekdays: number | undefined
  readonly untilMs: number | undefined
  /** UNTIL as a date: the last local day. */
  readonly untilDay: number | undefined
}

export interface Schedule {
  readonly clock: ZoneClock
  readonly rule: CompiledRule | undefined
  readonly anchorDay: number
  /** Seconds of the local day, both inclusive; start > end runs across midnight. */
  readonly window: { readonly start: number; readonly end: number } | undefined
}

export type ScheduleVerdict = 'open' | 'off-recurrence' | 'outside-window'

/** Runs for every candidate of a decision: arithmetic on the zone's cached offset, no allocation. */
export function judgeSchedule(schedule: Schedule, nowMs: number): ScheduleVerdict {
  const local = schedule.clock.localMs(nowMs)
  let day = Math.floor(local / DAY_MS)
  const { window, rule } = schedule
  if (window !== undefined) {
    const second = Math.floor((local - day * DAY_MS) / 1000)
    const crossesMidnight = window.start > window.end
    if (crossesMidnight ? second < window.start && second > window.end : isOutside(second, window))
      return 'outside-window'
    // The hours after midnight belong to the evening before.
    if (crossesMidnight && second <= window.end) day--
  }
  if (rule === undefined) return 'open'
  return occursOn(rule, { day, anchorDay: schedule.anchorDay, nowMs }) ? 'open' : 'off-recurrence'
}

const isOutside = (second: number, window: { start: number; end: number }) =>
  second < window.start || second > window.end

interface Occurrence {
  readonly day: number
  readonly anchorDay: number
  readonly nowMs: number
}

function occursOn(rule: CompiledRule, { day, anchorDay, nowMs }: Occurrence): boolean {
  if (rule.untilMs !== undefined && nowMs > rule.untilMs) return false
  if (rule.untilDay !== undefined && day > rule.untilDay) return false
  if (day < anchorDay) return false

  if (rule.frequency === 'DAILY') {
    if ((day - anchorDay) % rule.interval !== 0) return false
    return rule.weekdays === undefined || (rule.weekdays & (1 << weekdayOf(day))) !== 0
  }
  const weeks = weekOfDay(day) - weekOfDay(anchorDay)
  const weekdays = rule.weekdays ?? 1 << weekdayOf(anchorDay)
  return weeks % rule.interval === 0 && (weekdays & (1 << weekdayOf(day))) !== 0
}

/** Undefined when the text is not a valid rule. */
function compileRule(text: string): CompiledRule | undefined {
  const { recurrence } = parseRecurrence(text)
  if (recurrence === undefined) return undefined
  const { frequency, interval, weekdays, until } = recurrence
  const mask = weekdays.reduce((bits, weekday) => bits | (1 << WEEKDAY_NUMBERS[weekday]), 0)
  const { untilMs, untilDay } = parseUntil(until ?? '') ?? {}
  return { frequency, interval, weekdays: mask === 0 ? undefined : mask, untilMs, untilDay }
}

/** Seconds of the day of `HH:MM` or `HH:MM:SS`, or undefined. */
export function parseTimeOfDay(text: string): number | undefined {
  const match = /^([01]\d|2[0-3]):([0-5]\d)(?::([0-5]\d))?$/.exec(text)
  if (match === null) return undefined
  return (Number(match[1]) * 60 + Number(match[2])) * 60 + Number(match[3] ?? 0)
}

export interface ScheduleText {
  readonly recurrenceRule?: string | undefined
  readonly windowStart?: string | undefined
  readonly windowEnd?: string | undefined
  readonly publishAtMs?: number | undefined
}

/**
 * `always` if nothing recurs. `never` if the text or the zone is invalid: such a banner does not
 * serve.
 */
export function compileSchedule(
  text: ScheduleText,
  clock: ZoneClock | undefined,
): Schedule | 'always' | 'never' {
  const hasWindow = text.windowStart !== undefined && text.windowEnd !== undefined
  if (text.recurrenceRule === undefined && !hasWindow) return 'always'
  if (clock === undefined) return 'never'

  const rule = text.recurrenceRule === undefined ? undefined : compileRule(text.recurrenceRule)
  if (text.recurrenceRule !== undefined && rule === undefined) return 'never'
  const start = hasWindow ? parseTimeOfDay(text.windowStart) : 0
  const end = hasWindow ? parseTimeOfDay(text.windowEnd) : 0
  if (start === undefined || end === undefined) return 'never'

  const anchorDay =
    text.publishAtMs === undefined
      ? FIRST_MONDAY
      : Math.floor(clock.localMs(text.publishAtMs) / DAY_MS)
  return { clock, rule, anchorDay, window: hasWindow ? { start, end } : undefined }
}

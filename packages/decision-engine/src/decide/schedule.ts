import { weekdayOf, type ZoneClock } from './zones.ts'

const DAY_MS = 86_400_000
const WEEKDAYS = ['SU', 'MO', 'TU', 'WE', 'TH', 'FR', 'SA']
const EVERY_DAY = 0b1111111
/** Monday, 1970-01-05: counts intervals when a banner has no publish date. */
const FIRST_MONDAY = 4

/** The subset of RFC 5545 that a banner may use. */
export interface RecurrenceRule {
  readonly frequency: 'DAILY' | 'WEEKLY'
  readonly interval: number
  /** Bit n is weekday n, 0 is Sunday; undefined when the rule has no BYDAY. */
  readonly weekdays: number | undefined
  readonly untilMs: number | undefined
  /** UNTIL as a date: the last local day. */
  readonly untilDay: number | undefined
}

export interface Schedule {
  readonly clock: ZoneClock
  readonly rule: RecurrenceRule | undefined
  readonly anchorDay: number
  /** Seconds of the local day, both inclusive; start > end runs across midnight. */
  readonly window: { readonly start: number; readonly end: number } | undefined
}

export type ScheduleVerdict = 'open' | 'off-recurrence' | 'outside-window'

/** Plain arithmetic on the zone's remembered offset: no Intl, no allocation. */
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

function occursOn(rule: RecurrenceRule, { day, anchorDay, nowMs }: Occurrence): boolean {
  if (rule.untilMs !== undefined && nowMs > rule.untilMs) return false
  if (rule.untilDay !== undefined && day > rule.untilDay) return false
  if (day < anchorDay) return false

  if (rule.frequency === 'DAILY') {
    if ((day - anchorDay) % rule.interval !== 0) return false
    return rule.weekdays === undefined || (rule.weekdays & (1 << weekdayOf(day))) !== 0
  }
  const weeks = weekOf(day) - weekOf(anchorDay)
  const weekdays = rule.weekdays ?? 1 << weekdayOf(anchorDay)
  return weeks % rule.interval === 0 && (weekdays & (1 << weekdayOf(day))) !== 0
}

/** Weeks begin on Monday, as in RFC 5545 without WKST. */
const weekOf = (day: number) => Math.floor((day + 3) / 7)

/** Undefined when the text is outside the subset; the catalogue refuses such a banner. */
export function parseRecurrenceRule(text: string): RecurrenceRule | undefined {
  const parts = new Map<string, string>()
  for (const part of text.replace(/^RRULE:/i, '').split(';')) {
    const [name, value, ...rest] = part.trim().toUpperCase().split('=')
    if (name === undefined || value === undefined || rest.length > 0 || parts.has(name)) {
      return undefined
    }
    parts.set(name, value)
  }
  const frequency = parts.get('FREQ')
  if (frequency !== 'DAILY' && frequency !== 'WEEKLY') return undefined
  const interval = parseInterval(parts.get('INTERVAL'))
  const weekdays = parseWeekdays(parts.get('BYDAY'))
  const until = parseUntil(parts.get('UNTIL'))
  for (const name of ['FREQ', 'INTERVAL', 'BYDAY', 'UNTIL']) parts.delete(name)
  if (interval === undefined || weekdays === 'invalid' || until === 'invalid' || parts.size > 0) {
    return undefined
  }
  return { frequency, interval, weekdays, ...until }
}

function parseInterval(text: string | undefined): number | undefined {
  if (text === undefined) return 1
  const interval = Number(text)
  return /^\d{1,3}$/.test(text) && interval > 0 ? interval : undefined
}

function parseWeekdays(text: string | undefined): number | undefined | 'invalid' {
  if (text === undefined) return undefined
  let mask = 0
  for (const name of text.split(',')) {
    const weekday = WEEKDAYS.indexOf(name)
    if (weekday < 0) return 'invalid'
    mask |= 1 << weekday
  }
  return mask & EVERY_DAY
}

type Until = Pick<RecurrenceRule, 'untilMs' | 'untilDay'>

function parseUntil(text: string | undefined): Until | 'invalid' {
  if (text === undefined) return { untilMs: undefined, untilDay: undefined }
  const match = /^(\d{4})(\d\d)(\d\d)(?:T(\d\d)(\d\d)(\d\d)Z)?$/.exec(text)
  if (match === null) return 'invalid'
  const [, year, month, date, hour, minute, second] = match
  const dayMs = Date.UTC(Number(year), Number(month) - 1, Number(date))
  if (hour === undefined) return { untilMs: undefined, untilDay: dayMs / DAY_MS }
  const untilMs = dayMs + ((Number(hour) * 60 + Number(minute)) * 60 + Number(second)) * 1000
  return { untilMs, untilDay: undefined }
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

/** 'always' when nothing recurs; 'never' when the text is not valid: a doubtful banner stays dark. */
export function compileSchedule(
  text: ScheduleText,
  clock: ZoneClock | undefined,
): Schedule | 'always' | 'never' {
  const hasWindow = text.windowStart !== undefined && text.windowEnd !== undefined
  if (text.recurrenceRule === undefined && !hasWindow) return 'always'
  if (clock === undefined) return 'never'

  const rule =
    text.recurrenceRule === undefined ? undefined : parseRecurrenceRule(text.recurrenceRule)
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

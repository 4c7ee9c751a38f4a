import { DAY_MS } from './days.ts'

/** The days on which a banner may serve: the part of RFC 5545 that banner schedules use. */
export interface Recurrence {
  readonly frequency: 'DAILY' | 'WEEKLY'
  /** Every nth day or week, counted from the first day of the schedule. */
  readonly interval: number
  /** Monday first. Empty: every day of a DAILY rule, the first day's weekday of a WEEKLY one. */
  readonly weekdays: readonly Weekday[]
  /** The last local day, `YYYYMMDD`, or the last instant, `YYYYMMDDTHHMMSSZ`. */
  readonly until: string | undefined
}

export const WEEKDAYS = ['MO', 'TU', 'WE', 'TH', 'FR', 'SA', 'SU'] as const
export type Weekday = (typeof WEEKDAYS)[number]

const INTERVAL_MAX = 366

export type ParsedRecurrence =
  | { readonly recurrence: Recurrence; readonly faults: readonly [] }
  | { readonly recurrence: undefined; readonly faults: readonly string[] }

/** Reads a rule, or lists every fault in it. */
export function parseRecurrence(text: string): ParsedRecurrence {
  const { parts, faults } = splitRule(text)
  for (const [name, value] of parts) {
    const fault = FAULTS[name] ? FAULTS[name](value) : `${name} is not supported`
    if (fault) faults.push(fault)
  }
  const frequency = parts.get('FREQ')
  if (frequency === undefined) faults.push('FREQ is missing')
  if (faults.length > 0 || !isFrequency(frequency)) return { recurrence: undefined, faults }

  const named = new Set(parts.get('BYDAY')?.split(','))
  const recurrence = {
    frequency,
    interval: Number(parts.get('INTERVAL') ?? 1),
    weekdays: WEEKDAYS.filter((weekday) => named.has(weekday)),
    until: parts.get('UNTIL'),
  }
  return { recurrence, faults: [] }
}

/** The canonical text of a rule. */
export function formatRecurrence({ frequency, interval, weekdays, until }: Recurrence): string {
  return [
    `FREQ=${frequency}`,
    interval !== 1 && `INTERVAL=${interval}`,
    weekdays.length > 0 && `BYDAY=${weekdays.join(',')}`,
    until && `UNTIL=${until}`,
  ]
    .filter(Boolean)
    .join(';')
}

/** True for a rule that depends on its first day: to count intervals from, or for its weekday. */
export const needsFirstDay = ({ frequency, interval, weekdays }: Recurrence): boolean =>
  interval > 1 || (frequency === 'WEEKLY' && weekdays.length === 0)

function splitRule(text: string) {
  const parts = new Map<string, string>()
  const faults: string[] = []
  for (const part of text
    .trim()
    .toUpperCase()
    .replace(/^RRULE:/, '')
    .split(';')) {
    const [, name, value] = /^\s*([A-Z]+)=(\S+)\s*$/.exec(part) ?? []
    if (!name || !value) faults.push(`"${part}" is not NAME=VALUE`)
    else if (parts.has(name)) faults.push(`${name} is there twice`)
    else parts.set(name, value)
  }
  return { parts, faults }
}

const FAULTS: Readonly<Record<string, (value: string) => string | undefined>> = {
  FREQ: (value) => (isFrequency(value) ? undefined : `FREQ=${value} is not DAILY or WEEKLY`),
  INTERVAL: (value) =>
    /^[1-9]\d{0,2}$/.test(value) && Number(value) <= INTERVAL_MAX
      ? undefined
      : `INTERVAL=${value} is not from 1 to ${INTERVAL_MAX}`,
  BYDAY: (value) =>
    value.split(',').every((name) => WEEKDAYS.some((weekday) => weekday === name))
      ? undefined
      : `BYDAY=${value} must name days as ${WEEKDAYS.join(',')}`,
  UNTIL: (value) => (parseUntil(value) ? undefined : `UNTIL=${value} is not YYYYMMDD[THHMMSSZ]`),
}

const isFrequency = (value: string | undefined): value is Recurrence['frequency'] =>
  value === 'DAILY' || value === 'WEEKLY'

/** UNTIL as the last local day, or as the last instant. */
export interface Until {
  readonly untilDay: number | undefined
  readonly untilMs: number | undefined
}

export function parseUntil(text: string): Until | undefined {
  const match = /^(\d{4})(\d\d)(\d\d)(T(\d\d)(\d\d)(\d\d)Z)?$/.exec(text)
  if (!match) return undefined
  const [, year, month, date, time, hour = '00', minute = '00', second = '00'] = match
  const iso = `${year}-${month}-${date}T${hour}:${minute}:${second}.000Z`
  const instant = new Date(iso)
  // February 30th parses as a March date: only text that survives the round trip is a date.
  if (Number.isNaN(instant.getTime()) || instant.toISOString() !== iso) return undefined
  const atMs = instant.getTime()
  return time === undefined
    ? { untilDay: atMs / DAY_MS, untilMs: undefined }
    : { untilDay: undefined, untilMs: atMs }
}

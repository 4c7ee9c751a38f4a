/** On which days a banner shows: the part of RFC 5545 that schedules of banners need. */
export interface Recurrence {
  readonly frequency: 'DAILY' | 'WEEKLY'
  /** Every n-th day or week, counted from the day the banner is published. */
  readonly interval: number
  /** In the order of the week; empty means every day, or the weekday of the publication. */
  readonly days: readonly Weekday[]
  /** The last day, `YYYYMMDD` in the schedule's zone, or the last instant, `YYYYMMDDTHHMMSSZ`. */
  readonly until: string | undefined
}

export const WEEKDAYS = ['MO', 'TU', 'WE', 'TH', 'FR', 'SA', 'SU'] as const
type Weekday = (typeof WEEKDAYS)[number]

const INTERVAL_MAX = 366

export type ParsedRecurrence =
  | { readonly recurrence: Recurrence; readonly faults: readonly [] }
  | { readonly recurrence: undefined; readonly faults: readonly string[] }

/** Reads a rule, or says everything that is wrong with it. */
export function parseRecurrence(text: string): ParsedRecurrence {
  const { parts, faults } = partsOf(text)
  for (const [name, value] of parts) {
    const fault = READERS[name] ? READERS[name](value) : `${name} is not supported`
    if (fault) faults.push(fault)
  }
  if (!parts.has('FREQ')) faults.push('FREQ is missing')
  if (faults.length > 0) return { recurrence: undefined, faults }

  const named = new Set(parts.get('BYDAY')?.split(','))
  const recurrence = {
    frequency: parts.get('FREQ') as Recurrence['frequency'],
    interval: Number(parts.get('INTERVAL') ?? 1),
    days: WEEKDAYS.filter((day) => named.has(day)),
    until: parts.get('UNTIL'),
  }
  return { recurrence, faults: [] }
}

/** The one way to write a rule down. */
export function formatRecurrence({ frequency, interval, days, until }: Recurrence): string {
  return [
    `FREQ=${frequency}`,
    interval !== 1 && `INTERVAL=${interval}`,
    days.length > 0 && `BYDAY=${days.join(',')}`,
    until && `UNTIL=${until}`,
  ]
    .filter(Boolean)
    .join(';')
}

/** Such a rule says when only together with the day on which it begins. */
export const needsBeginning = ({ frequency, interval, days }: Recurrence): boolean =>
  interval > 1 || (frequency === 'WEEKLY' && days.length === 0)

function partsOf(text: string) {
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

const READERS: Readonly<Record<string, (value: string) => string | undefined>> = {
  FREQ: (value) =>
    value === 'DAILY' || value === 'WEEKLY' ? undefined : `FREQ=${value} is not DAILY or WEEKLY`,
  INTERVAL: (value) =>
    /^[1-9]\d{0,2}$/.test(value) && Number(value) <= INTERVAL_MAX
      ? undefined
      : `INTERVAL=${value} is not from 1 to ${INTERVAL_MAX}`,
  BYDAY: (value) => {
    const strange = value.split(',').filter((day) => !WEEKDAYS.includes(day as Weekday))
    return strange.length > 0 ? `BYDAY=${value} must name days as ${WEEKDAYS.join(',')}` : undefined
  },
  UNTIL: (value) => (isUntil(value) ? undefined : `UNTIL=${value} is not YYYYMMDD[THHMMSSZ]`),
}

function isUntil(value: string): boolean {
  const match = /^(\d{4})(\d\d)(\d\d)(?:T(\d\d)(\d\d)(\d\d)Z)?$/.exec(value)
  if (!match) return false
  const [year, month, day, hour, minute, second] = match
    .slice(1)
    .map((digits) => digits ?? '00') as [string, string, string, string, string, string]
  const iso = `${year}-${month}-${day}T${hour}:${minute}:${second}.000Z`
  const instant = new Date(iso)
  return !Number.isNaN(instant.getTime()) && instant.toISOString() === iso
}

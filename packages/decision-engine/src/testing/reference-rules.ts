import { DAY_MS } from '@placard/calendar'
import type { Banner, TargetingRule } from '../changes/records.ts'
import type { Context } from '../decide/targeting.ts'

/** The wall clock of a zone, from `Intl` each time: slow and obvious. */
export interface WallClock {
  readonly weekday: number
  readonly hour: number
  readonly second: number
  readonly dayNumber: number
}

const formats = new Map<string, Intl.DateTimeFormat>()

export function wallClock(timeZone: string, nowMs: number): WallClock {
  let format = formats.get(timeZone)
  if (format === undefined) {
    format = new Intl.DateTimeFormat('en-CA', {
      timeZone,
      hourCycle: 'h23',
      dateStyle: 'short',
      timeStyle: 'medium',
    })
    formats.set(timeZone, format)
  }
  const [date, time] = format.format(nowMs).split(', ')
  const midnight = Date.parse(`${date}T00:00:00Z`)
  const [hour, minute, second] = time!.split(':').map(Number)
  return {
    weekday: new Date(midnight).getUTCDay(),
    hour: hour!,
    second: hour! * 3600 + minute! * 60 + second!,
    dayNumber: midnight / DAY_MS,
  }
}

/** Judges one rule, operator by operator. */
export function ruleMatches(rule: TargetingRule, context: Context, clock: WallClock): boolean {
  const facts = factsOf(rule, context, clock)
  const { value, operator } = rule
  if ('from' in value) {
    const { from, to } = value
    const { hour } = clock
    return from <= to ? hour >= from && hour <= to : hour >= from || hour <= to
  }
  const values = 'values' in value ? value.values.map(String) : [String(value.value)]
  const listed = values.map((word) => normalised(rule.type, word))
  const hits = listed.filter((word) => facts.some((fact) => isHit(operator, fact, word)))
  if (operator === 'not_in') return hits.length === 0
  return operator === 'contains_all' ? hits.length === listed.length : hits.length > 0
}

function isHit(operator: string, fact: string, word: string): boolean {
  if (operator !== 'ends_with') return fact === word
  return fact === word || fact.endsWith(`.${word}`)
}

function normalised(type: string, word: string): string {
  if (type === 'country') return word.toUpperCase()
  if (type === 'language') return word.toLowerCase()
  if (type === 'referrer_domain') return word.toLowerCase().replace(/^www\./, '')
  return word
}

/** The request's value, in the form of the rule's values. */
function factsOf(rule: TargetingRule, context: Context, clock: WallClock): string[] {
  const { device, country, language, loggedIn, newVisitor, referrerDomain } = context
  const { type } = rule
  switch (type) {
    case 'device':
      return device === undefined ? [] : [device]
    case 'country':
      return country === undefined ? [] : [country.toUpperCase()]
    case 'user_segment':
      return [...(context.segments ?? [])]
    case 'login_state':
      if (loggedIn === undefined) return []
      return [loggedIn ? 'logged_in' : 'guest']
    case 'language': {
      const tag = language?.toLowerCase()
      return tag === undefined ? [] : [tag, tag.split('-')[0]!]
    }
    case 'hour_of_day':
      return [String(clock.hour)]
    case 'day_of_week':
      return [String(clock.weekday)]
    case 'new_visitor':
      return newVisitor === undefined ? [] : [String(newVisitor)]
    case 'referrer_domain':
    default:
      return referrerDomain === undefined ? [] : [normalised('referrer_domain', referrerDomain)]
  }
}

/** Judges recurrence and window of a banner. Random banners have valid rules only. */
export function judgeBannerTime(banner: Banner, nowMs: number): string {
  const { recurrenceRule, windowStart, windowEnd } = banner
  const clock = wallClock(banner.timeZone, nowMs)
  let day = clock.dayNumber
  if (windowStart !== undefined && windowEnd !== undefined) {
    const [start, end] = [secondsOf(windowStart), secondsOf(windowEnd)]
    const inside =
      start <= end
        ? clock.second >= start && clock.second <= end
        : clock.second >= start || clock.second <= end
    if (!inside) return 'outside-window'
    if (start > end && clock.second <= end) day -= 1
  }
  if (recurrenceRule === undefined) return 'passed'
  const first =
    banner.publishAtMs === undefined ? 4 : wallClock(banner.timeZone, banner.publishAtMs).dayNumber
  return occurs(recurrenceRule, { day, first, nowMs }) ? 'passed' : 'off-recurrence'
}

const secondsOf = (time: string) =>
  time.split(':').reduce((seconds, part) => seconds * 60 + Number(part), 0)

const weekday = (day: number) => new Date(day * DAY_MS).getUTCDay()

const dayName = (day: number) => ['SU', 'MO', 'TU', 'WE', 'TH', 'FR', 'SA'][weekday(day)]!

const monday = (day: number) => day - ((weekday(day) + 6) % 7)

/** Lists the days of the rule from its first day, and checks if this day is one of them. */
function occurs(text: string, at: { day: number; first: number; nowMs: number }): boolean {
  const parts = new Map(text.split(';').map((part) => part.split('=') as [string, string]))
  const interval = Number(parts.get('INTERVAL') ?? 1)
  const byDay = parts.get('BYDAY')?.split(',')
  const until = parts.get('UNTIL')
  if (until !== undefined && at.day > dayOfText(until)) return false
  if (at.day < at.first) return false
  if (parts.get('FREQ') === 'DAILY') {
    return (at.day - at.first) % interval === 0 && (byDay?.includes(dayName(at.day)) ?? true)
  }
  const weeks = (monday(at.day) - monday(at.first)) / 7
  return weeks % interval === 0 && (byDay ?? [dayName(at.first)]).includes(dayName(at.day))
}

const dayOfText = (text: string) =>
  Date.parse(`${text.slice(0, 4)}-${text.slice(4, 6)}-${text.slice(6, 8)}T00:00:00Z`) / DAY_MS

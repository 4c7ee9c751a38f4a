import { DAY_MS } from '@placard/calendar'
import type { ReportDimension } from '@placard/contract/reports'
import { isUtc, type Question } from '../report.ts'

/**
 * What readers are counted for, day by day. Sketches merge over days and things, and are never
 * divided.
 */
export const REACH_LEVELS = ['all', 'advertiser', 'campaign', 'site', 'placement'] as const
export type ReachLevel = (typeof REACH_LEVELS)[number]

export type ReachVerdict =
  | { readonly kind: 'level'; readonly level: ReachLevel }
  | { readonly kind: 'refused'; readonly reason: string }

const TIMES: ReadonlySet<string> = new Set(['day', 'week', 'month'])
const BUYING: ReadonlySet<string> = new Set(['advertiser', 'campaign'])
const SELLING: ReadonlySet<string> = new Set(['site', 'placement'])

/**
 * Chooses the sketches. A site's readers saw other advertisers' ads too, so an advertiser asks by
 * what it buys and a publisher by what it sells.
 */
export function judgeReach(
  question: Pick<Question, 'dimensions' | 'filters' | 'scope' | 'timeZone' | 'sort'>,
): ReachVerdict {
  const { dimensions, filters, scope, timeZone, sort } = question
  if (!isUtc(timeZone)) return refused('Readers are counted by UTC days. Use `timeZone` UTC.')
  if (sort.some(({ by }) => by === 'reach')) return refused('A report cannot be sorted by reach.')
  const { label, ...others } = filters
  if (label?.join() !== 'valid') return refused('Reach counts valid traffic only.')
  const entities = new Set([
    ...dimensions.filter((dimension) => !TIMES.has(dimension)),
    ...Object.keys(others).map((field) => field.replace(/Id$/, '')),
  ])
  if (entities.size === 0) return { kind: 'level', level: WHOLE[scope.kind] }
  const buys = [...entities].every((entity) => BUYING.has(entity)) && scope.kind !== 'publisher'
  if (buys) return { kind: 'level', level: entities.has('campaign') ? 'campaign' : 'advertiser' }
  const [only] = entities
  if (entities.size === 1 && SELLING.has(only!) && scope.kind !== 'advertiser') {
    return { kind: 'level', level: only as ReachLevel }
  }
  return refused(WAYS[scope.kind])
}

const refused = (reason: string): ReachVerdict => ({ kind: 'refused', reason })

const WHOLE = { platform: 'all', advertiser: 'advertiser', publisher: 'site' } as const

const WAYS = {
  platform:
    'Readers are counted by day, week or month, and by advertiser and campaign, or by site, or by placement.',
  advertiser: 'Readers are counted by day, week or month, and by advertiser and campaign.',
  publisher: 'Readers are counted by day, week or month, and by site or by placement.',
} as const

/** The days of one row, both inclusive: its day, week or month, within the report's range. */
export function daysOfRow(
  { dimensions, from, to }: Pick<Question, 'dimensions' | 'from' | 'to'>,
  keys: readonly (string | null)[],
): { readonly from: string; readonly to: string } {
  let days = { from, to }
  for (const [at, dimension] of dimensions.entries()) {
    if (!TIMES.has(dimension)) continue
    const start = String(keys[at])
    const end = lastDay(dimension, start)
    days = {
      from: start > days.from ? start : days.from,
      to: end < days.to ? end : days.to,
    }
  }
  return days
}

function lastDay(dimension: ReportDimension, start: string): string {
  if (dimension === 'day') return start
  const date = new Date(start)
  const end =
    dimension === 'week'
      ? date.getTime() + 6 * DAY_MS
      : Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1, 0)
  return new Date(end).toISOString().slice(0, 10)
}

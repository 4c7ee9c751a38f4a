import { DAY_MS } from '@placard/calendar'
import { CHANNEL_METRICS } from '@placard/contract/channels'
import type { ReportDimension, ReportMetric } from '@placard/contract/reports'

/** The rows a caller may see. A publisher sees those of its sites. */
export interface ReportScope {
  readonly kind: 'platform' | 'advertiser' | 'publisher'
  readonly accountId: bigint
}

/** A report, as the rules see it. */
export interface Question {
  readonly scope: ReportScope
  readonly dimensions: readonly ReportDimension[]
  readonly metrics: readonly ReportMetric[]
  /** Days in the zone, both inclusive. */
  readonly from: string
  readonly to: string
  readonly timeZone: string
  readonly filters: Readonly<Record<string, readonly string[]>>
  readonly sort: readonly Sort[]
}

export interface Sort {
  readonly by: string
  readonly direction: 'asc' | 'desc'
}

/**
 * `advertisers`: by advertiser and UTC day. `campaigns`: by campaign and UTC day. `days`: everything by UTC day. `quarters`:
 * everything by 15 minutes. `channels`: our own and other channels by UTC day.
 */
export type SumsTable = 'advertisers' | 'campaigns' | 'days' | 'quarters' | 'channels'

const OF_ADVERTISERS = ['day', 'week', 'month', 'advertiser', 'label', 'advertiserId']
const NARROW: readonly (readonly [SumsTable, ReadonlySet<string>])[] = [
  ['advertisers', new Set(OF_ADVERTISERS)],
  ['campaigns', new Set([...OF_ADVERTISERS, 'campaign', 'campaignId'])],
]
const UTC_NAMES: ReadonlySet<string> = new Set(['UTC', 'Etc/UTC', 'Etc/GMT', 'GMT', 'Etc/UCT'])

export const isUtc = (timeZone: string): boolean => UTC_NAMES.has(timeZone)

/**
 * The smallest table that can answer exactly. Days of other zones than UTC add up from
 * quarter-hours.
 */
export function chooseTable({ dimensions, filters, timeZone, scope }: Question): SumsTable {
  const fields = fieldsOf({ dimensions, filters })
  if (fields.includes('channel')) return 'channels'
  if (fields.includes('hour') || !isUtc(timeZone)) return 'quarters'
  if (scope.kind === 'publisher') return 'days'
  const found = NARROW.find(([, known]) => fields.every((name) => known.has(name)))
  return found?.[0] ?? 'days'
}

const fieldsOf = ({ dimensions, filters }: Pick<Question, 'dimensions' | 'filters'>) => [
  ...(dimensions as readonly string[]),
  ...Object.keys(filters),
]

/**
 * The table of the report's totals. Quarter-hours are kept for a shorter time, so rows and totals
 * must use the same kind.
 */
export function chooseTotals(question: Question): SumsTable {
  const table = chooseTable(question)
  const isKept = table === 'quarters' || table === 'channels'
  return isKept ? table : chooseTable({ ...question, dimensions: [] })
}

export type ChannelLevel = 'CAMPAIGN' | 'ADSET' | 'AD'

/**
 * Other channels report each level separately, and levels need not add up, so one report reads one
 * level.
 */
export function levelOf(question: Pick<Question, 'dimensions' | 'filters'>): ChannelLevel {
  const fields = fieldsOf(question)
  if (fields.includes('ad') || fields.includes('adId')) return 'AD'
  return fields.includes('adSet') || fields.includes('adSetId') ? 'ADSET' : 'CAMPAIGN'
}

const OF_CHANNELS: ReadonlySet<string> = new Set([
  ...OF_ADVERTISERS,
  'channel',
  'campaign',
  'campaignId',
  'adSet',
  'adSetId',
  'ad',
  'adId',
])

/** Why a report over several channels cannot be answered. Undefined if it can. */
export function faultOfChannels(
  question: Omit<Question, 'from' | 'to' | 'sort'>,
): string | undefined {
  const fields = fieldsOf(question)
  if (!fields.includes('channel')) return undefined
  if (question.scope.kind === 'publisher') return 'Other channels belong to advertisers.'
  if (!isUtc(question.timeZone)) return 'Channels tell UTC days: ask for `timeZone` UTC.'
  const unknown = [
    ...fields.filter((name) => !OF_CHANNELS.has(name)),
    ...question.metrics.filter((name) => !TOLD.has(name)),
  ]
  return unknown.length === 0 ? undefined : `Other channels do not report: ${unknown.join(', ')}.`
}

const TOLD: ReadonlySet<string> = new Set(CHANNEL_METRICS)

const dayNumber = (day: string) => Date.parse(day) / DAY_MS
const dayOf = (number: number) => new Date(number * DAY_MS).toISOString().slice(0, 10)

export const daysIn = ({ from, to }: Pick<Question, 'from' | 'to'>): number =>
  dayNumber(to) - dayNumber(from) + 1

/** The same number of days, right before. */
export function previousPeriod(question: Pick<Question, 'from' | 'to'>) {
  const days = daysIn(question)
  return {
    from: dayOf(dayNumber(question.from) - days),
    to: dayOf(dayNumber(question.from) - 1),
    days,
  }
}

const DAYS_MAX = 800

export type QuestionFault = 'range-reversed' | 'range-too-long' | 'sort-unknown'

export function judgeQuestion(question: Question): 'fine' | QuestionFault {
  const days = daysIn(question)
  if (days < 1) return 'range-reversed'
  if (days > DAYS_MAX) return 'range-too-long'
  return judgeSort(question)
}

const FIRST_DAY = '1970-01-01'

/** For UTC days, without any other filter. */
export function areDaysInOrder(from: string, to: string): boolean {
  const days = (Date.parse(to) - Date.parse(from)) / DAY_MS + 1
  return from >= FIRST_DAY && days >= 1 && days <= DAYS_MAX
}

/** A report is sorted by its own columns. */
function judgeSort({
  dimensions,
  metrics,
  sort,
}: Pick<Question, 'dimensions' | 'metrics'> & {
  readonly sort: readonly { readonly by: string }[]
}): 'fine' | 'sort-unknown' {
  const known = new Set<string>([...dimensions, ...metrics])
  return sort.every(({ by }) => known.has(by)) ? 'fine' : 'sort-unknown'
}

import { DAY_MS } from '@placard/calendar'
import { CHANNEL_METRICS } from '@placard/contract/channels'
import type { ReportDimension, ReportMetric } from '@placard/contract/reports'

/** Whose rows may be seen: a publisher's are those of its sites. */
export interface ReportScope {
  readonly kind: 'platform' | 'advertiser' | 'publisher'
  readonly accountId: bigint
}

/** What a report asks, as the rules see it. */
export interface Question {
  readonly scope: ReportScope
  readonly dimensions: readonly ReportDimension[]
  readonly metrics: readonly ReportMetric[]
  /** Days in the zone, both included. */
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

/** The smallest table that can answer exactly. Days of other zones are made of quarters of an hour. */
export function chooseTable({ dimensions, filters, timeZone, scope }: Question): SumsTable {
  const asked = askedIn({ dimensions, filters })
  if (asked.includes('channel')) return 'channels'
  if (asked.includes('hour') || !isUtc(timeZone)) return 'quarters'
  if (scope.kind === 'publisher') return 'days'
  const found = NARROW.find(([, known]) => asked.every((name) => known.has(name)))
  return found?.[0] ?? 'days'
}

const askedIn = ({ dimensions, filters }: Pick<Question, 'dimensions' | 'filters'>) => [
  ...(dimensions as readonly string[]),
  ...Object.keys(filters),
]

/** Where the totals of a report are: quarters are kept for a shorter time, so that both must be of the same kind. */
export function chooseTotals(question: Question): SumsTable {
  const table = chooseTable(question)
  const isKept = table === 'quarters' || table === 'channels'
  return isKept ? table : chooseTable({ ...question, dimensions: [] })
}

export type ChannelLevel = 'CAMPAIGN' | 'ADSET' | 'AD'

/** Other channels tell each level apart, and theirs need not add up: one report reads one level. */
export function levelOf(question: Pick<Question, 'dimensions' | 'filters'>): ChannelLevel {
  const asked = askedIn(question)
  if (asked.includes('ad') || asked.includes('adId')) return 'AD'
  return asked.includes('adSet') || asked.includes('adSetId') ? 'ADSET' : 'CAMPAIGN'
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

/** Why a question about several channels cannot be answered; undefined if it can. */
export function faultOfChannels(
  question: Omit<Question, 'from' | 'to' | 'sort'>,
): string | undefined {
  const asked = askedIn(question)
  if (!asked.includes('channel')) return undefined
  if (question.scope.kind === 'publisher') return 'Other channels belong to advertisers.'
  if (!isUtc(question.timeZone)) return 'Channels tell UTC days: ask for `timeZone` UTC.'
  const unknown = [
    ...asked.filter((name) => !OF_CHANNELS.has(name)),
    ...question.metrics.filter((name) => !TOLD.has(name)),
  ]
  return unknown.length === 0 ? undefined : `Other channels do not tell: ${unknown.join(', ')}.`
}

const TOLD: ReadonlySet<string> = new Set(CHANNEL_METRICS)

const dayNumber = (day: string) => Date.parse(day) / DAY_MS
const dayOf = (number: number) => new Date(number * DAY_MS).toISOString().slice(0, 10)

export const daysIn = ({ from, to }: Pick<Question, 'from' | 'to'>): number =>
  dayNumber(to) - dayNumber(from) + 1

/** As many days right before. */
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

/** Of UTC days, when nothing else is asked. */
export function areDaysInOrder(from: string, to: string): boolean {
  const days = (Date.parse(to) - Date.parse(from)) / DAY_MS + 1
  return from >= FIRST_DAY && days >= 1 && days <= DAYS_MAX
}

/** A report is sorted by what it shows. */
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

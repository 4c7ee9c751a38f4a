import { DIMENSION_WORDS, METRIC_WORDS, valueWord } from '@placard/contract/report-words'
import type { ReportDimension, ReportPeriod } from '@placard/contract/reports'

/** A report's settings, as in the page's address. */
export interface ReportQuestion {
  readonly dimensions: readonly string[]
  readonly metrics: readonly string[]
  /** The metric of the chart. */
  readonly picture: string
  /** `custom` has its own days. */
  readonly period: ReportPeriod | 'custom'
  readonly from: string
  readonly to: string
  readonly isCompared: boolean
  readonly isUtc: boolean
  readonly hasAllChannels: boolean
  readonly filters: Readonly<Record<string, readonly string[]>>
}

interface Word<Value extends string = string> {
  readonly value: Value
  readonly label: string
}

export const PERIODS: readonly Word<ReportQuestion['period']>[] = [
  { value: 'today', label: 'Today' },
  { value: 'yesterday', label: 'Yesterday' },
  { value: 'today-and-6-days', label: 'Last 7 days including today' },
  { value: 'last-7-days', label: 'Last 7 days' },
  { value: 'last-30-days', label: 'Last 30 days' },
  { value: 'last-90-days', label: 'Last 90 days' },
  { value: 'this-month', label: 'This month' },
  { value: 'last-month', label: 'Last month' },
  { value: 'custom', label: 'Custom' },
]

const wordsOf = (labels: Readonly<Record<string, string>>): readonly Word[] =>
  Object.entries(labels).map(([value, label]) => ({ value, label }))

export const DIMENSIONS = wordsOf(DIMENSION_WORDS)

/** Rounded amounts are for programs that take no micros. */
const ROUNDED: ReadonlySet<string> = new Set(['spend', 'revenue'])
export const METRICS = wordsOf(METRIC_WORDS).filter(({ value }) => !ROUNDED.has(value))

export const labelOf = (words: readonly Word[], value: string) =>
  words.find((word) => word.value === value)?.label ?? value

/** The filters, with their names in the query. */
export const FILTERS: readonly (Word & { readonly dimension: string })[] = [
  ...['advertiser', 'campaign', 'adSet', 'ad', 'banner', 'placement', 'site'].map((dimension) => ({
    value: `${dimension}Id`,
    dimension,
    label: labelOf(DIMENSIONS, dimension),
  })),
  ...['channel', 'country', 'device', 'label'].map((dimension) => ({
    value: dimension,
    dimension,
    label: labelOf(DIMENSIONS, dimension),
  })),
]

const TIMES = new Set(['day', 'week', 'month', 'hour', 'budgetDay'])
const SHOWN = ['impressions', 'clicks', 'ctr', 'spendMicros', 'purchases', 'revenueMicros', 'roas']

/** In the address: no dimensions, so one row for all. */
const NOTHING = 'all'

const listIn = (text: string | undefined) => text?.split(',').filter(Boolean) ?? []

export function readQuestion(params: Readonly<Record<string, string>>): ReportQuestion {
  const by = params['by'] ?? 'campaign'
  const dimensions = by === NOTHING ? [] : [...new Set(listIn(by))]
  const shown = [...new Set(listIn(params['show']))]
  const metrics = shown.length > 0 ? shown : SHOWN
  const picture = params['picture'] ?? ''
  return {
    dimensions,
    metrics,
    picture: metrics.includes(picture) ? picture : metrics[0]!,
    period: (params['period'] as ReportQuestion['period'] | undefined) ?? 'today-and-6-days',
    from: params['from'] ?? '',
    to: params['to'] ?? '',
    isCompared: params['compare'] === 'yes',
    isUtc: params['days'] === 'utc',
    hasAllChannels: params['channels'] === 'all',
    filters: Object.fromEntries(
      FILTERS.flatMap(({ value }) => {
        const chosen = listIn(params[value])
        return chosen.length > 0 ? [[value, chosen]] : []
      }),
    ),
  }
}

/** The address of these settings. */
export const writeQuestion = (question: ReportQuestion): Record<string, string> => ({
  by: question.dimensions.join(',') || NOTHING,
  show: question.metrics.join() === SHOWN.join() ? '' : question.metrics.join(','),
  picture: question.picture,
  period: question.period,
  from: question.from,
  to: question.to,
  compare: question.isCompared ? 'yes' : '',
  days: question.isUtc ? 'utc' : '',
  channels: question.hasAllChannels ? 'all' : '',
  ...Object.fromEntries(
    FILTERS.map(({ value }) => [value, (question.filters[value] ?? []).join(',')]),
  ),
})

/** Dimensions and filters of the report, without its days. */
export function matterOf(question: ReportQuestion) {
  const filters = filtersOf(question)
  return {
    dimensions: question.dimensions,
    metrics: question.metrics,
    sort: sortOf(question),
    ...(Object.keys(filters).length > 0 && { filters }),
    ...(question.dimensions.includes('label') && { traffic: 'all' }),
  }
}

export const daysOf = ({ period, from, to }: ReportQuestion) =>
  period === 'custom' ? { from, to } : { period }

export const questionOf = (question: ReportQuestion, zone: string) => ({
  ...matterOf(question),
  ...daysOf(question),
  timeZone: question.isUtc ? 'UTC' : zone,
})

/** The same for a file, named after what its rows are. */
export const fileQuestionOf = (question: ReportQuestion, zone: string) => ({
  ...questionOf(question, zone),
  name: ['Report', ...question.dimensions.map((one) => `by ${labelOf(DIMENSIONS, one)}`)].join(' '),
  ...(question.isCompared && { compare: 'previous-period' }),
})

/** A filter on channels is what adds the others. */
const filtersOf = ({ filters, hasAllChannels }: ReportQuestion) =>
  hasAllChannels && !filters['channel'] ? { ...filters, channel: ['onsite', 'meta'] } : filters

/** Rows by time are ordered by time, all others by the chart's metric. */
function sortOf({ dimensions, picture }: ReportQuestion) {
  const [first] = dimensions
  if (first && TIMES.has(first)) return [{ by: first, direction: 'asc' }]
  return picture === 'reach' ? [] : [{ by: picture, direction: 'desc' }]
}

export type Row = Readonly<Record<string, string | number | null>> & {
  readonly currency: string
  readonly previous?: Readonly<Record<string, number | string>> | null
}

/** A row's name in one dimension. House banners run without a campaign. */
export function nameIn(row: Row, dimension: string): string {
  const name = row[`${dimension}Name`] ?? row[dimension] ?? null
  return valueWord(dimension as ReportDimension, name === null ? null : String(name))
}

/** Change as a fraction of the previous value. Undefined without one. */
export function changeOf(row: Row, metric: string): number | undefined {
  const before = Number(row.previous?.[metric] ?? 0)
  return before > 0 ? Number(row[metric]) / before - 1 : undefined
}

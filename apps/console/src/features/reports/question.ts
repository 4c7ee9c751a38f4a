import type { ReportPeriod } from '@placard/contract/reports'

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

export const DIMENSIONS: readonly Word[] = [
  { value: 'campaign', label: 'Campaign' },
  { value: 'advertiser', label: 'Advertiser' },
  { value: 'channel', label: 'Channel' },
  { value: 'adSet', label: 'Ad set' },
  { value: 'ad', label: 'Ad' },
  { value: 'banner', label: 'Banner' },
  { value: 'placement', label: 'Placement' },
  { value: 'site', label: 'Site' },
  { value: 'country', label: 'Country' },
  { value: 'device', label: 'Device' },
  { value: 'label', label: 'Traffic' },
  { value: 'hour', label: 'Hour' },
  { value: 'day', label: 'Day' },
  { value: 'week', label: 'Week' },
  { value: 'month', label: 'Month' },
  { value: 'budgetDay', label: 'Budget day' },
]

export const METRICS: readonly Word[] = [
  { value: 'impressions', label: 'Impressions' },
  { value: 'views', label: 'Viewable impressions' },
  { value: 'viewRate', label: 'Viewability' },
  { value: 'reach', label: 'Reach' },
  { value: 'clicks', label: 'Clicks' },
  { value: 'ctr', label: 'CTR' },
  { value: 'spendMicros', label: 'Spend' },
  { value: 'cpm', label: 'CPM' },
  { value: 'cpc', label: 'CPC' },
  { value: 'videoStarts', label: 'Video starts' },
  { value: 'firstQuartiles', label: 'Video first quartiles' },
  { value: 'midpoints', label: 'Video midpoints' },
  { value: 'thirdQuartiles', label: 'Video third quartiles' },
  { value: 'videoCompletes', label: 'Video completions' },
  { value: 'completionRate', label: 'Video completion rate' },
  { value: 'contentViews', label: 'Content views' },
  { value: 'costPerView', label: 'Cost per content view' },
  { value: 'addToCarts', label: 'Added to cart' },
  { value: 'checkouts', label: 'Checkouts' },
  { value: 'checkoutRate', label: 'Checkout rate' },
  { value: 'costPerCheckout', label: 'Cost per checkout' },
  { value: 'purchases', label: 'Purchases' },
  { value: 'purchaseRate', label: 'Purchase rate' },
  { value: 'conversionRate', label: 'Conversion rate' },
  { value: 'costPerPurchase', label: 'Cost per purchase' },
  { value: 'revenueMicros', label: 'Revenue' },
  { value: 'roas', label: 'ROAS' },
  { value: 'overDelivered', label: 'Over-delivery' },
]

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

const CHANNELS: Readonly<Record<string, string>> = { onsite: 'Own sites', meta: 'Meta' }
const countries = new Intl.DisplayNames('en', { type: 'region', fallback: 'code' })

const UNKNOWN = new Set(['country', 'device'])

/** A row's name in one dimension. House banners run without a campaign. */
export function nameIn(row: Row, dimension: string): string {
  const name = row[`${dimension}Name`] ?? row[dimension]
  if (name === null || name === undefined || name === '') {
    return UNKNOWN.has(dimension) ? 'Unknown' : `No ${labelOf(DIMENSIONS, dimension).toLowerCase()}`
  }
  if (dimension === 'channel') return CHANNELS[name] ?? String(name)
  if (dimension === 'country') return countries.of(String(name)) ?? String(name)
  return String(name)
}

/** Change as a fraction of the previous value. Undefined without one. */
export function changeOf(row: Row, metric: string): number | undefined {
  const before = Number(row.previous?.[metric] ?? 0)
  return before > 0 ? Number(row[metric]) / before - 1 : undefined
}

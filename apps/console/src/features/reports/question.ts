import { dayBefore } from '../../ui/format.ts'

/** What a report asks, as the address says it. */
export interface Asked {
  readonly by: string
  readonly also: string
  readonly metric: string
  readonly period: string
  readonly isCompared: boolean
}

export const PERIODS = [
  { value: '1', label: 'Today' },
  { value: '7', label: 'Last 7 days' },
  { value: '28', label: 'Last 28 days' },
  { value: '90', label: 'Last 90 days' },
]

export const DIMENSIONS = [
  { value: 'campaign', label: 'Campaign' },
  { value: 'advertiser', label: 'Advertiser' },
  { value: 'ad', label: 'Ad' },
  { value: 'banner', label: 'Banner' },
  { value: 'placement', label: 'Placement' },
  { value: 'site', label: 'Site' },
  { value: 'country', label: 'Country' },
  { value: 'device', label: 'Device' },
  { value: 'day', label: 'Day' },
  { value: 'week', label: 'Week' },
  { value: 'month', label: 'Month' },
  { value: 'hour', label: 'Hour' },
]

/** Metrics that a column can show, and a picture. */
export const METRICS = [
  { value: 'impressions', label: 'Impressions' },
  { value: 'views', label: 'Seen' },
  { value: 'clicks', label: 'Clicks' },
  { value: 'ctr', label: 'Click rate' },
  { value: 'spendMicros', label: 'Spend' },
  { value: 'purchases', label: 'Purchases' },
  { value: 'revenueMicros', label: 'Revenue' },
  { value: 'roas', label: 'Return on spend' },
]

const TIMES = new Set(['day', 'week', 'month', 'hour'])

export const readAsked = (params: Readonly<Record<string, string>>): Asked => ({
  by: params['by'] ?? 'campaign',
  also: params['also'] ?? '',
  metric: params['metric'] ?? 'impressions',
  period: params['period'] ?? '7',
  isCompared: params['compare'] === 'yes',
})

/** The days of a report that ends today. */
export const rangeOf = (period: string, today: string) => ({
  from: dayBefore(today, Number(period) - 1),
  to: today,
})

export const dimensionsOf = ({ by, also }: Asked): string[] =>
  also && also !== by ? [by, also] : [by]

/** By time, rows follow time; otherwise the most of what was asked for comes first. */
export const sortOf = ({ by, metric }: Asked) =>
  TIMES.has(by) ? [{ by, direction: 'asc' }] : [{ by: metric, direction: 'desc' }]

export type Row = Readonly<Record<string, string | number | null>> & {
  readonly currency: string
  readonly previous?: Readonly<Record<string, number | string>> | null
}

/** What a row is called in one dimension: banners of the house run without a campaign. */
export function nameIn(row: Row, dimension: string): string {
  const name = row[`${dimension}Name`] ?? row[dimension]
  if (name !== null && name !== undefined && name !== '') return String(name)
  return dimension === 'country' || dimension === 'device' ? 'Unknown' : 'None'
}

/** How much more than before, as a fraction; undefined where there was nothing. */
export function changeOf(row: Row, metric: string): number | undefined {
  const before = Number(row.previous?.[metric] ?? 0)
  return before > 0 ? Number(row[metric]) / before - 1 : undefined
}

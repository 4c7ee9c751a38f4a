import type { ReportMetric } from '@placard/contract/reports'

/**
 * The metrics. Counts are added up first and divided after, in rows, totals and summaries alike.
 * Ratios are never averaged. Percentages and money have 2 decimals, return on spend has 4.
 */

/**
 * Everything that can be added up. Conversions are in ten-thousandths, because one may be shared.
 * Money is as charged.
 */
export interface Sums {
  readonly impressions: bigint
  readonly views: bigint
  readonly clicks: bigint
  readonly overDelivered: bigint
  readonly chargedMillis: bigint
  readonly contentViews: bigint
  readonly addToCarts: bigint
  readonly checkouts: bigint
  readonly purchases: bigint
  /** Micros times ten thousand. */
  readonly revenue: bigint
  readonly videoStarts: bigint
  readonly firstQuartiles: bigint
  readonly midpoints: bigint
  readonly thirdQuartiles: bigint
  readonly videoCompletes: bigint
  /** Different readers. Not added up: counted separately if the report asks for it. */
  readonly reach?: number
}

export const SUM_NAMES = [
  'impressions',
  'views',
  'clicks',
  'overDelivered',
  'chargedMillis',
  'contentViews',
  'addToCarts',
  'checkouts',
  'purchases',
  'revenue',
  'videoStarts',
  'firstQuartiles',
  'midpoints',
  'thirdQuartiles',
  'videoCompletes',
] as const satisfies readonly (keyof Sums)[]
export type SumName = (typeof SUM_NAMES)[number]

const SHARES = 10_000
const MICROS = 1_000_000
const MILLIS = 1_000n

/** Zero divided by zero is zero. */
export const safeDivide = (part: number, whole: number): number => (whole === 0 ? 0 : part / whole)

export const rounded = (value: number, decimals: number): number =>
  Math.round((value + Number.EPSILON) * 10 ** decimals) / 10 ** decimals

const percent = (part: number, whole: number) => rounded(safeDivide(part, whole) * 100, 2)
const money = (micros: number) => rounded(micros / MICROS, 2)
const count = (shares: bigint) => rounded(Number(shares) / SHARES, 4)
const conversions = (shares: bigint) => Number(shares) / SHARES

/** Rounded down, as in the ledger: the part below one micro is not spent yet. */
const spendMicros = ({ chargedMillis }: Sums): bigint => chargedMillis / MILLIS
const revenueMicros = ({ revenue }: Sums): bigint => revenue / BigInt(SHARES)

/** Before rounding to micros, so that a CPM is as exact as possible. */
const spent = ({ chargedMillis }: Sums): number => Number(chargedMillis) / 1_000

interface MetricRule {
  readonly of: (sums: Sums) => number | string
  /** What to sort by: a sum, or one sum divided by another. Empty: cannot be sorted by. */
  readonly order: readonly [] | readonly [SumName] | readonly [SumName, SumName]
}

/** Every metric, by its name in the API. */
export const METRICS: Readonly<Record<ReportMetric, MetricRule>> = {
  impressions: { of: (sums) => Number(sums.impressions), order: ['impressions'] },
  reach: { of: (sums) => sums.reach ?? 0, order: [] },
  views: { of: (sums) => Number(sums.views), order: ['views'] },
  clicks: { of: (sums) => Number(sums.clicks), order: ['clicks'] },
  overDelivered: { of: (sums) => Number(sums.overDelivered), order: ['overDelivered'] },
  videoStarts: { of: (sums) => Number(sums.videoStarts), order: ['videoStarts'] },
  firstQuartiles: { of: (sums) => Number(sums.firstQuartiles), order: ['firstQuartiles'] },
  midpoints: { of: (sums) => Number(sums.midpoints), order: ['midpoints'] },
  thirdQuartiles: { of: (sums) => Number(sums.thirdQuartiles), order: ['thirdQuartiles'] },
  videoCompletes: { of: (sums) => Number(sums.videoCompletes), order: ['videoCompletes'] },
  completionRate: {
    of: (sums) => percent(Number(sums.videoCompletes), Number(sums.videoStarts)),
    order: ['videoCompletes', 'videoStarts'],
  },
  contentViews: { of: (sums) => count(sums.contentViews), order: ['contentViews'] },
  addToCarts: { of: (sums) => count(sums.addToCarts), order: ['addToCarts'] },
  checkouts: { of: (sums) => count(sums.checkouts), order: ['checkouts'] },
  purchases: { of: (sums) => count(sums.purchases), order: ['purchases'] },
  spend: { of: (sums) => money(Number(spendMicros(sums))), order: ['chargedMillis'] },
  spendMicros: { of: (sums) => String(spendMicros(sums)), order: ['chargedMillis'] },
  revenue: { of: (sums) => money(Number(revenueMicros(sums))), order: ['revenue'] },
  revenueMicros: { of: (sums) => String(revenueMicros(sums)), order: ['revenue'] },
  ctr: {
    of: (sums) => percent(Number(sums.clicks), Number(sums.impressions)),
    order: ['clicks', 'impressions'],
  },
  viewRate: {
    of: (sums) => percent(Number(sums.views), Number(sums.impressions)),
    order: ['views', 'impressions'],
  },
  cpc: {
    of: (sums) => money(safeDivide(spent(sums), Number(sums.clicks))),
    order: ['chargedMillis', 'clicks'],
  },
  cpm: {
    of: (sums) => money(safeDivide(spent(sums), Number(sums.impressions)) * 1_000),
    order: ['chargedMillis', 'impressions'],
  },
  checkoutRate: {
    of: (sums) => percent(Number(sums.checkouts), Number(sums.contentViews)),
    order: ['checkouts', 'contentViews'],
  },
  purchaseRate: {
    of: (sums) => percent(Number(sums.purchases), Number(sums.checkouts)),
    order: ['purchases', 'checkouts'],
  },
  conversionRate: {
    of: (sums) => percent(Number(sums.purchases), Number(sums.contentViews)),
    order: ['purchases', 'contentViews'],
  },
  costPerView: {
    of: (sums) => money(safeDivide(spent(sums), conversions(sums.contentViews))),
    order: ['chargedMillis', 'contentViews'],
  },
  costPerCheckout: {
    of: (sums) => money(safeDivide(spent(sums), conversions(sums.checkouts))),
    order: ['chargedMillis', 'checkouts'],
  },
  costPerPurchase: {
    of: (sums) => money(safeDivide(spent(sums), conversions(sums.purchases))),
    order: ['chargedMillis', 'purchases'],
  },
  roas: {
    of: (sums) => rounded(safeDivide(Number(revenueMicros(sums)), Number(spendMicros(sums))), 4),
    order: ['revenue', 'chargedMillis'],
  },
}

export type Figures = Readonly<Record<string, number | string>>

export const deriveMetrics = (sums: Sums, names: readonly ReportMetric[]): Figures =>
  Object.fromEntries(names.map((name) => [name, METRICS[name].of(sums)]))

export const NO_SUMS: Sums = Object.fromEntries(SUM_NAMES.map((name) => [name, 0n])) as never

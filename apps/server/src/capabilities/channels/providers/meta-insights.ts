import { daysFrom, type Level, type StatCounts, type StatEntity } from './stat.ts'

/** The fields of a Graph API insights row that we read. */
export interface Insight {
  readonly campaign_id?: string
  readonly adset_id?: string
  readonly ad_id?: string
  readonly date_start: string
  readonly spend?: string
  readonly impressions?: string
  readonly inline_link_clicks?: string
  readonly actions?: readonly Action[]
  readonly action_values?: readonly Action[]
  readonly account_currency?: string
}

interface Action {
  readonly action_type: string
  readonly value: string
}

export const LEVEL_WORDS: Readonly<Record<Level, 'campaign' | 'adset' | 'ad'>> = {
  CAMPAIGN: 'campaign',
  ADSET: 'adset',
  AD: 'ad',
}

export const INSIGHT_FIELDS =
  'campaign_id,adset_id,ad_id,date_start,date_stop,account_currency,spend,impressions,inline_link_clicks,actions,action_values'

/**
 * `omni_…` counts each conversion once, wherever it happened. Without it, the pixel's own count is
 * used.
 */
const ACTIONS = {
  contentViews: ['omni_view_content', 'view_content', 'offsite_conversion.fb_pixel_view_content'],
  addToCart: ['omni_add_to_cart', 'add_to_cart', 'offsite_conversion.fb_pixel_add_to_cart'],
  checkoutInitiated: [
    'omni_initiated_checkout',
    'initiate_checkout',
    'offsite_conversion.fb_pixel_initiate_checkout',
  ],
  purchases: ['omni_purchase', 'purchase', 'offsite_conversion.fb_pixel_purchase'],
} as const

export function countsOfInsight(insight: Insight): StatCounts {
  const { actions = [], action_values: values = [] } = insight
  return {
    spendMicros: microsOf(insight.spend),
    impressions: wholeOf(insight.impressions),
    linkClicks: wholeOf(insight.inline_link_clicks),
    contentViews: wholeOf(firstOf(actions, ACTIONS.contentViews)),
    addToCart: wholeOf(firstOf(actions, ACTIONS.addToCart)),
    checkoutInitiated: wholeOf(firstOf(actions, ACTIONS.checkoutInitiated)),
    purchases: wholeOf(firstOf(actions, ACTIONS.purchases)),
    purchaseValueMicros: microsOf(firstOf(values, ACTIONS.purchases)),
  }
}

function firstOf(actions: readonly Action[], types: readonly string[]): string | undefined {
  for (const type of types) {
    const found = actions.find(({ action_type }) => action_type === type)
    if (found) return found.value
  }
  return undefined
}

const wholeOf = (text: string | undefined): number => {
  const value = Math.round(Number(text ?? 0))
  return Number.isSafeInteger(value) && value > 0 ? value : 0
}

/** Decimal text to micros without floating point. */
export function microsOf(text: string | undefined): bigint {
  const [, whole, fraction = ''] = /^(\d{1,12})(?:\.(\d+))?$/.exec(text ?? '0') ?? []
  if (whole === undefined) return 0n
  return BigInt(whole) * 1_000_000n + BigInt(fraction.slice(0, 6).padEnd(6, '0'))
}

const idOf = (insight: Insight, level: Level): string | undefined =>
  ({ CAMPAIGN: insight.campaign_id, ADSET: insight.adset_id, AD: insight.ad_id })[level]

export interface EntityDay {
  readonly entity: StatEntity
  readonly day: string
  readonly counts: StatCounts
}

/** Insights list only days with delivery. All other days become zero. */
export function matchInsights(
  insights: readonly Insight[],
  requested: { level: Level; entities: readonly StatEntity[]; from: string; to: string },
): readonly EntityDay[] {
  const found = new Map(
    insights.map((insight) => [`${idOf(insight, requested.level)} ${insight.date_start}`, insight]),
  )
  return requested.entities
    .filter(({ externalId }) => externalId !== undefined)
    .flatMap((entity) =>
      daysFrom(requested.from, requested.to).map((day) => ({
        entity,
        day,
        counts: countsOfInsight(found.get(`${entity.externalId} ${day}`) ?? { date_start: day }),
      })),
    )
}

interface Usage {
  readonly call_count?: number
  readonly total_cputime?: number
  readonly total_time?: number
  readonly acc_id_util_pct?: number
  readonly estimated_time_to_regain_access?: number
}

const BUSY_PERCENT = 75
const REST_MINUTES_MAX = 24 * 60

/** Minutes to pause, by the headers that report how much of the rate limit is used. */
export function pauseMinutes(headers: Readonly<Record<string, unknown>>): number {
  const usages = [
    ...usagesIn(headers['x-app-usage']),
    ...usagesIn(headers['x-ad-account-usage']),
    ...usagesIn(headers['x-business-use-case-usage']),
  ]
  const regained = Math.max(0, ...usages.map((usage) => usage.estimated_time_to_regain_access ?? 0))
  if (regained > 0) return Math.min(regained, REST_MINUTES_MAX)
  const percent = Math.max(
    0,
    ...usages.flatMap(({ call_count, total_cputime, total_time, acc_id_util_pct }) =>
      [call_count, total_cputime, total_time, acc_id_util_pct].map((value) => value ?? 0),
    ),
  )
  if (percent < BUSY_PERCENT) return 0
  return percent >= 95 ? 60 : 30
}

/** One object of figures, or lists of them by business. */
function usagesIn(header: unknown): readonly Usage[] {
  if (typeof header !== 'string') return []
  try {
    const parsed = JSON.parse(header) as Record<string, unknown>
    const lists = Object.values(parsed).filter((value) => Array.isArray(value))
    return lists.length > 0 ? (lists.flat() as Usage[]) : [parsed]
  } catch {
    return []
  }
}

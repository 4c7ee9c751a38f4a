import { DAY_MS } from '@placard/calendar'
import { rounded, safeDivide } from '../../reports/index.ts'

export type ProviderName = 'mock' | 'onsite' | 'meta'
export type AdSource = 'META' | 'ONSITE'

export const LEVELS = ['CAMPAIGN', 'ADSET', 'AD'] as const
export type Level = (typeof LEVELS)[number]

/** State of the syncs of one level of a connection. */
export interface LevelHealth {
  readonly syncedAt: string | null
  readonly failingSince: string | null
  readonly failure: string | null
}

/** Everything that is added up. Money in micros, counts whole. */
export interface StatCounts {
  readonly spendMicros: bigint
  readonly impressions: number
  readonly linkClicks: number
  readonly contentViews: number
  readonly addToCart: number
  readonly checkoutInitiated: number
  readonly purchases: number
  readonly purchaseValueMicros: bigint
}

/** Figures derived from the counts. Rates are fractions, amounts are in the currency. */
export interface DerivedStats {
  readonly cpm: number
  readonly ctr: number
  readonly cpc: number
  readonly costPerPurchase: number
  readonly roas: number
}

/** One thing on one day, as a provider reports it. */
export interface RawStatRow extends StatCounts, DerivedStats {
  readonly advertiserId: string
  readonly entityType: Level
  readonly entityId: string
  readonly externalEntityId: string
  readonly fetchedAt: Date
  readonly dateStart: string
  readonly dateStop: string
}

/** A campaign, ad set or ad to request figures for. */
export interface StatEntity {
  readonly id: string
  readonly externalId: string | undefined
  readonly budget: EntityBudget
}

/** The campaign's money, and the number of its ad sets or of the ad set's ads. */
export interface EntityBudget {
  readonly dailyMicros: bigint | undefined
  readonly totalMicros: bigint | undefined
  readonly adSets: number
  readonly ads: number
}

export interface StatRequest {
  readonly advertiserId: string
  readonly level: Level
  readonly entities: readonly StatEntity[]
  /** UTC days, both inclusive. */
  readonly from: string
  readonly to: string
  readonly fetchedAt: Date
  readonly account: ChannelAccount
  readonly signal: AbortSignal
}

/** The ad account at the platform. */
export interface ChannelAccount {
  readonly externalId: string | undefined
  readonly credentials: string | undefined
  readonly currency: string
}

export interface StatAnswer {
  readonly rows: readonly RawStatRow[]
  /** Until then, the platform wants no calls. */
  readonly restsUntil?: Date | undefined
}

/** A source of figures. */
export interface StatProvider {
  readonly adSource: AdSource
  /**
   * `latest`: each answer has the whole day, and the last one counts. `sum`: each answer has only
   * what is new.
   */
  readonly days: 'latest' | 'sum'
  readonly everyMinutes: number
  fetchStats(request: StatRequest): Promise<StatAnswer>
}

const MICROS = 1_000_000
const amountOf = (micros: bigint) => Number(micros) / MICROS

export function deriveStats(counts: StatCounts): DerivedStats {
  const spend = amountOf(counts.spendMicros)
  return {
    cpm: rounded(safeDivide(spend, counts.impressions) * 1_000, 4),
    ctr: rounded(safeDivide(counts.linkClicks, counts.impressions), 4),
    cpc: rounded(safeDivide(spend, counts.linkClicks), 4),
    costPerPurchase: rounded(safeDivide(spend, counts.purchases), 2),
    roas: rounded(safeDivide(amountOf(counts.purchaseValueMicros), spend), 4),
  }
}

/** Conversion rates of a sellpage's funnel, as fractions. */
export function deriveSellpageStats(counts: StatCounts) {
  const { impressions, linkClicks, contentViews, purchases } = counts
  return {
    ...deriveStats(counts),
    cr1: rounded(safeDivide(linkClicks, impressions), 4),
    cr2: rounded(safeDivide(purchases, linkClicks), 4),
    cr3: rounded(safeDivide(purchases, contentViews), 4),
  }
}

/** The row of one thing on one day, with its derived figures. */
export function statRow(
  { advertiserId, level, fetchedAt }: StatRequest,
  reported: { readonly entity: StatEntity; readonly day: string; readonly counts: StatCounts },
): RawStatRow {
  const { entity, day, counts } = reported
  return {
    advertiserId,
    entityType: level,
    entityId: entity.id,
    externalEntityId: entity.externalId ?? entity.id,
    fetchedAt,
    dateStart: day,
    dateStop: day,
    ...counts,
    ...deriveStats(counts),
  }
}

export const dayOf = (instant: Date): string => instant.toISOString().slice(0, 10)

export const daysAfter = (day: string, days: number): string =>
  dayOf(new Date(Date.parse(day) + days * DAY_MS))

/** Every day from the first to the last. */
export function daysFrom(from: string, to: string): readonly string[] {
  const count = Math.max(0, (Date.parse(to) - Date.parse(from)) / DAY_MS + 1)
  return Array.from({ length: count }, (_, i) => daysAfter(from, i))
}

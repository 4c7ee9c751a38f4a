import type { RuleType } from '@placard/contract/targeting'
import type { RuleInShort } from '@placard/contract/targeting-words'
import type { Window } from '@placard/contract/frequency'
import type { Static } from 'typebox'
import type { BannerKey } from './banners.ts'
import type { AdvertiserKey } from './buyers.ts'
import type { PlacementKey } from './sellers.ts'

export interface DemoCap {
  readonly maxImpressionsPerUser: number
  readonly window: Static<typeof Window>
}

/** A banner booked on a placement. */
export interface Booking {
  readonly banner: BannerKey
  readonly weight?: number
  readonly isFallback?: boolean
  readonly overrideHeadline?: string
}

export interface DemoCampaign {
  readonly name: string
  readonly advertiser: AdvertiserKey
  readonly state: 'draft' | 'scheduled' | 'active' | 'paused' | 'ended' | 'cancelled'
  /** Start and end, in days from now. */
  readonly days?: readonly [start: number | null, end: number | null]
  readonly description?: string
  readonly source?: 'internal' | 'sponsored' | 'affiliate'
  readonly objective?: 'awareness' | 'traffic' | 'engagement' | 'conversions' | 'sales'
  readonly pricing?: 'cpm' | 'cpc'
  readonly pacingStrategy?: 'Smooth' | 'Accelerated'
  readonly maxBidMicros?: bigint
  readonly targetCpaMicros?: bigint
  readonly budgetDailyMicros?: bigint
  readonly budgetTotalMicros?: bigint
  readonly impressionCap?: number
  readonly clickCap?: number
  readonly priority?: number
  readonly contractRef?: string
  /** Ad sets by name. Each ad is a banner and its bid in micros. */
  readonly adSets?: Readonly<Record<string, Readonly<Partial<Record<BannerKey, bigint>>>>>
  /** Placements where its ads bid. */
  readonly bidsOn?: readonly PlacementKey[]
  /** Placements where banners are booked. */
  readonly booked?: Readonly<Partial<Record<PlacementKey, readonly Booking[]>>>
  readonly rules?: readonly RuleInShort[]
  /** Runs only on pages that suit its advertiser, not on the whole site. */
  readonly onRelevantPages?: boolean
  /** Also runs on pages that are not classified yet. */
  readonly onUnknownPages?: boolean
  readonly cap?: DemoCap
  /** Cap for each of its ads. */
  readonly adCap?: DemoCap
}

export const rule = (
  ruleType: RuleType,
  operator: string,
  value: RuleInShort['value'],
): RuleInShort => ({ ruleType, operator, value })

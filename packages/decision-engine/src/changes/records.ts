/**
 * The rows of the catalogue as the index takes them. Every `key` is the caller's safe integer (a
 * database identity); the engine returns the same keys in a decision and never invents one. Money is
 * whole micros, a number below 2^53; the engine checks it once, when a row is put.
 */
import type { TargetingReason } from '../explain/reasons.ts'

export type Pricing = 'cpm' | 'cpc'
export type CampaignStatus = 'draft' | 'scheduled' | 'active' | 'paused' | 'ended' | 'cancelled'
export type ScheduleStatus = 'evergreen' | 'scheduled' | 'active' | 'expired' | 'draft'
export type PlacementMode = 'direct' | 'auction' | 'hybrid'
export type FrequencyWindow = 'Hour' | 'Day' | 'Week' | 'Month' | 'Lifetime'
export type CapScope = 'ad' | 'campaign' | 'advertiser'

export interface Site {
  readonly key: number
  readonly approvalRequired: boolean
}

export interface Placement {
  readonly key: number
  readonly slug: string
  readonly type: string
  /** The publisher that sells the placement. */
  readonly publisherKey?: number | undefined
  readonly siteKey?: number | undefined
  readonly mode: PlacementMode
  readonly active: boolean
  readonly maxBanners: number
  readonly allowPartialRender: boolean
  readonly rotation: 'ordered' | 'weighted'
  /** CPM. The engine's default reserve and the request's floor can only raise it. */
  readonly floorMicros: number
  /** Time zone of hour-of-day and day-of-week rules. */
  readonly timeZone: string
  readonly currency?: string | undefined
  readonly width?: number | undefined
  readonly height?: number | undefined
  /** Accepted sizes such as `300x250`. Empty: any size. */
  readonly sizes?: readonly string[] | undefined
  /** Accepted banner formats. Empty: any format. */
  readonly formats?: readonly string[] | undefined
}

export interface Campaign {
  readonly key: number
  readonly advertiserKey: number
  readonly status: CampaignStatus
  readonly startsAtMs?: number | undefined
  readonly endsAtMs?: number | undefined
  readonly pricing: Pricing
  readonly currency?: string | undefined
  /** Maximum of the effective bid. Without one, each ad's own bid is its maximum. */
  readonly bidMicrosMax?: number | undefined
  readonly bidMultiplier: number
  /** What a conversion may cost on average. Only for campaigns that pay per click. */
  readonly targetMicros?: number | undefined
  /** The campaign allows bids of up to twice the maximum. */
  readonly mayExceedMax: boolean
  /** Rate of a direct booking, in the unit of `pricing`. 0 for house campaigns. */
  readonly rateMicros: number
  readonly priority: number
  /** The campaign runs on pages with at least one of these categories. Empty: on all pages. */
  readonly categories?: readonly string[] | undefined
  /** A campaign with categories also runs on pages that are not classified. */
  readonly runsOnUnknownPages?: boolean | undefined
  /** The advertised product. A banner may name one too; a site can block either. */
  readonly adProductCategory?: string | undefined
  /** A page shows no two ads of campaigns that share a label. */
  readonly exclusionLabels?: readonly string[] | undefined
  readonly impressionCapReached: boolean
  readonly clickCapReached: boolean
}

/** A campaign is booked on a placement. */
export interface CampaignPlacement {
  readonly campaignKey: number
  readonly placementKey: number
  readonly active: boolean
}

/** A banner in a campaign with its bid: a candidate of the auction. */
export interface Ad {
  readonly key: number
  readonly campaignKey: number
  readonly bannerKey: number
  readonly active: boolean
  readonly bidMicros: number
  /** e^(ad term) of the click model. 1: the click rate of the context. */
  readonly ctrOdds?: number | undefined
  /** Used instead of the scorer's quality for the banner's format. */
  readonly quality?: number | undefined
}

export interface Banner {
  readonly key: number
  readonly advertiserKey: number
  readonly format: string
  readonly sizes?: readonly string[] | undefined
  readonly active: boolean
  readonly scheduleStatus: ScheduleStatus
  readonly publishAtMs?: number | undefined
  readonly expiresAtMs?: number | undefined
  readonly timeZone: string
  readonly recurrenceRule?: string | undefined
  /** `HH:MM:SS` in the banner's zone. Both or neither. */
  readonly windowStart?: string | undefined
  readonly windowEnd?: string | undefined
  readonly adProductCategory?: string | undefined
  readonly evergreenFallback: boolean
  /** An evergreen banner of this publisher; without one, of the platform. */
  readonly housePublisherKey?: number | undefined
  readonly priority: number
}

/** A direct booking: a campaign's banner on a placement. */
export interface Assignment {
  readonly key: number
  readonly campaignKey: number
  readonly placementKey: number
  readonly bannerKey: number
  readonly active: boolean
  readonly displayOrder: number
  readonly weight: number
  readonly isFallback: boolean
  readonly fallbackPriority?: number | undefined
}

/** Targeting rejects for these reasons, and for the page's category. */
export type RuleType = Exclude<TargetingReason, 'category'>

export type RuleOperator = 'in' | 'not_in' | 'contains_all' | 'eq' | 'between' | 'ends_with'

export type RuleValue =
  | { readonly values: readonly (string | number)[] }
  | { readonly value: string | boolean }
  | { readonly from: number; readonly to: number }

export interface TargetingRule {
  readonly key: number
  readonly campaignKey: number
  readonly type: RuleType
  readonly operator: RuleOperator
  readonly value: RuleValue
  readonly active: boolean
}

export interface FrequencyCap {
  readonly key: number
  readonly scope: CapScope
  readonly scopeKey: number
  readonly impressionsMax: number
  readonly window: FrequencyWindow
}

/** The site shows no ad of this advertiser. */
export interface AdvertiserBlock {
  readonly siteKey: number
  readonly advertiserKey: number
}

/** The site shows no ad for this ad product. */
export interface AdProductBlock {
  readonly siteKey: number
  readonly category: string
}

/** The site's publisher has approved this banner. */
export interface Approval {
  readonly siteKey: number
  readonly bannerKey: number
}

/**
 * Why a campaign may not spend now. A parked campaign leaves the candidate lists, so exhausted
 * campaigns cost a decision nothing. The live budget gate judges all others.
 */
export interface CampaignSpendVerdict {
  readonly campaignKey: number
  readonly verdict: SpendVerdict
}

/** e^(ad term) of the click model, for an ad whose row has no `ctrOdds`. */
export interface ClickOdds {
  readonly adKey: number
  readonly odds: number
}

/** e^(ad term) of the conversion model: how much likelier a click on this ad converts. */
export interface ConversionOdds {
  readonly adKey: number
  readonly odds: number
}

/** A bid agent's change to a campaign's bids. Takes precedence over the multiplier in the row. */
export interface BidMultiplier {
  readonly campaignKey: number
  /** Undefined: the multiplier in the row. */
  readonly multiplier: number | undefined
  /** Multiplies the rank of the bids, not their price. Default 1. */
  readonly lift?: number | undefined
  /**
   * The multiplier is applied to the campaign's target instead of its bids: a click is worth
   * target × multiplier × predicted conversion rate, at most the maximum bid.
   */
  readonly byTarget?: boolean | undefined
}

export type SpendVerdict = 'may-spend' | 'exhausted' | 'ahead-of-plan'

export type Change =
  | { readonly put: 'site'; readonly record: Site }
  | { readonly put: 'placement'; readonly record: Placement }
  | { readonly put: 'campaign'; readonly record: Campaign }
  | { readonly put: 'campaign-placement'; readonly record: CampaignPlacement }
  | { readonly put: 'ad'; readonly record: Ad }
  | { readonly put: 'banner'; readonly record: Banner }
  | { readonly put: 'assignment'; readonly record: Assignment }
  | { readonly put: 'rule'; readonly record: TargetingRule }
  | { readonly put: 'cap'; readonly record: FrequencyCap }
  | { readonly put: 'advertiser-block'; readonly record: AdvertiserBlock }
  | { readonly put: 'ad-product-block'; readonly record: AdProductBlock }
  | { readonly put: 'approval'; readonly record: Approval }
  | { readonly put: 'spend-verdict'; readonly record: CampaignSpendVerdict }
  | { readonly put: 'click-odds'; readonly record: ClickOdds }
  | { readonly put: 'conversion-odds'; readonly record: ConversionOdds }
  | { readonly put: 'bid-multiplier'; readonly record: BidMultiplier }
  | {
      readonly remove: 'site' | 'placement' | 'campaign' | 'ad' | 'banner' | 'assignment' | 'cap'
      readonly key: number
    }
  | { readonly remove: 'rule'; readonly record: Pick<TargetingRule, 'key' | 'campaignKey'> }
  | {
      readonly remove: 'campaign-placement'
      readonly record: Pick<CampaignPlacement, 'campaignKey' | 'placementKey'>
    }
  | { readonly remove: 'advertiser-block'; readonly record: AdvertiserBlock }
  | { readonly remove: 'ad-product-block'; readonly record: AdProductBlock }
  | { readonly remove: 'approval'; readonly record: Approval }

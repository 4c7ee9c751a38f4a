/**
 * What the catalogue feeds into the index, row by row. Every `key` is the caller's own safe integer
 * (a database identity); the engine never invents one and gives the same keys back in a decision.
 * Money is whole micros as a number below 2^53, checked once when the row is put.
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
  /** Who sells it. */
  readonly publisherKey?: number | undefined
  readonly siteKey?: number | undefined
  readonly mode: PlacementMode
  readonly active: boolean
  readonly maxBanners: number
  readonly allowPartialRender: boolean
  readonly rotation: 'ordered' | 'weighted'
  /** A CPM amount; the engine's reserve and the request's floor can only raise it. */
  readonly floorMicros: number
  /** The zone of hour-of-day and day-of-week rules. */
  readonly timeZone: string
  readonly currency?: string | undefined
  readonly width?: number | undefined
  readonly height?: number | undefined
  /** Accepted sizes such as `300x250`; none means any. */
  readonly sizes?: readonly string[] | undefined
  /** Accepted banner formats; none means any. */
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
  /** The most an effective bid may be; without one, each ad's own bid is its maximum. */
  readonly bidMicrosMax?: number | undefined
  readonly bidMultiplier: number
  /** The campaign opted in to bids above the maximum, up to twice of it. */
  readonly mayExceedMax: boolean
  /** What a direct booking pays, in the unit of `pricing`; 0 for house campaigns. */
  readonly rateMicros: number
  readonly priority: number
  /** Page categories the campaign wants, any of them; none means all pages. */
  readonly categories?: readonly string[] | undefined
  /** A campaign that wants categories is also shown on pages whose categories nobody knows. */
  readonly runsOnUnknownPages?: boolean | undefined
  /** What it advertises; its banners may say it too, and either can be blocked. */
  readonly adProductCategory?: string | undefined
  readonly impressionCapReached: boolean
  readonly clickCapReached: boolean
}

/** A campaign runs on a placement. */
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
  /** e^(ad term) of the click model: 1 says "as the context predicts". */
  readonly ctrOdds?: number | undefined
  /** Replaces the scorer's quality of the banner's format. */
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
  /** `HH:MM:SS` in the banner's zone; both or none. */
  readonly windowStart?: string | undefined
  readonly windowEnd?: string | undefined
  readonly adProductCategory?: string | undefined
  readonly evergreenFallback: boolean
  /** An evergreen of this publisher's house; without one, of the platform's. */
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

/** Targeting rejects by these, and by the page's category. */
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

/** A site shows no ad of this advertiser. */
export interface AdvertiserBlock {
  readonly siteKey: number
  readonly advertiserKey: number
}

/** A site shows no banner of this ad-product category. */
export interface AdProductBlock {
  readonly siteKey: number
  readonly category: string
}

/** A site's publisher has accepted this banner. */
export interface Approval {
  readonly siteKey: number
  readonly bannerKey: number
}

/**
 * Why a campaign is known not to spend for a while. A parked campaign leaves the candidate lists, so
 * that exhausted campaigns cost a decision nothing; the live budget gate stays the judge of the rest.
 */
export interface CampaignSpendVerdict {
  readonly campaignKey: number
  readonly verdict: SpendVerdict
}

/** e^(ad term) of the click model, for an ad whose row says nothing of it. */
export interface ClickOdds {
  readonly adKey: number
  readonly odds: number
}

/** What a bid agent makes of a campaign's bids; comes before the row's own multiplier. */
export interface BidMultiplier {
  readonly campaignKey: number
  /** Undefined: the row's own. */
  readonly multiplier: number | undefined
  /** Ranks bids so many times higher than what they pay; 1 unless told. */
  readonly lift?: number | undefined
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

import type {
  CampaignStatus,
  FrequencyWindow,
  PacingStrategy,
  PlacementMode,
  Pricing,
  RuleOperator,
  RuleType,
  RuleValue,
  ScheduleStatus,
} from '@placard/decision-engine'
import type { AdVerification, VideoFile } from '../../creatives/index.ts'

/** Rows of the catalogue as read from the database, by the table name that the change feed uses. */
export interface TableRows {
  advertisers: AdvertiserRow
  sites: SiteRow
  placements: PlacementRow
  campaigns: CampaignRow
  ads: AdRow
  banners: BannerRow
  campaign_placements: LinkRow
  banner_assignments: AssignmentRow
  campaign_targeting_rules: RuleRow
  frequency_caps: CapRow
  advertiser_site_blocks: { readonly siteKey: number }
  site_ad_product_blocks: { readonly category: string }
  creative_approvals: { readonly siteKey: number; readonly bannerKey: number }
}

export type TableName = keyof TableRows
export type TableRow<Table extends TableName> = TableRows[Table] & {
  readonly unit: number
  readonly stamp: number
}

interface AdvertiserRow {
  readonly publicId: string
  readonly name: string
  readonly domain: string | null
  readonly timeZone: string
  readonly dailyMicros: number | null
}

/** Pacing fields of a site. All are optional. */
export interface PacingFields {
  readonly dayDurationSeconds?: number
  readonly weekdayVolumes?: readonly number[]
  readonly weekendVolumes?: readonly number[]
  readonly warmupMode?: boolean
  readonly testThrottleOverride?: number | null
}

interface SiteRow {
  readonly publicId: string
  /** The publisher's account. */
  readonly accountKey: number
  readonly domain: string
  readonly approvalRequired: boolean
  readonly pacing: PacingFields
  readonly isActive: boolean
  /** The publisher has shown that the domain is its own. */
  readonly isProven: boolean
  readonly timeZone: string
}

interface PlacementRow {
  readonly publicId: string
  readonly slug: string
  readonly type: string
  readonly layoutType: string
  readonly mode: PlacementMode
  readonly rotation: 'ordered' | 'weighted'
  readonly maxBanners: number
  readonly recommendedWidth: number | null
  readonly recommendedHeight: number | null
  readonly recommendedAspectRatio: string | null
  readonly formats: readonly string[]
  readonly floorMicros: number
  readonly timeZone: string
  readonly isActive: boolean
  readonly placeholderUrl: string | null
  readonly allowPartialRender: boolean
  readonly currency: string
  readonly siteKey: number | null
  readonly publisherKey: number
  /** The publisher's account. */
  readonly accountKey: number
  readonly slotWidth: number | null
  readonly slotHeight: number | null
}

interface CampaignRow {
  readonly publicId: string
  readonly advertiserKey: number
  readonly status: CampaignStatus
  readonly source: string
  readonly isHouse: boolean
  readonly contractRef: string | null
  readonly pricing: Pricing
  readonly currency: string
  readonly maxBidMicros: number
  readonly mayExceedMax: boolean
  readonly targetMicros: number | null
  readonly strategy: PacingStrategy
  readonly priority: number
  readonly categories: readonly string[]
  readonly exclusionLabels: readonly string[]
  readonly runsOnUnknownPages: boolean
  readonly adProductCategory: string | null
  readonly startsAtMs: number | null
  readonly endsAtMs: number | null
  readonly totalMicros: number | null
  readonly dailyMicros: number | null
  readonly impressionCapReached: boolean
  readonly clickCapReached: boolean
}

interface AdRow {
  readonly publicId: string
  readonly campaignKey: number
  readonly bannerKey: number
  readonly bidMicros: number
  readonly isActive: boolean
}

interface BannerRow {
  readonly publicId: string
  readonly advertiserKey: number
  readonly format: string
  readonly isActive: boolean
  readonly scheduleStatus: ScheduleStatus
  readonly timeZone: string
  readonly recurrenceRule: string | null
  readonly windowStart: string | null
  readonly windowEnd: string | null
  readonly publishAtMs: number | null
  readonly expiresAtMs: number | null
  readonly width: number | null
  readonly height: number | null
  readonly adProductCategory: string | null
  readonly priority: number
  readonly evergreenFallback: boolean
  readonly housePublisherKey: number | null
  readonly description: string | null
  readonly headline: string | null
  readonly subheadline: string | null
  readonly imageUrl: string
  readonly imageAlt: string | null
  readonly mobileImageUrl: string | null
  readonly variants: Readonly<Record<string, string>> | null
  readonly videoUrl: string | null
  readonly videoFiles: readonly VideoFile[] | null
  readonly videoSkipAfterMs: number | null
  readonly vastUrl: string | null
  readonly adVerifications: readonly AdVerification[] | null
  readonly html: string | null
  readonly placeholderUrl: string | null
  readonly ctaLabel: string | null
  readonly ctaUrl: string | null
  readonly ctaOpenNewTab: boolean
  readonly bgColor: string | null
  readonly utmSource: string | null
  readonly utmMedium: string | null
  readonly utmCampaign: string | null
  readonly utmContent: string | null
}

interface LinkRow {
  readonly placementKey: number
  readonly isActive: boolean
}

interface AssignmentRow {
  readonly key: number
  readonly placementKey: number
  readonly bannerKey: number
  readonly isActive: boolean
  readonly displayOrder: number
  readonly weight: number
  readonly isFallback: boolean
  readonly fallbackPriority: number | null
  readonly headline: string | null
  readonly subheadline: string | null
  readonly ctaLabel: string | null
  readonly ctaUrl: string | null
  readonly transitionDurationMs: number | null
}

interface RuleRow {
  readonly key: number
  readonly type: RuleType
  readonly operator: RuleOperator
  readonly value: RuleValue
  readonly isActive: boolean
}

interface CapRow {
  readonly adKey: number | null
  readonly campaignKey: number | null
  readonly advertiserKey: number | null
  readonly impressionsMax: number
  readonly window: FrequencyWindow
}

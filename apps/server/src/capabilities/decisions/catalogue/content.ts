import type { CampaignStatus, PacingStrategy, Pricing } from '@placard/decision-engine'
import type { AdVerification, VideoFile } from '../../creatives/index.ts'
import type { CapKey } from '../../frequency/index.ts'
import type { PacingFields, TableRow } from './catalogue-rows.ts'
import { landingUrl, type Utm } from '../../tracking/index.ts'

export interface SiteContent {
  readonly key: number
  /** The publisher's account. */
  readonly accountKey: number
  readonly publicId: string
  readonly domain: string
  readonly isActive: boolean
  readonly isProven: boolean
  readonly timeZone: string
  readonly pacing: PacingFields
}

export interface PlacementContent {
  readonly publicId: string
  readonly slug: string
  readonly layoutType: string
  readonly type: string
  readonly maxBanners: number
  readonly recommendedWidth: number | null
  readonly recommendedHeight: number | null
  readonly recommendedAspectRatio: string | null
  readonly placeholderUrl: string | null
  readonly currency: string
  readonly siteKey: number | null
  readonly publisherKey: number
  /** The publisher's account. */
  readonly accountKey: number
}

export interface AdvertiserContent {
  readonly publicId: string
  readonly name: string
  /** Instead of the host of the landing page. */
  readonly domain: string | null
}

export interface CampaignContent {
  readonly publicId: string
  readonly contractRef: string | null
  /** What is advertised, by the IAB's ad products. */
  readonly adProduct: string | null
  readonly currency: string
  readonly isActive: boolean
  readonly status: CampaignStatus
  readonly startsAtMs: number | null
  readonly pricing: Pricing
  readonly rateMicros: number
  readonly dailyMicros: number | null
  readonly strategy: PacingStrategy
}

export interface AdContent {
  readonly publicId: string
  readonly campaignKey: number
  readonly bannerKey: number
  readonly bidMicros: number
}

export interface BannerContent {
  readonly publicId: string
  readonly advertiserKey: number
  readonly format: string
  /** What is advertised; else the campaign says it. */
  readonly adProduct: string | null
  /** Such as `300x250`, its own first; a banner without one fits any. */
  readonly sizes: readonly string[]
  readonly description: string | null
  readonly headline: string | null
  readonly subheadline: string | null
  readonly ctaLabel: string | null
  /** With the banner's UTM values. */
  readonly landingUrl: string | null
  readonly ctaOpenNewTab: boolean
  readonly utm: Utm
  readonly bgColor: string | null
  readonly images: BannerImages
  readonly videoUrl: string | null
  /** What video players need. Absent unless the banner is a video or another ad server's tag. */
  readonly film?: FilmContent | undefined
  readonly html: string | null
  /** Shown when the media cannot be loaded. */
  readonly placeholderUrl: string | null
}

export interface FilmContent {
  readonly files: readonly VideoFile[]
  /** Unknown for externally hosted videos whose banner states none. They never answer a player. */
  readonly durationMs: number | undefined
  readonly skipAfterMs: number | undefined
  /** The tag of another ad server, in place of files. */
  readonly vastUrl: string | undefined
  readonly verifications: readonly AdVerification[]
}

export interface BannerImages {
  readonly primary: string
  readonly alt: string | null
  readonly mobile: string | null
  readonly variants: Readonly<Record<string, string>> | null
}

/** Texts of a booking that replace the banner's own. Kept only if there are any. */
export interface Overrides {
  readonly headline: string | null
  readonly subheadline: string | null
  readonly ctaLabel: string | null
  readonly ctaUrl: string | null
  readonly transitionDurationMs: number | null
}

/** Counts its changes, so that caches know when to look again. */
class CountedMap<Value> extends Map<number, Value> {
  changes = 0

  override set(key: number, value: Value): this {
    this.changes++
    return super.set(key, value)
  }

  override delete(key: number): boolean {
    this.changes++
    return super.delete(key)
  }
}

/** Catalogue data that answers and decisions need beside the index, by the same keys. */
export class Content {
  readonly sites = new Map<number, SiteContent>()
  readonly siteByPublicId = new Map<string, SiteContent>()
  readonly placements = new Map<number, PlacementContent>()
  readonly advertisers = new Map<number, AdvertiserContent>()
  /** By the reference of a contract: several campaigns may deliver one. */
  readonly campaignsOfContract = new Map<string, Set<number>>()
  readonly campaigns = new CountedMap<CampaignContent>()
  readonly ads = new CountedMap<AdContent>()
  readonly banners = new CountedMap<BannerContent>()
  readonly overrides = new Map<number, Overrides>()
  readonly caps = {
    ad: new Map<number, readonly CapKey[]>(),
    campaign: new Map<number, readonly CapKey[]>(),
    advertiser: new Map<number, readonly CapKey[]>(),
  }
  readonly capByKey = new Map<number, CapKey>()
  readonly adsOfCampaign = new Map<number, Set<number>>()
  readonly campaignsOfPlacement = new Map<number, Set<number>>()
  readonly placementsOfSite = new Map<number, Set<number>>()

  /** Counts changes to campaigns, ads and banners, which the text of an answer is made of. */
  get adChanges(): number {
    return this.campaigns.changes + this.ads.changes + this.banners.changes
  }
}

export function bannerContent(row: TableRow<'banners'>): BannerContent {
  const { utmSource, utmMedium, utmCampaign, utmContent, ctaUrl } = row
  const utm = { source: utmSource, medium: utmMedium, campaign: utmCampaign, content: utmContent }
  const {
    publicId,
    advertiserKey,
    format,
    description,
    headline,
    subheadline,
    ctaLabel,
    ctaOpenNewTab,
  } = row
  return {
    publicId,
    advertiserKey,
    format,
    adProduct: row.adProductCategory,
    sizes: bannerSizes(row),
    description,
    headline,
    subheadline,
    ctaLabel,
    landingUrl: ctaUrl === null ? null : landingUrl(ctaUrl, utm),
    ctaOpenNewTab,
    utm,
    bgColor: row.bgColor,
    images: {
      primary: row.imageUrl,
      alt: row.imageAlt,
      mobile: row.mobileImageUrl,
      variants: row.variants,
    },
    videoUrl: row.videoUrl,
    ...filmOf(row),
    html: row.html,
    placeholderUrl: row.placeholderUrl,
  }
}

const SIZE = /^[1-9]\d{0,4}x[1-9]\d{0,4}$/

/** Its own size and those of its variants; none if it has no size of its own. */
export function bannerSizes({
  width,
  height,
  variants,
}: Pick<TableRow<'banners'>, 'width' | 'height' | 'variants'>): readonly string[] {
  if (width === null || height === null) return []
  return [`${width}x${height}`, ...Object.keys(variants ?? {}).filter((name) => SIZE.test(name))]
}

function filmOf(row: TableRow<'banners'>): { readonly film?: FilmContent } {
  const files = row.videoFiles ?? []
  if (files.length === 0 && row.vastUrl === null) return {}
  return {
    film: {
      files,
      durationMs: files[0]?.durationMs ?? undefined,
      skipAfterMs: row.videoSkipAfterMs ?? undefined,
      vastUrl: row.vastUrl ?? undefined,
      verifications: row.adVerifications ?? [],
    },
  }
}

export function addTo<Key>(sets: Map<Key, Set<number>>, key: Key, member: number): void {
  const set = sets.get(key)
  if (set === undefined) sets.set(key, new Set([member]))
  else set.add(member)
}

export function dropFrom<Key>(sets: Map<Key, Set<number>>, key: Key, member: number): void {
  const set = sets.get(key)
  if (set?.delete(member) && set.size === 0) sets.delete(key)
}

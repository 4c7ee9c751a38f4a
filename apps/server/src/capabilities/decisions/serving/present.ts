import type { ServedAd, ServedBanner, ServedPage, ServedPlacement } from '@placard/contract/serving'
import type { Winner } from '@placard/decision-engine'
import type {
  BannerContent,
  Content,
  Overrides,
  PlacementContent,
  SiteContent,
} from '../catalogue/content.ts'
import { landingUrl } from '../../tracking/index.ts'
import type { LinkShowing } from './links.ts'
import type { Served } from './serve.ts'

/** Presents a decision as an API answer. Pure, and without prices unless asked for. */
export interface View {
  /** Absent for HEAD and prefetch: without a hold nothing can be counted. */
  readonly link?: LinkShowing | undefined
}

export interface AdView extends View {
  readonly showsPrices: boolean
}

/** Undefined if there is no winner or its banner is deleted. */
export function presentAd(content: Content, served: Served, view: AdView): ServedAd | undefined {
  const showing = served.showings[0]
  if (showing === undefined) return undefined
  const { winner } = showing
  const banner = content.banners.get(winner.bannerKey)
  if (banner === undefined) return undefined
  const overrides = overridesOf(content, winner)
  const campaign = campaignOf(content, winner)
  return {
    decisionId: served.record.decisionId,
    placement: placementOf(content, served)?.slug ?? null,
    adId: adIdOf(content, winner),
    campaignId: campaign?.publicId ?? null,
    bannerId: banner.publicId,
    adFormat: banner.format,
    headline: overrides?.headline ?? banner.headline,
    primaryText: banner.description,
    callToAction: overrides?.ctaLabel ?? banner.ctaLabel,
    creativeUrl: banner.videoUrl ?? banner.images.primary,
    destinationUrl: landingOf(banner, overrides),
    ...view.link?.(served, 0),
    ...(view.showsPrices && pricesOf(winner, campaign?.currency)),
    servedAt: served.record.decidedAt.toISOString(),
  }
}

const pricesOf = (winner: Winner, currency: string | undefined) => ({
  finalPrice: decimal(winner.finalPriceMicros),
  finalPriceMicros: String(winner.finalPriceMicros),
  charge: decimal(winner.chargeMicros),
  chargeMicros: String(winner.chargeMicros),
  pricing: winner.pricing,
  ...(currency !== undefined && { currency }),
})

/** Whole micros as a decimal amount. */
const decimal = (micros: number) => micros / 1_000_000

export function presentPlacement(
  content: Content,
  served: Served,
  { placement, link }: View & { readonly placement: PlacementContent },
): ServedPlacement {
  const { decisionId, decidedAt, decision } = served.record
  const banners = presentBanners(content, served, link)
  return {
    decisionId,
    placement,
    banners,
    ...placeholderOf(placement, decision.needsPlaceholder, banners),
    servedAt: decidedAt.toISOString(),
  }
}

/** A placement with no banners, because serving is switched off. */
export const presentEmpty = (
  placement: PlacementContent,
  { decisionId, now }: { readonly decisionId: string; readonly now: Date },
): ServedPlacement => ({
  decisionId,
  placement,
  banners: [],
  ...placeholderOf(placement, true),
  servedAt: now.toISOString(),
})

export function presentPage(
  content: Content,
  page: View & { readonly site: SiteContent; readonly slugs: readonly string[] },
  served: readonly Served[],
): ServedPage {
  return {
    siteId: page.site.publicId,
    slots: served.map((one, at) => {
      const placement = placementOf(content, one)
      const banners = presentBanners(content, one, page.link)
      return {
        placement: page.slugs[at]!,
        decisionId: one.record.decisionId,
        ...(placement && shapeOf(placement)),
        banners,
        ...placeholderOf(placement, one.record.decision.needsPlaceholder, banners),
      }
    }),
    servedAt: served[0]!.record.decidedAt.toISOString(),
  }
}

/** What the page needs to know to make room for the ad. */
const shapeOf = ({ layoutType, recommendedWidth, recommendedHeight }: PlacementContent) => ({
  layoutType,
  recommendedWidth,
  recommendedHeight,
})

export const placementOf = ({ placements }: Content, { record: { placementKey } }: Served) =>
  placementKey === undefined ? undefined : placements.get(placementKey)

/** Fills unsold room: the placement's own placeholder, else that of a banner shown beside it. */
function placeholderOf(
  placement: PlacementContent | undefined,
  isNeeded: boolean,
  banners: readonly ServedBanner[] = [],
) {
  if (!isNeeded) return {}
  const own = placement?.placeholderUrl ?? undefined
  const placeholderUrl =
    own ?? banners.find((banner) => banner.fallbackPlaceholderUrl)?.fallbackPlaceholderUrl
  return placeholderUrl ? { placeholderUrl } : {}
}

function presentBanners(content: Content, served: Served, link: View['link']): ServedBanner[] {
  const presented: ServedBanner[] = []
  for (const [position, { winner }] of served.showings.entries()) {
    const banner = content.banners.get(winner.bannerKey)
    if (banner === undefined) continue
    const shown = presentBanner(content, { winner, banner, order: presented.length })
    const links = link?.(served, position)
    const html = links === undefined ? shown.html : withMacros(shown.html, links.clickUrl)
    presented.push({ ...shown, html, ...links })
  }
  return presented
}

/** The end of a sealed token is different for every showing. */
const CACHE_BUSTER_LENGTH = 12

/** Macros of another ad server's tag. `{clickUrl}` itself is filled by the page. */
const withMacros = (html: string | null, clickUrl: string): string | null =>
  html?.includes('{') === true
    ? html
        .replaceAll('{clickUrlEncoded}', encodeURIComponent(clickUrl))
        .replaceAll('{cachebuster}', clickUrl.slice(-CACHE_BUSTER_LENGTH))
    : html

interface Presented {
  readonly winner: Winner
  readonly banner: BannerContent
  readonly order: number
}

function presentBanner(content: Content, { winner, banner, order }: Presented): ServedBanner {
  const overrides = overridesOf(content, winner)
  return {
    publicId: banner.publicId,
    campaignPublicId: campaignOf(content, winner)?.publicId ?? null,
    adPublicId: adIdOf(content, winner),
    format: banner.format,
    images: banner.images,
    videoUrl: banner.videoUrl,
    html: banner.html,
    fallbackPlaceholderUrl: banner.placeholderUrl,
    headline: overrides?.headline ?? banner.headline,
    subheadline: overrides?.subheadline ?? banner.subheadline,
    description: banner.description,
    cta: {
      label: overrides?.ctaLabel ?? banner.ctaLabel,
      url: landingOf(banner, overrides),
      openNewTab: banner.ctaOpenNewTab,
    },
    bgColor: banner.bgColor,
    transitionDurationMs: overrides?.transitionDurationMs ?? null,
    order,
    isFallback: winner.source === 'fallback' || winner.source === 'evergreen',
  }
}

/** Only a booking replaces the banner's texts. */
export const overridesOf = (
  { overrides }: Content,
  { source, key }: Winner,
): Overrides | undefined =>
  source === 'booking' || source === 'fallback' ? overrides.get(key) : undefined

const campaignOf = ({ campaigns }: Content, { campaignKey }: Winner) =>
  campaignKey === undefined ? undefined : campaigns.get(campaignKey)

const adIdOf = ({ ads }: Content, { source, key }: Winner) =>
  source === 'auction' ? (ads.get(key)?.publicId ?? null) : null

export const landingOf = (banner: BannerContent, overrides: Overrides | undefined) =>
  overrides?.ctaUrl == null ? banner.landingUrl : landingUrl(overrides.ctaUrl, banner.utm)

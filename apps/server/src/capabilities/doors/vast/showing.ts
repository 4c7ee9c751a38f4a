import { companionBanners, type DecisionIndex } from '@placard/decision-engine'
import type { BannerContent, Content } from '../../decisions/index.ts'
import type { MediaLinks } from '../openrtb/media.ts'
import { fillMacros, type MacroValues } from '../shared/macros.ts'
import type { Companion, FilmAd } from './film-ad.ts'
import { fittingFiles, isWrapped, type Player } from './player.ts'

/** A winner, by the keys that its tracking links keep too. */
export interface Showing {
  readonly decisionId: string
  readonly bannerKey: number
  readonly campaignKey: number | undefined
  readonly placementKey: number | undefined
  /** Of the booking, whose texts replace the banner's. */
  readonly assignmentKey: number | undefined
}

export interface ShowingTerms {
  readonly content: Content
  readonly index: DecisionIndex
  readonly nowMs: number
  readonly expiresSeconds: number
  readonly player: Player
  /** Absent in a test. */
  readonly links: MediaLinks | undefined
  /** A child sees nothing that the decision did not choose. */
  readonly mayAccompany: boolean
  /** For the address of another ad server's tag. */
  readonly macros: MacroValues
  /** Adds scheme and host to one of our paths. */
  wholeUrl(url: string): string
}

/** Undefined if the banner or its film is gone. */
export function filmAdOf(showing: Showing, terms: ShowingTerms): FilmAd | undefined {
  const { content, links, expiresSeconds } = terms
  const banner = content.banners.get(showing.bannerKey)
  if (banner?.film === undefined) return undefined
  const { film } = banner
  const advertiser = content.advertisers.get(banner.advertiserKey)?.name
  const campaign =
    showing.campaignKey === undefined ? undefined : content.campaigns.get(showing.campaignKey)
  const overrides =
    showing.assignmentKey === undefined ? undefined : content.overrides.get(showing.assignmentKey)
  return {
    decisionId: showing.decisionId,
    bannerId: banner.publicId,
    title: overrides?.headline ?? banner.headline ?? advertiser ?? UNTITLED,
    description: banner.description,
    advertiser,
    category: banner.adProduct ?? campaign?.adProduct ?? undefined,
    film,
    ...mediaOf(film, { ...terms, macros: { ...terms.macros, cachebuster: showing.decisionId } }),
    links,
    landingUrl: banner.landingUrl,
    companions: terms.mayAccompany ? companionsOf(showing, terms) : [],
    expiresSeconds,
  }
}

const UNTITLED = 'Advertisement'

function mediaOf(
  film: NonNullable<BannerContent['film']>,
  { player, macros, wholeUrl }: ShowingTerms,
): Pick<FilmAd, 'files' | 'wrappedUrl'> {
  if (isWrapped(film, player)) {
    return { files: [], wrappedUrl: fillMacros(film.vastUrl!, encoded(macros)) }
  }
  const files = fittingFiles(film, player).map((file) => ({ ...file, url: wholeUrl(file.url) }))
  return { files, wrappedUrl: undefined }
}

/** Within an address a value may not begin a new part of it. */
const encoded = (macros: MacroValues): MacroValues =>
  Object.fromEntries(
    Object.entries(macros).map(([name, value]) => [name, value && encodeURIComponent(value)]),
  )

const COMPANIONS_MAX = 5

function companionsOf(
  { campaignKey, placementKey, bannerKey }: Showing,
  { content, index, nowMs, wholeUrl }: ShowingTerms,
): readonly Companion[] {
  if (campaignKey === undefined || placementKey === undefined) return []
  return companionBanners(index, { campaignKey, placementKey, nowMs })
    .filter((key) => key !== bannerKey)
    .flatMap((key) => pictureOf(content.banners.get(key), wholeUrl))
    .slice(0, COMPANIONS_MAX)
}

function pictureOf(
  banner: BannerContent | undefined,
  wholeUrl: ShowingTerms['wholeUrl'],
): readonly Companion[] {
  const [width, height] = banner?.sizes[0]?.split('x').map(Number) ?? []
  if (banner?.format !== 'single_image' || width === undefined || height === undefined) return []
  const { publicId: bannerId, images } = banner
  return [{ bannerId, url: wholeUrl(images.primary), width, height, alt: images.alt }]
}

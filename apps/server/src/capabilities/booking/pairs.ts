import { REASON_TEXT, type Reason } from '@placard/decision-engine'
import type { JudgedPair } from '../decisions/index.ts'
import type { Booking, BookingFault, BookingPair } from './booking.ts'
import type { BannerName, PairNames, PlacementName } from './reads.ts'

interface PairReason {
  readonly code: string
  readonly message: string
  /** Only an answer of the site is missing. */
  readonly waits: boolean
  /** The maximum bid that mends it. */
  readonly bidMicros?: string | undefined
}

/** A pair with what a form needs to mend it. */
export interface ExplainedPair extends Pick<BookingPair, 'bannerId' | 'placementId' | 'state'> {
  readonly banner: BannerName
  readonly placement: PlacementName
  readonly reasons: readonly PairReason[]
}

interface Told {
  readonly campaign: Booking['campaign']
  readonly names: PairNames
}

export function presentPairs(judged: readonly JudgedPair[], told: Told): ExplainedPair[] {
  return judged.map((pair) => {
    const { bannerKey, placementKey } = pair
    const banner = told.names.banners.get(bannerKey)!
    const placement = told.names.placements.get(placementKey)!
    const isRejected = told.names.rejected.has(`${bannerKey} ${placementKey}`)
    const facts = { banner, placement, pair, isRejected, campaign: told.campaign }
    return {
      bannerId: banner.publicId,
      placementId: placement.publicId,
      banner,
      placement,
      state: stateOf(pair, isRejected),
      reasons: pair.reasons.map((code) => ({
        code,
        message: sayReason(code, facts),
        waits: code === 'not-approved' && !isRejected,
        bidMicros: code === 'below-floor' ? bidNeeded(facts) : undefined,
      })),
    }
  })
}

/** A pair that only lacks an answer of the site waits; it was asked by the booking. */
function stateOf({ reasons }: JudgedPair, isRejected: boolean): BookingPair['state'] {
  if (reasons.length === 0) return 'fits'
  return !isRejected && reasons.every((reason) => reason === 'not-approved') ? 'waits' : 'never'
}

interface Facts extends Omit<Told, 'names'> {
  readonly banner: BannerName
  readonly placement: PlacementName
  readonly pair: JudgedPair
  readonly isRejected: boolean
}

/** Reasons that a pair can have before anybody asks for an ad. */
const SENTENCES: Partial<Record<Reason, (facts: Facts) => string>> = {
  size: ({ banner, placement }) =>
    `“${banner.title}” is ${sizeOf(banner)}, “${placement.label}” takes ${sizeOf(placement)}.`,
  format: ({ banner, placement }) =>
    `“${placement.label}” takes ${placement.formats.map(sayFormat).join(' or ')}, “${banner.title}” is ${sayFormat(banner.format)}.`,
  currency: ({ placement }) =>
    `“${placement.label}” sells in ${placement.currency}, the advertiser pays in another currency.`,
  'not-approved': ({ banner, isRejected, placement }) =>
    isRejected
      ? `${siteOf(placement)} has rejected “${banner.title}”.`
      : `${siteOf(placement)} approves each creative first. It is asked when you book.`,
  'other-mode': ({ placement }) =>
    `“${placement.label}” takes only creatives that ad operations book there directly.`,
  'placement-not-active': ({ placement }) =>
    `“${placement.label}” shows no ads: it is off, or its site is off or not proven.`,
  'advertiser-blocked': ({ placement }) => `The advertiser blocks ${siteOf(placement)}.`,
  'ad-product-blocked': ({ placement }) =>
    `${siteOf(placement)} shows no ads for this kind of product.`,
  'banner-not-active': ({ banner }) => `“${banner.title}” is switched off.`,
  'banner-expired': ({ banner }) => `“${banner.title}” ends before the campaign starts.`,
  'before-publish': ({ banner }) => `“${banner.title}” starts after the campaign has ended.`,
  'below-floor': sayFloor,
}

const sayReason = (reason: Reason, facts: Facts): string =>
  SENTENCES[reason]?.(facts) ??
  `“${facts.banner.title}” on “${facts.placement.label}”: ${REASON_TEXT[reason]}.`

const siteOf = ({ siteDomain }: PlacementName): string => siteDomain ?? 'The site'

const sizeOf = ({ width, height }: { width: number | null; height: number | null }) =>
  width === null || height === null ? 'another size' : `${width} × ${height}`

const sayFormat = (format: string) => format.replaceAll('_', ' ')

const sayMicros = (amount: number, currency: string) =>
  `${(amount / 1_000_000).toFixed(2)} ${currency}`

function sayFloor({ placement, pair, campaign }: Facts): string {
  const floor = sayMicros(pair.floorMicros, placement.currency)
  const offered = sayMicros(pair.cpmMicros, placement.currency)
  return campaign.pricing === 'cpc'
    ? `“${placement.label}” asks at least ${floor} per 1,000 impressions. At the usual click rate this bid brings ${offered}.`
    : `“${placement.label}” asks at least ${floor} per 1,000 impressions. The bid is ${offered}.`
}

/** Rounded up to a hundredth, so that it is an amount that people type. */
function bidNeeded({ pair, campaign }: Facts): string | undefined {
  const bid = Number(campaign.maxBidMicros ?? 0)
  const { floorMicros, cpmMicros } = pair
  if (campaign.pricing !== 'cpc') return inHundredths(floorMicros)
  return cpmMicros > 0 ? inHundredths((bid * floorMicros) / cpmMicros) : undefined
}

const inHundredths = (amount: number) => String(Math.ceil(amount / 10_000 - 1e-9) * 10_000)

/** Pairs by their placement, then by their ad, in the order of the booking. */
export function inOrderOf(
  { ads = [], placements = [] }: Booking,
  pairs: readonly ExplainedPair[],
): ExplainedPair[] {
  const placeOf = (pair: ExplainedPair) =>
    placements.findIndex(({ placementId }) => placementId === pair.placementId) * ads.length +
    ads.findIndex(({ bannerId }) => bannerId === pair.bannerId)
  return pairs.toSorted((a, b) => placeOf(a) - placeOf(b))
}

/** Placements where nothing fits, creatives that fit nowhere, and what waits for others. */
export function faultsOfPairs(
  { ads = [], placements = [] }: Booking,
  pairs: readonly ExplainedPair[],
): BookingFault[] {
  const ofPlacements = placements.flatMap(({ placementId }, at) =>
    faultOfPlacement(
      `placements/${at}`,
      pairs.filter((pair) => pair.placementId === placementId),
    ),
  )
  const isUsed = (placementId: string) =>
    pairs.some((pair) => pair.placementId === placementId && pair.state !== 'never')
  const ofAds = ads.flatMap(({ bannerId }, at) =>
    faultsOfBanner(
      `ads/${at}`,
      pairs.filter((pair) => pair.bannerId === bannerId),
      isUsed,
    ),
  )
  return [...ofPlacements, ...ofAds]
}

function faultOfPlacement(path: string, pairs: readonly ExplainedPair[]): BookingFault[] {
  if (pairs.length === 0 || pairs.some(({ state }) => state === 'fits')) return []
  const waiting = pairs.filter(({ state }) => state === 'waits')
  const isWaiting = waiting.length > 0
  const reasons = (isWaiting ? waiting : pairs)
    .flatMap((pair) => pair.reasons)
    .filter(({ waits }) => waits === isWaiting)
  return [
    {
      path,
      code: reasons[0]!.code,
      message: messagesOf(reasons),
      severity: isWaiting ? 'waits' : 'stuck',
      mend: isWaiting ? null : mendOf(path, pairs),
    },
  ]
}

/** A higher bid where only the price is missing; else the placement goes. */
function mendOf(path: string, pairs: readonly ExplainedPair[]): BookingFault['mend'] {
  const inTheWay = pairs.map(({ reasons }) => reasons.filter(({ waits }) => !waits))
  const bid = inTheWay.find((left) => left.length === 1 && left[0]!.bidMicros)?.[0]!.bidMicros
  return bid ? { path: 'campaign/maxBidMicros', value: bid } : { path, value: null }
}

/** A creative that no placement takes, where others are taken; and one whose click leads nowhere. */
function faultsOfBanner(
  path: string,
  pairs: readonly ExplainedPair[],
  isUsed: (placementId: string) => boolean,
): BookingFault[] {
  const banner = pairs[0]?.banner
  if (banner === undefined) return []
  const isOddOne =
    pairs.every(({ state }) => state === 'never') &&
    pairs.some(({ placementId }) => isUsed(placementId))
  const reasons = pairs.flatMap((pair) => pair.reasons).filter(({ waits }) => !waits)
  const odd: BookingFault = {
    path,
    code: reasons[0]?.code ?? 'size',
    message: `“${banner.title}” is shown on none of the placements. ${messagesOf(reasons)}`,
    severity: 'stuck',
    mend: { path, value: null },
  }
  const mute: BookingFault = {
    path,
    code: 'NO_LANDING_PAGE',
    message: `“${banner.title}” has no landing page: a click leads nowhere.`,
    severity: 'advice',
    mend: null,
  }
  return [...(isOddOne ? [odd] : []), ...(banner.hasLanding ? [] : [mute])]
}

const MESSAGES_MAX = 3

const messagesOf = (reasons: readonly PairReason[]): string =>
  [...new Set(reasons.map(({ message }) => message))].slice(0, MESSAGES_MAX).join(' ')

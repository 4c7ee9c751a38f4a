import type { Run } from './run.ts'
import type { Pricing } from '../changes/records.ts'
import { KIND } from '../columns/candidate-rows.ts'
import { HOUSE } from '../columns/catalogue.ts'
import { CODE, PASSED, type LimitReason } from '../explain/reasons.ts'

/**
 * Limits of one request, in addition to those of its placement: an exchange sends its own sizes, blocks
 * and deals. The sets contain words and keys of the catalogue. A missing set accepts everything.
 */
export interface RequestLimits {
  /** Such as `300x250`. A banner without sizes fits all. */
  readonly sizes?: ReadonlySet<string> | undefined
  readonly formats?: ReadonlySet<string> | undefined
  readonly blockedBanners?: ReadonlySet<number> | undefined
  readonly blockedAdvertisers?: ReadonlySet<number> | undefined
  readonly blockedAdProducts?: ReadonlySet<string> | undefined
  /** Only these campaigns, for a private auction. */
  readonly campaigns?: ReadonlySet<number> | undefined
  /** Only candidates priced in this unit and above zero: a price in the answer must be paid. */
  readonly pricing?: Pricing | undefined
  /** Lowest rate of a booking, in its own unit. Auction bids meet the request's floor anyway. */
  readonly bookedFloorMicros?: number | undefined
  /** The same per campaign, from deals. */
  readonly dealFloorsMicros?: ReadonlyMap<number, number> | undefined
  /** Checks what only the caller knows about a banner: missing assets, the length of its film. Pure. */
  readonly judgeBanner?: ((bannerKey: number) => LimitReason | undefined) | undefined
}

/** The gate for the limits of the request. */
export function judgeLimits(run: Run, limits: RequestLimits, candidate: number): number {
  const { index, candidates } = run
  const banner = candidates.banner(candidate)
  const { campaigns, pricing, blockedBanners, judgeBanner } = limits
  const sizes = index.banners.sizes(banner)
  if (limits.sizes !== undefined && sizes !== 0) {
    if (!hasOne(index.sizeSetMembers[sizes]!, limits.sizes)) return CODE['request-size']
  }
  if (limits.formats?.has(index.wordTexts[index.banners.format(banner)]!) === false) {
    return CODE['request-format']
  }
  const bannerKey = index.banners.key(banner)
  if (blockedBanners?.has(bannerKey) === true) return CODE['request-blocked']
  if (isBlocked(run, limits, candidate)) return CODE['request-blocked']
  if (campaigns?.has(run.campaigns.key(candidates.campaign(candidate))) === false) {
    return CODE['request-deal']
  }
  if (pricing !== undefined && !isPayable(run, candidate, pricing)) return CODE['request-pricing']
  if (isUnderBookedFloor(run, limits, candidate)) return CODE['request-floor']
  const reason = judgeBanner?.(bannerKey)
  return reason === undefined ? PASSED : CODE[reason]
}

function isBlocked(
  { index, candidates, campaigns }: Run,
  limits: RequestLimits,
  candidate: number,
) {
  const { blockedAdvertisers, blockedAdProducts } = limits
  if (blockedAdvertisers === undefined && blockedAdProducts === undefined) return false
  const banner = candidates.banner(candidate)
  const campaign = candidates.campaign(candidate)
  const isHouse = campaign === HOUSE
  const advertiser = isHouse ? index.banners.advertiser(banner) : campaigns.advertiser(campaign)
  if (blockedAdvertisers?.has(index.advertisers.key(advertiser)) === true) return true
  if (blockedAdProducts === undefined) return false
  const product = index.banners.adProduct(banner)
  if (product !== 0 && blockedAdProducts.has(index.wordTexts[product]!)) return true
  const advertised = isHouse ? undefined : index.campaignDetails[campaign]!.adProduct
  return advertised !== undefined && blockedAdProducts.has(advertised)
}

const isPayable = (run: Run, candidate: number, pricing: Pricing): boolean =>
  run.candidates.isCpc(candidate) === (pricing === 'cpc') && run.bidOf(candidate) > 0

function isUnderBookedFloor(run: Run, limits: RequestLimits, candidate: number): boolean {
  const { bookedFloorMicros = 0, dealFloorsMicros } = limits
  if (bookedFloorMicros === 0 && dealFloorsMicros === undefined) return false
  const { candidates, campaigns } = run
  if (candidates.kind(candidate) === KIND.ad) return false
  const deal = dealFloorsMicros?.get(campaigns.key(candidates.campaign(candidate))) ?? 0
  return candidates.effectiveBid(candidate) < Math.max(deal, bookedFloorMicros)
}

function hasOne(sizes: readonly string[], accepted: ReadonlySet<string>): boolean {
  for (let at = 0; at < sizes.length; at++) if (accepted.has(sizes[at]!)) return true
  return false
}

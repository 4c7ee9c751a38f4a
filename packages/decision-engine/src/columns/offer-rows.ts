import {
  BANNER,
  CAMPAIGN,
  CAMPAIGN_COLD,
  CAMPAIGN_FLAG,
  type DecisionIndex,
  KIND,
  NONE,
  OFFER,
  OFFER_COLD,
  OFFER_FLAG,
  STATE,
} from './catalogue.ts'
import { effectiveBid, worthOf } from '../decide/price.ts'
import type { Pricing } from '../changes/records.ts'
import { clampAdOdds } from '../decide/scorer.ts'

/** What an offer brings along for its place in an auction. */
export interface Merits {
  readonly bidMicros: number
  readonly odds: number
  /** NaN: the scorer's quality of the banner's format. */
  readonly ownQuality: number
}

export interface OfferParts extends Merits {
  readonly kind: number
  readonly key: number
  readonly campaign: number
  readonly banner: number
  readonly active: boolean
  readonly firstCap: number
  readonly placement: number
}

/** A new offer in the chains of its campaign and its banner; not yet listed. */
export function addOffer(index: DecisionIndex, parts: OfferParts): number {
  const offer = index.offers.take()
  if (index.offersCold.take() !== offer) throw new Error('hot and cold rows have parted')
  const hot = offer * OFFER.lanes
  index.offers.i32[hot * 2 + OFFER.campaign] = parts.campaign
  index.offers.i32[hot * 2 + OFFER.banner] = parts.banner
  index.offers.i32[hot * 2 + OFFER.firstCap] = parts.firstCap

  const cold = offer * OFFER_COLD.lanes
  index.offersCold.f64[cold + OFFER_COLD.key] = parts.key
  index.offersCold.i32[cold * 2 + OFFER_COLD.state] = parts.kind | (parts.active ? STATE.active : 0)
  index.offersCold.i32[cold * 2 + OFFER_COLD.placement] = parts.placement
  chain(index, offer, campaignChain(index, parts.campaign))
  chain(index, offer, bannerChain(index, parts.banner))
  setMerits(index, offer, parts)
  return offer
}

/** The offer must not be listed, or be moved after it. */
export function setMerits(index: DecisionIndex, offer: number, merits: Merits): void {
  const cold = offer * OFFER_COLD.lanes
  index.offers.f64[offer * OFFER.lanes + OFFER.odds] = clampAdOdds(merits.odds)
  index.offersCold.f64[cold + OFFER_COLD.bid] = merits.bidMicros
  index.offersCold.f64[cold + OFFER_COLD.ownQuality] = merits.ownQuality
  refreshOffer(index, offer)
}

/** The offer must be unlisted. */
export function dropOffer(index: DecisionIndex, offer: number): void {
  const { i32 } = index.offers
  const at = offer * OFFER.lanes * 2
  unchain(index, offer, campaignChain(index, i32[at + OFFER.campaign]!))
  unchain(index, offer, bannerChain(index, i32[at + OFFER.banner]!))
  index.offers.release(offer)
  index.offersCold.release(offer)
}

/** Recomputes what an offer copies from its campaign and banner; it must not be listed, or be moved after it. */
export function refreshOffer(index: DecisionIndex, offer: number): void {
  const { f64, i32 } = index.offers
  const at = offer * OFFER.lanes
  const banner = i32[at * 2 + OFFER.banner]! * BANNER.lanes
  f64[at + OFFER.publishAt] = index.banners.f64[banner + BANNER.publishAt]!
  f64[at + OFFER.expiresAt] = index.banners.f64[banner + BANNER.expiresAt]!

  const cold = offer * OFFER_COLD.lanes
  const own = index.offersCold.f64[cold + OFFER_COLD.ownQuality]!
  const format = index.wordTexts[index.banners.i32[banner * 2 + BANNER.format]!]!
  const quality = Number.isNaN(own) ? index.scorer.quality(format) : own
  const bid = bidOf(index, offer)
  const schedule = index.banners.i32[banner * 2 + BANNER.schedule]!
  i32[at * 2 + OFFER.schedule] = schedule * 256 + (bid.pricing === 'cpc' ? OFFER_FLAG.cpc : 0)
  f64[at + OFFER.quality] = quality
  f64[at + OFFER.effectiveBid] = bid.micros
  f64[at + OFFER.worth] =
    worthOf({ ...bid, quality }) * liftOf(index, i32[at * 2 + OFFER.campaign]!)
  if (quality < index.qualityMin) index.qualityMin = quality
}

const liftOf = (index: DecisionIndex, campaign: number): number =>
  index.bidLifts.get(index.campaigns.f64[campaign * CAMPAIGN.lanes + CAMPAIGN.key]!) ?? 1

/** An ad's effective bid, or the booked rate of an assignment. */
function bidOf(index: DecisionIndex, offer: number): { pricing: Pricing; micros: number } {
  const campaign = index.offers.i32[offer * OFFER.lanes * 2 + OFFER.campaign]!
  const flags = index.campaigns.i32[campaign * CAMPAIGN.lanes * 2 + CAMPAIGN.flags]!
  const pricing = (flags & CAMPAIGN_FLAG.cpc) === 0 ? 'cpm' : 'cpc'
  const terms = index.campaignsCold.f64
  const at = campaign * CAMPAIGN_COLD.lanes
  const cold = offer * OFFER_COLD.lanes
  const kind = index.offersCold.i32[cold * 2 + OFFER_COLD.state]! & STATE.kind
  if (kind === KIND.assignment) return { pricing, micros: terms[at + CAMPAIGN_COLD.rate]! }
  const bidMicros = index.offersCold.f64[cold + OFFER_COLD.bid]!
  const max = terms[at + CAMPAIGN_COLD.bidMax]!
  const micros = effectiveBid({
    bidMicros,
    bidMicrosMax: Number.isNaN(max) ? undefined : max,
    bidMultiplier: terms[at + CAMPAIGN_COLD.multiplier]!,
    mayExceedMax: (flags & CAMPAIGN_FLAG.mayExceedMax) !== 0,
  })
  return { pricing, micros }
}

export function offersOfCampaign(index: DecisionIndex, campaign: number): number[] {
  return chained(index, campaignChain(index, campaign))
}

export function offersOfBanner(index: DecisionIndex, banner: number): number[] {
  return chained(index, bannerChain(index, banner))
}

/** A doubly linked list through the cold rows; the head is a lane of the owner's row. */
interface Chain {
  readonly heads: Int32Array
  readonly head: number
  readonly next: number
  readonly previous: number
}

const campaignChain = (index: DecisionIndex, campaign: number): Chain => ({
  heads: index.campaigns.i32,
  head: campaign * CAMPAIGN.lanes * 2 + CAMPAIGN.firstOffer,
  next: OFFER_COLD.nextOfCampaign,
  previous: OFFER_COLD.previousOfCampaign,
})

const bannerChain = (index: DecisionIndex, banner: number): Chain => ({
  heads: index.banners.i32,
  head: banner * BANNER.lanes * 2 + BANNER.firstOffer,
  next: OFFER_COLD.nextOfBanner,
  previous: OFFER_COLD.previousOfBanner,
})

const rowOf = (offer: number) => offer * OFFER_COLD.lanes * 2

function chain(index: DecisionIndex, offer: number, { heads, head, next, previous }: Chain): void {
  const { i32 } = index.offersCold
  const first = heads[head]!
  i32[rowOf(offer) + next] = first
  i32[rowOf(offer) + previous] = NONE
  if (first !== NONE) i32[rowOf(first) + previous] = offer
  heads[head] = offer
}

function unchain(index: DecisionIndex, offer: number, links: Chain): void {
  const { i32 } = index.offersCold
  const next = i32[rowOf(offer) + links.next]!
  const previous = i32[rowOf(offer) + links.previous]!
  if (previous === NONE) links.heads[links.head] = next
  else i32[rowOf(previous) + links.next] = next
  if (next !== NONE) i32[rowOf(next) + links.previous] = previous
}

function chained(index: DecisionIndex, { heads, head, next }: Chain): number[] {
  const offers: number[] = []
  for (let offer = heads[head]!; offer !== NONE;) {
    offers.push(offer)
    offer = index.offersCold.i32[rowOf(offer) + next]!
  }
  return offers
}

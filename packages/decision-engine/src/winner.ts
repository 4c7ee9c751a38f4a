import {
  BANNER,
  CAMPAIGN,
  type DecisionIndex,
  HOUSE,
  HOUSE_KEY,
  OFFER,
  OFFER_COLD,
  OFFER_FLAG,
} from './catalogue.ts'
import { costOf } from './price.ts'
import type { Run, Source, Winner } from './run.ts'

export interface Terms {
  readonly source: Source
  readonly chargeMicros: number
  readonly finalPriceMicros: number
  readonly score: number
  readonly secondScore: number | undefined
  readonly ctr: number
  readonly propensity?: number
}

export function winnerOf(index: DecisionIndex, offer: number, terms: Terms): Winner {
  const { f64, i32 } = index.offers
  const at = offer * OFFER.lanes
  const isCpc = (i32[at * 2 + OFFER.schedule]! & OFFER_FLAG.cpc) !== 0
  const banner = i32[at * 2 + OFFER.banner]! * BANNER.lanes
  const campaignKey = campaignKeyOf(index, offer)
  return {
    source: terms.source,
    key: index.offersCold.f64[offer * OFFER_COLD.lanes + OFFER_COLD.key]!,
    bannerKey: index.banners.f64[banner + BANNER.key]!,
    campaignKey: campaignKey === HOUSE_KEY ? undefined : campaignKey,
    advertiserKey: advertiserKeyOf(index, offer),
    pricing: isCpc ? 'cpc' : 'cpm',
    effectiveBidMicros: f64[at + OFFER.effectiveBid]!,
    chargeMicros: terms.chargeMicros,
    costMicros: costOf(isCpc, terms.chargeMicros),
    score: terms.score,
    secondScore: terms.secondScore,
    finalPriceMicros: terms.finalPriceMicros,
    ctr: terms.ctr,
    quality: f64[at + OFFER.quality]!,
    propensity: terms.propensity,
  }
}

/** A booking pays its booked rate; the house pays nothing. */
export function bookedWinner(run: Run, offer: number, source: Source): Winner {
  const chargeMicros = run.index.offers.f64[offer * OFFER.lanes + OFFER.effectiveBid]!
  return winnerOf(run.index, offer, {
    source,
    chargeMicros,
    finalPriceMicros: 0,
    score: 0,
    secondScore: undefined,
    ctr: run.context.ctr,
  })
}

/** Remembers what is on the page, and says whether the winner could be reserved. */
export function reserve(run: Run, offer: number, winner: Winner): boolean {
  if (!run.live.reserve(winner)) {
    run.refused.push(offer)
    return false
  }
  const at = offer * OFFER.lanes * 2
  const campaign = run.index.offers.i32[at + OFFER.campaign]!
  run.shownBanners.push(run.index.offers.i32[at + OFFER.banner]!)
  if (campaign !== HOUSE) run.pageCampaigns?.push(campaign)
  return true
}

export function campaignKeyOf(index: DecisionIndex, offer: number): number {
  const campaign = index.offers.i32[offer * OFFER.lanes * 2 + OFFER.campaign]!
  return index.campaigns.f64[campaign * CAMPAIGN.lanes + CAMPAIGN.key]!
}

function advertiserKeyOf(index: DecisionIndex, offer: number): number {
  const at = offer * OFFER.lanes * 2
  const campaign = index.offers.i32[at + OFFER.campaign]!
  const banner = index.offers.i32[at + OFFER.banner]!
  const advertiser =
    campaign === HOUSE
      ? index.banners.i32[banner * BANNER.lanes * 2 + BANNER.advertiser]!
      : index.campaigns.i32[campaign * CAMPAIGN.lanes * 2 + CAMPAIGN.advertiser]!
  return index.advertisers[advertiser]!.key
}

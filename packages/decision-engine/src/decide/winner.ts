import {
  ADVERTISER,
  advertiserKeyAt,
  BANNER,
  CAMPAIGN,
  type DecisionIndex,
  HOUSE,
  HOUSE_KEY,
  NONE,
  OFFER,
  OFFER_COLD,
  OFFER_FLAG,
} from '../columns/catalogue.ts'
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

/**
 * Its numbers are whole in one auction and broken in the next: a literal would change its shape, and a
 * shape that changes is looked up anew each time; what a constructor makes keeps it.
 */
class PricedWinner implements Winner {
  readonly source: Source
  readonly key: number
  readonly bannerKey: number
  readonly campaignKey: number | undefined
  readonly advertiserKey: number
  readonly format: string
  readonly isCapped: boolean
  readonly pricing: 'cpc' | 'cpm'
  readonly effectiveBidMicros: number
  readonly chargeMicros: number
  readonly costMicros: number
  readonly score: number
  readonly secondScore: number | undefined
  readonly finalPriceMicros: number
  readonly ctr: number
  readonly quality: number
  readonly propensity: number | undefined

  constructor(index: DecisionIndex, offer: number, terms: Terms) {
    const { f64, i32 } = index.offers
    const at = offer * OFFER.lanes
    const isCpc = (i32[at * 2 + OFFER.schedule]! & OFFER_FLAG.cpc) !== 0
    const banner = i32[at * 2 + OFFER.banner]! * BANNER.lanes
    const campaignKey = campaignKeyOf(index, offer)
    this.source = terms.source
    this.key = index.offersCold.f64[offer * OFFER_COLD.lanes + OFFER_COLD.key]!
    this.bannerKey = index.banners.f64[banner + BANNER.key]!
    this.campaignKey = campaignKey === HOUSE_KEY ? undefined : campaignKey
    const advertiser = advertiserOf(index, offer)
    this.advertiserKey = advertiserKeyAt(index, advertiser)
    this.format = index.wordTexts[index.banners.i32[banner * 2 + BANNER.format]!]!
    this.isCapped = hasCaps(index, offer, advertiser)
    this.pricing = isCpc ? 'cpc' : 'cpm'
    this.effectiveBidMicros = f64[at + OFFER.effectiveBid]!
    this.chargeMicros = terms.chargeMicros
    this.costMicros = costOf(isCpc, terms.chargeMicros)
    this.score = terms.score
    this.secondScore = terms.secondScore
    this.finalPriceMicros = terms.finalPriceMicros
    this.ctr = terms.ctr
    this.quality = f64[at + OFFER.quality]!
    this.propensity = terms.propensity
  }
}

export const winnerOf = (index: DecisionIndex, offer: number, terms: Terms): Winner =>
  new PricedWinner(index, offer, terms)

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

function advertiserOf(index: DecisionIndex, offer: number): number {
  const at = offer * OFFER.lanes * 2
  const campaign = index.offers.i32[at + OFFER.campaign]!
  const banner = index.offers.i32[at + OFFER.banner]!
  return campaign === HOUSE
    ? index.banners.i32[banner * BANNER.lanes * 2 + BANNER.advertiser]!
    : index.campaigns.i32[campaign * CAMPAIGN.lanes * 2 + CAMPAIGN.advertiser]!
}

/** Of the ad itself, its campaign or its advertiser. */
function hasCaps(
  { offers, campaigns, advertisers }: DecisionIndex,
  offer: number,
  advertiser: number,
) {
  const at = offer * OFFER.lanes * 2
  const campaign = offers.i32[at + OFFER.campaign]! * CAMPAIGN.lanes * 2
  return (
    offers.i32[at + OFFER.firstCap] !== NONE ||
    campaigns.i32[campaign + CAMPAIGN.firstCap] !== NONE ||
    advertisers.i32[advertiser * ADVERTISER.lanes * 2 + ADVERTISER.firstCap] !== NONE
  )
}

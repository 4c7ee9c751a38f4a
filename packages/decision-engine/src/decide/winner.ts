import { type DecisionIndex, HOUSE, HOUSE_KEY } from '../columns/catalogue.ts'
import { NONE } from '../columns/candidate-rows.ts'
import { costOf } from './price.ts'
import type { Run, Source, Winner } from './run.ts'

export interface Terms {
  readonly source: Source
  readonly chargeMicros: number
  readonly finalPriceMicros: number
  readonly score: number
  readonly secondScore: number | undefined
  readonly ctr: number
  readonly effectiveBidMicros: number
  readonly conversionRate?: number | undefined
  readonly propensity?: number
}

/**
 * A class, because its fields are integers in one auction and fractions in the next. V8 would change the
 * shape of an object literal each time; objects of a class keep theirs.
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
  readonly conversionRate: number | undefined
  readonly quality: number
  readonly propensity: number | undefined

  constructor(index: DecisionIndex, candidate: number, terms: Terms) {
    const isCpc = index.candidates.isCpc(candidate)
    const banner = index.candidates.banner(candidate)
    const campaignKey = campaignKeyOf(index, candidate)
    this.source = terms.source
    this.key = index.candidates.key(candidate)
    this.bannerKey = index.banners.key(banner)
    this.campaignKey = campaignKey === HOUSE_KEY ? undefined : campaignKey
    const advertiser = advertiserOf(index, candidate)
    this.advertiserKey = index.advertisers.key(advertiser)
    this.format = index.wordTexts[index.banners.format(banner)]!
    this.isCapped = hasCaps(index, candidate, advertiser)
    this.pricing = isCpc ? 'cpc' : 'cpm'
    this.effectiveBidMicros = terms.effectiveBidMicros
    this.chargeMicros = terms.chargeMicros
    this.costMicros = costOf(isCpc, terms.chargeMicros)
    this.score = terms.score
    this.secondScore = terms.secondScore
    this.finalPriceMicros = terms.finalPriceMicros
    this.ctr = terms.ctr
    this.conversionRate = terms.conversionRate
    this.quality = index.candidates.quality(candidate)
    this.propensity = terms.propensity
  }
}

export const winnerOf = (index: DecisionIndex, candidate: number, terms: Terms): Winner =>
  new PricedWinner(index, candidate, terms)

/** A booking pays its booked rate. An evergreen banner is free. */
export function bookedWinner(run: Run, candidate: number, source: Source): Winner {
  const chargeMicros = run.bidOf(candidate)
  return winnerOf(run.index, candidate, {
    source,
    chargeMicros,
    effectiveBidMicros: chargeMicros,
    conversionRate: run.conversionRateOf(candidate),
    finalPriceMicros: 0,
    score: 0,
    secondScore: undefined,
    ctr: run.context.ctr,
  })
}

/** Tries to reserve the winner and, if that works, records what is on the page. */
export function reserve(run: Run, candidate: number, winner: Winner): boolean {
  if (!run.live.reserve(winner)) {
    run.refused.push(candidate)
    return false
  }
  const campaign = run.candidates.campaign(candidate)
  run.shownBanners.push(run.candidates.banner(candidate))
  if (campaign === HOUSE) return true
  run.pageCampaigns?.push(campaign)
  const { exclusionLabels } = run.index.campaignDetails[campaign]!
  if (exclusionLabels.length > 0) run.shownLabels.push(...exclusionLabels)
  return true
}

export function campaignKeyOf(index: DecisionIndex, candidate: number): number {
  const campaign = index.candidates.campaign(candidate)
  return index.campaigns.key(campaign)
}

function advertiserOf(index: DecisionIndex, candidate: number): number {
  const campaign = index.candidates.campaign(candidate)
  const banner = index.candidates.banner(candidate)
  return campaign === HOUSE
    ? index.banners.advertiser(banner)
    : index.campaigns.advertiser(campaign)
}

/** True if the ad, its campaign or its advertiser has a cap. */
function hasCaps(index: DecisionIndex, candidate: number, advertiser: number): boolean {
  const campaign = index.candidates.campaign(candidate)
  return (
    index.candidates.firstCap(candidate) !== NONE ||
    index.campaigns.firstCap(campaign) !== NONE ||
    index.advertisers.firstCap(advertiser) !== NONE
  )
}

import {
  ADVERTISER,
  advertiserKeyAt,
  BANNER,
  CAMPAIGN,
  type DecisionIndex,
  HOUSE,
  HOUSE_KEY,
  NONE,
  CANDIDATE,
  CANDIDATE_COLD,
  CANDIDATE_FLAG,
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

  constructor(index: DecisionIndex, candidate: number, terms: Terms) {
    const { f64, i32 } = index.candidates
    const at = candidate * CANDIDATE.width
    const isCpc = (i32[at * 2 + CANDIDATE.schedule]! & CANDIDATE_FLAG.cpc) !== 0
    const banner = i32[at * 2 + CANDIDATE.banner]! * BANNER.width
    const campaignKey = campaignKeyOf(index, candidate)
    this.source = terms.source
    this.key = index.candidatesCold.f64[candidate * CANDIDATE_COLD.width + CANDIDATE_COLD.key]!
    this.bannerKey = index.banners.f64[banner + BANNER.key]!
    this.campaignKey = campaignKey === HOUSE_KEY ? undefined : campaignKey
    const advertiser = advertiserOf(index, candidate)
    this.advertiserKey = advertiserKeyAt(index, advertiser)
    this.format = index.wordTexts[index.banners.i32[banner * 2 + BANNER.format]!]!
    this.isCapped = hasCaps(index, candidate, advertiser)
    this.pricing = isCpc ? 'cpc' : 'cpm'
    this.effectiveBidMicros = f64[at + CANDIDATE.effectiveBid]!
    this.chargeMicros = terms.chargeMicros
    this.costMicros = costOf(isCpc, terms.chargeMicros)
    this.score = terms.score
    this.secondScore = terms.secondScore
    this.finalPriceMicros = terms.finalPriceMicros
    this.ctr = terms.ctr
    this.quality = f64[at + CANDIDATE.quality]!
    this.propensity = terms.propensity
  }
}

export const winnerOf = (index: DecisionIndex, candidate: number, terms: Terms): Winner =>
  new PricedWinner(index, candidate, terms)

/** A booking pays its booked rate; the house pays nothing. */
export function bookedWinner(run: Run, candidate: number, source: Source): Winner {
  const chargeMicros =
    run.index.candidates.f64[candidate * CANDIDATE.width + CANDIDATE.effectiveBid]!
  return winnerOf(run.index, candidate, {
    source,
    chargeMicros,
    finalPriceMicros: 0,
    score: 0,
    secondScore: undefined,
    ctr: run.context.ctr,
  })
}

/** Remembers what is on the page, and says whether the winner could be reserved. */
export function reserve(run: Run, candidate: number, winner: Winner): boolean {
  if (!run.live.reserve(winner)) {
    run.refused.push(candidate)
    return false
  }
  const at = candidate * CANDIDATE.width * 2
  const campaign = run.index.candidates.i32[at + CANDIDATE.campaign]!
  run.shownBanners.push(run.index.candidates.i32[at + CANDIDATE.banner]!)
  if (campaign !== HOUSE) run.pageCampaigns?.push(campaign)
  return true
}

export function campaignKeyOf(index: DecisionIndex, candidate: number): number {
  const campaign = index.candidates.i32[candidate * CANDIDATE.width * 2 + CANDIDATE.campaign]!
  return index.campaigns.f64[campaign * CAMPAIGN.width + CAMPAIGN.key]!
}

function advertiserOf(index: DecisionIndex, candidate: number): number {
  const at = candidate * CANDIDATE.width * 2
  const campaign = index.candidates.i32[at + CANDIDATE.campaign]!
  const banner = index.candidates.i32[at + CANDIDATE.banner]!
  return campaign === HOUSE
    ? index.banners.i32[banner * BANNER.width * 2 + BANNER.advertiser]!
    : index.campaigns.i32[campaign * CAMPAIGN.width * 2 + CAMPAIGN.advertiser]!
}

/** Of the ad itself, its campaign or its advertiser. */
function hasCaps(
  { candidates, campaigns, advertisers }: DecisionIndex,
  candidate: number,
  advertiser: number,
) {
  const at = candidate * CANDIDATE.width * 2
  const campaign = candidates.i32[at + CANDIDATE.campaign]! * CAMPAIGN.width * 2
  return (
    candidates.i32[at + CANDIDATE.firstCap] !== NONE ||
    campaigns.i32[campaign + CAMPAIGN.firstCap] !== NONE ||
    advertisers.i32[advertiser * ADVERTISER.width * 2 + ADVERTISER.firstCap] !== NONE
  )
}

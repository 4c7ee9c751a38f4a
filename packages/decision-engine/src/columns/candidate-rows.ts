import {
  BANNER,
  CAMPAIGN,
  CAMPAIGN_COLD,
  CAMPAIGN_FLAG,
  type DecisionIndex,
  KIND,
  NONE,
  CANDIDATE,
  CANDIDATE_COLD,
  CANDIDATE_FLAG,
  STATE,
} from './catalogue.ts'
import { baseScoreOf, effectiveBid } from '../decide/price.ts'
import type { Pricing } from '../changes/records.ts'
import { clampAdOdds } from '../decide/scorer.ts'

/** What an candidate brings along for its place in an auction. */
export interface BidFactors {
  readonly bidMicros: number
  readonly odds: number
  /** NaN: the scorer's quality of the banner's format. */
  readonly ownQuality: number
}

export interface CandidateParts extends BidFactors {
  readonly kind: number
  readonly key: number
  readonly campaign: number
  readonly banner: number
  readonly active: boolean
  readonly firstCap: number
  readonly placement: number
}

/** A new candidate in the chains of its campaign and its banner; not yet listed. */
export function addCandidate(index: DecisionIndex, parts: CandidateParts): number {
  const candidate = index.candidates.take()
  if (index.candidatesCold.take() !== candidate) throw new Error('hot and cold rows have parted')
  const hot = candidate * CANDIDATE.width
  index.candidates.i32[hot * 2 + CANDIDATE.campaign] = parts.campaign
  index.candidates.i32[hot * 2 + CANDIDATE.banner] = parts.banner
  index.candidates.i32[hot * 2 + CANDIDATE.firstCap] = parts.firstCap

  const cold = candidate * CANDIDATE_COLD.width
  index.candidatesCold.f64[cold + CANDIDATE_COLD.key] = parts.key
  index.candidatesCold.i32[cold * 2 + CANDIDATE_COLD.state] =
    parts.kind | (parts.active ? STATE.active : 0)
  index.candidatesCold.i32[cold * 2 + CANDIDATE_COLD.placement] = parts.placement
  chain(index, candidate, campaignChain(index, parts.campaign))
  chain(index, candidate, bannerChain(index, parts.banner))
  setBidFactors(index, candidate, parts)
  return candidate
}

/** The candidate must not be listed, or be moved after it. */
export function setBidFactors(index: DecisionIndex, candidate: number, factors: BidFactors): void {
  const cold = candidate * CANDIDATE_COLD.width
  index.candidates.f64[candidate * CANDIDATE.width + CANDIDATE.odds] = clampAdOdds(factors.odds)
  index.candidatesCold.f64[cold + CANDIDATE_COLD.bid] = factors.bidMicros
  index.candidatesCold.f64[cold + CANDIDATE_COLD.ownQuality] = factors.ownQuality
  refreshCandidate(index, candidate)
}

/** The candidate must be unlisted. */
export function dropCandidate(index: DecisionIndex, candidate: number): void {
  const { i32 } = index.candidates
  const at = candidate * CANDIDATE.width * 2
  unchain(index, candidate, campaignChain(index, i32[at + CANDIDATE.campaign]!))
  unchain(index, candidate, bannerChain(index, i32[at + CANDIDATE.banner]!))
  index.candidates.release(candidate)
  index.candidatesCold.release(candidate)
}

/** Recomputes what an candidate copies from its campaign and banner; it must not be listed, or be moved after it. */
export function refreshCandidate(index: DecisionIndex, candidate: number): void {
  const { f64, i32 } = index.candidates
  const at = candidate * CANDIDATE.width
  const banner = i32[at * 2 + CANDIDATE.banner]! * BANNER.width
  f64[at + CANDIDATE.publishAt] = index.banners.f64[banner + BANNER.publishAt]!
  f64[at + CANDIDATE.expiresAt] = index.banners.f64[banner + BANNER.expiresAt]!

  const cold = candidate * CANDIDATE_COLD.width
  const own = index.candidatesCold.f64[cold + CANDIDATE_COLD.ownQuality]!
  const format = index.wordTexts[index.banners.i32[banner * 2 + BANNER.format]!]!
  const quality = Number.isNaN(own) ? index.scorer.quality(format) : own
  const bid = bidOf(index, candidate)
  const schedule = index.banners.i32[banner * 2 + BANNER.schedule]!
  i32[at * 2 + CANDIDATE.schedule] =
    schedule * 256 + (bid.pricing === 'cpc' ? CANDIDATE_FLAG.cpc : 0)
  f64[at + CANDIDATE.quality] = quality
  f64[at + CANDIDATE.effectiveBid] = bid.micros
  f64[at + CANDIDATE.baseScore] =
    baseScoreOf({ ...bid, quality }) * liftOf(index, i32[at * 2 + CANDIDATE.campaign]!)
  if (quality < index.qualityMin) index.qualityMin = quality
}

const liftOf = (index: DecisionIndex, campaign: number): number =>
  index.bidLifts.get(index.campaigns.f64[campaign * CAMPAIGN.width + CAMPAIGN.key]!) ?? 1

/** An ad's effective bid, or the booked rate of an assignment. */
function bidOf(index: DecisionIndex, candidate: number): { pricing: Pricing; micros: number } {
  const campaign = index.candidates.i32[candidate * CANDIDATE.width * 2 + CANDIDATE.campaign]!
  const flags = index.campaigns.i32[campaign * CAMPAIGN.width * 2 + CAMPAIGN.flags]!
  const pricing = (flags & CAMPAIGN_FLAG.cpc) === 0 ? 'cpm' : 'cpc'
  const terms = index.campaignsCold.f64
  const at = campaign * CAMPAIGN_COLD.width
  const cold = candidate * CANDIDATE_COLD.width
  const kind = index.candidatesCold.i32[cold * 2 + CANDIDATE_COLD.state]! & STATE.kind
  if (kind === KIND.assignment) return { pricing, micros: terms[at + CAMPAIGN_COLD.rate]! }
  const bidMicros = index.candidatesCold.f64[cold + CANDIDATE_COLD.bid]!
  const max = terms[at + CAMPAIGN_COLD.bidMax]!
  const micros = effectiveBid({
    bidMicros,
    bidMicrosMax: Number.isNaN(max) ? undefined : max,
    bidMultiplier: terms[at + CAMPAIGN_COLD.multiplier]!,
    mayExceedMax: (flags & CAMPAIGN_FLAG.mayExceedMax) !== 0,
  })
  return { pricing, micros }
}

export function candidatesOfCampaign(index: DecisionIndex, campaign: number): number[] {
  return chained(index, campaignChain(index, campaign))
}

export function candidatesOfBanner(index: DecisionIndex, banner: number): number[] {
  return chained(index, bannerChain(index, banner))
}

/** A doubly linked list through the cold rows; the head is a column of the owner's row. */
interface Chain {
  readonly heads: Int32Array
  readonly head: number
  readonly next: number
  readonly previous: number
}

const campaignChain = (index: DecisionIndex, campaign: number): Chain => ({
  heads: index.campaigns.i32,
  head: campaign * CAMPAIGN.width * 2 + CAMPAIGN.firstCandidate,
  next: CANDIDATE_COLD.nextOfCampaign,
  previous: CANDIDATE_COLD.previousOfCampaign,
})

const bannerChain = (index: DecisionIndex, banner: number): Chain => ({
  heads: index.banners.i32,
  head: banner * BANNER.width * 2 + BANNER.firstCandidate,
  next: CANDIDATE_COLD.nextOfBanner,
  previous: CANDIDATE_COLD.previousOfBanner,
})

const rowOf = (candidate: number) => candidate * CANDIDATE_COLD.width * 2

function chain(
  index: DecisionIndex,
  candidate: number,
  { heads, head, next, previous }: Chain,
): void {
  const { i32 } = index.candidatesCold
  const first = heads[head]!
  i32[rowOf(candidate) + next] = first
  i32[rowOf(candidate) + previous] = NONE
  if (first !== NONE) i32[rowOf(first) + previous] = candidate
  heads[head] = candidate
}

function unchain(index: DecisionIndex, candidate: number, links: Chain): void {
  const { i32 } = index.candidatesCold
  const next = i32[rowOf(candidate) + links.next]!
  const previous = i32[rowOf(candidate) + links.previous]!
  if (previous === NONE) links.heads[links.head] = next
  else i32[rowOf(previous) + links.next] = next
  if (next !== NONE) i32[rowOf(next) + links.previous] = previous
}

function chained(index: DecisionIndex, { heads, head, next }: Chain): number[] {
  const candidates: number[] = []
  for (let candidate = heads[head]!; candidate !== NONE;) {
    candidates.push(candidate)
    candidate = index.candidatesCold.i32[rowOf(candidate) + next]!
  }
  return candidates
}

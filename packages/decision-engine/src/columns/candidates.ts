import type { DecisionIndex } from './catalogue.ts'
import { BID, KIND, NONE } from './candidate-rows.ts'
import { CAMPAIGN_FLAG } from './tables.ts'
import { baseScoreOf, bidLimit, effectiveBid } from '../decide/price.ts'
import { clampAdOdds, LOW_CONVERSION_ODDS } from '../decide/scorer.ts'

/** What determines a candidate's rank in an auction. */
export interface BidFactors {
  readonly bidMicros: number
  readonly odds: number
  readonly conversionOdds: number
  /** NaN: use the scorer's quality for the banner's format. */
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

/** Adds a candidate to the chains of its campaign and its banner, but to no list. */
export function addCandidate(index: DecisionIndex, parts: CandidateParts): number {
  const candidate = index.candidates.take()
  index.candidates.setCampaign(candidate, parts.campaign)
  index.candidates.setBanner(candidate, parts.banner)
  index.candidates.setFirstCap(candidate, parts.firstCap)

  index.candidates.setKey(candidate, parts.key)
  index.candidates.setState(candidate, parts.kind, parts.active)
  index.candidates.setPlacement(candidate, parts.placement)
  addToChain(campaignChain(index), parts.campaign, candidate)
  addToChain(bannerChain(index), parts.banner, candidate)
  setBidFactors(index, candidate, parts)
  return candidate
}

/** The candidate must be in no list, or the caller reorders it afterwards. */
export function setBidFactors(index: DecisionIndex, candidate: number, factors: BidFactors): void {
  index.candidates.setOdds(candidate, clampAdOdds(factors.odds))
  index.candidates.setConversionOdds(candidate, clampAdOdds(factors.conversionOdds))
  index.candidates.setBid(candidate, factors.bidMicros)
  index.candidates.setOwnQuality(candidate, factors.ownQuality)
  refreshCandidate(index, candidate)
}

/** The candidate must be in no list. */
export function dropCandidate(index: DecisionIndex, candidate: number): void {
  dropFromChain(campaignChain(index), index.candidates.campaign(candidate), candidate)
  dropFromChain(bannerChain(index), index.candidates.banner(candidate), candidate)
  index.candidates.release(candidate)
}

/**
 * Recomputes the columns that a candidate copies from its campaign and banner. The candidate must be
 * in no list, or the caller reorders it afterwards.
 */
export function refreshCandidate(index: DecisionIndex, candidate: number): void {
  const banner = index.candidates.banner(candidate)
  index.candidates.setPublishAt(candidate, index.banners.publishAt(banner))
  index.candidates.setExpiresAt(candidate, index.banners.expiresAt(banner))

  const own = index.candidates.ownQuality(candidate)
  const format = index.wordTexts[index.banners.format(banner)]!
  const quality = Number.isNaN(own) ? index.scorer.quality(format) : own
  const bid = bidOf(index, candidate)
  index.candidates.setSchedule(candidate, index.banners.schedule(banner), bid.kind)
  index.candidates.setQuality(candidate, quality)
  setBid(index, candidate, bid)
  if (quality < index.qualityMin) index.qualityMin = quality
}

/** The bid that a candidate makes, by target or not. For no longer than an explanation takes. */
export function assumeBid(index: DecisionIndex, candidate: number, micros?: number): void {
  const bid = bidOf(index, candidate)
  if (micros === undefined) return setBid(index, candidate, bid)
  setBid(index, candidate, { kind: Math.min(bid.kind, BID.cpc), micros, target: 0 })
}

function setBid(index: DecisionIndex, candidate: number, bid: Bid): void {
  index.candidates.setEffectiveBid(candidate, bid.micros)
  index.candidates.setSchedule(candidate, index.candidates.schedule(candidate), bid.kind)
  index.candidates.setTarget(candidate, bid.target)
  index.candidates.setBaseScore(candidate, baseScoreAt(index, candidate))
}

const liftOf = (index: DecisionIndex, campaign: number): number =>
  index.bidLifts.get(index.campaigns.key(campaign)) ?? 1

/**
 * A bid by target is worth its target × odds of a conversion, before the context is known. What its
 * maximum bid cuts in all contexts that convert well does not count, so that it is not looked at first.
 */
function baseScoreAt(index: DecisionIndex, candidate: number): number {
  const { candidates } = index
  const quality = candidates.quality(candidate)
  if (candidates.bidKind(candidate) === BID.target) {
    const worth = candidates.target(candidate) * candidates.conversionOdds(candidate)
    return Math.min(worth, candidates.effectiveBid(candidate) / LOW_CONVERSION_ODDS) * quality
  }
  const pricing = candidates.isCpc(candidate) ? 'cpc' : 'cpm'
  const micros = candidates.effectiveBid(candidate)
  return baseScoreOf({ pricing, micros, quality }) * liftOf(index, candidates.campaign(candidate))
}

interface Bid {
  readonly kind: number
  /** Of a bid by target: the most that it may be. */
  readonly micros: number
  readonly target: number
}

/** An ad's effective bid, or the booked rate of an assignment. */
function bidOf(index: DecisionIndex, candidate: number): Bid {
  const { campaigns, candidates } = index
  const campaign = candidates.campaign(candidate)
  const flags = campaigns.flags(campaign)
  const kind = (flags & CAMPAIGN_FLAG.cpc) === 0 ? BID.cpm : BID.cpc
  if (candidates.kind(candidate) === KIND.assignment) {
    return { kind, micros: campaigns.rate(campaign), target: 0 }
  }
  const max = campaigns.bidMax(campaign)
  const terms = {
    bidMicros: candidates.bid(candidate),
    bidMicrosMax: Number.isNaN(max) ? undefined : max,
    mayExceedMax: (flags & CAMPAIGN_FLAG.mayExceedMax) !== 0,
  }
  const target = targetOf(index, campaign)
  if (target > 0) return { kind: BID.target, micros: bidLimit(terms), target }
  const bidMultiplier = campaigns.multiplier(campaign)
  return { kind, micros: effectiveBid({ ...terms, bidMultiplier }), target: 0 }
}

/** 0: the campaign does not bid by its target. */
function targetOf(index: DecisionIndex, campaign: number): number {
  const { campaigns, bidsByTarget } = index
  if (bidsByTarget.size === 0 || !bidsByTarget.has(campaigns.key(campaign))) return 0
  return hasTarget(index, campaign)
    ? campaigns.target(campaign) * campaigns.multiplier(campaign)
    : 0
}

export const hasTarget = ({ campaigns }: DecisionIndex, campaign: number): boolean =>
  campaigns.target(campaign) > 0 && (campaigns.flags(campaign) & CAMPAIGN_FLAG.cpc) !== 0

export function candidatesOfCampaign(index: DecisionIndex, campaign: number): number[] {
  return chained(campaignChain(index), campaign)
}

export function candidatesOfBanner(index: DecisionIndex, banner: number): number[] {
  return chained(bannerChain(index), banner)
}

/** A doubly linked list through the candidates of one owner; the owner's row holds the first. */
interface Chain {
  first(owner: number): number
  setFirst(owner: number, candidate: number): void
  next(candidate: number): number
  setNext(candidate: number, next: number): void
  previous(candidate: number): number
  setPrevious(candidate: number, previous: number): void
}

const campaignChain = ({ campaigns, candidates }: DecisionIndex): Chain => ({
  first: (campaign) => campaigns.firstCandidate(campaign),
  setFirst: (campaign, candidate) => campaigns.setFirstCandidate(campaign, candidate),
  next: (candidate) => candidates.nextOfCampaign(candidate),
  setNext: (candidate, next) => candidates.setNextOfCampaign(candidate, next),
  previous: (candidate) => candidates.previousOfCampaign(candidate),
  setPrevious: (candidate, previous) => candidates.setPreviousOfCampaign(candidate, previous),
})

const bannerChain = ({ banners, candidates }: DecisionIndex): Chain => ({
  first: (banner) => banners.firstCandidate(banner),
  setFirst: (banner, candidate) => banners.setFirstCandidate(banner, candidate),
  next: (candidate) => candidates.nextOfBanner(candidate),
  setNext: (candidate, next) => candidates.setNextOfBanner(candidate, next),
  previous: (candidate) => candidates.previousOfBanner(candidate),
  setPrevious: (candidate, previous) => candidates.setPreviousOfBanner(candidate, previous),
})

function addToChain(chain: Chain, owner: number, candidate: number): void {
  const first = chain.first(owner)
  chain.setNext(candidate, first)
  chain.setPrevious(candidate, NONE)
  if (first !== NONE) chain.setPrevious(first, candidate)
  chain.setFirst(owner, candidate)
}

function dropFromChain(chain: Chain, owner: number, candidate: number): void {
  const next = chain.next(candidate)
  const previous = chain.previous(candidate)
  if (previous === NONE) chain.setFirst(owner, next)
  else chain.setNext(previous, next)
  if (next !== NONE) chain.setPrevious(next, previous)
}

function chained(chain: Chain, owner: number): number[] {
  const candidates: number[] = []
  for (let candidate = chain.first(owner); candidate !== NONE;) {
    candidates.push(candidate)
    candidate = chain.next(candidate)
  }
  return candidates
}

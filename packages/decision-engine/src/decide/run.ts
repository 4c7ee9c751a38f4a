import { type LocalTime, localTime } from '@placard/calendar'
import type { CampaignRows } from '../columns/tables.ts'
import { BID, type CandidateRows, KIND, NONE } from '../columns/candidate-rows.ts'
import { hasTarget } from '../columns/candidates.ts'
import type { DecisionIndex, PlacementDetail } from '../columns/catalogue.ts'
import { bidByTarget, NO_SECOND } from './price.ts'
import type { CapScope, FrequencyWindow, Pricing, SpendVerdict } from '../changes/records.ts'
import { SCORED_KEPT_MAX } from './list-merge.ts'
import {
  clampContextCtr,
  clampConversionOdds,
  type ContextCtr,
  oddsOf,
  predictCtr,
  predictRate,
} from './scorer.ts'
import { type Context, type MarkedPrograms, markContext, traitBits } from './targeting.ts'
import type { RequestLimits } from './limits.ts'
import type { Shortlist } from './shortlist.ts'
import type { Trace } from '../explain/trace.ts'

export type Source = 'booking' | 'auction' | 'fallback' | 'evergreen'

/** One banner of a decision, with its price. */
export interface Winner {
  readonly source: Source
  /** Key of the ad (auction), the assignment (booking, fallback) or the banner (evergreen). */
  readonly key: number
  readonly bannerKey: number
  /** Undefined for evergreen banners. */
  readonly campaignKey: number | undefined
  readonly advertiserKey: number
  /** Of its banner. */
  readonly format: string
  /** A frequency cap counts its impressions. */
  readonly isCapped: boolean
  readonly pricing: Pricing
  readonly effectiveBidMicros: number
  /** In the unit of `pricing`: micros per thousand impressions, or per click. */
  readonly chargeMicros: number
  /** The most this impression can cost, in whole micros, rounded up: the amount to reserve. */
  readonly costMicros: number
  /** Micros per impression. 0 if there was no auction. */
  readonly score: number
  readonly secondScore: number | undefined
  readonly finalPriceMicros: number
  readonly ctr: number
  /** Predicted, of a campaign with a target per conversion. */
  readonly conversionRate?: number | undefined
  readonly quality: number
  /** Probability of the choice, if it was partly random. */
  readonly propensity?: number | undefined
}

/**
 * State that changes between requests without a change of the catalogue. All calls are synchronous:
 * the caller reads user state before the decision and keeps budgets in memory.
 */
export interface LiveState {
  /** The campaign may spend this much more now: budget and pacing in one verdict. */
  judgeSpend(campaignKey: number, costMicros: number): SpendVerdict
  /** Share of the budget already spent. On a tie the lower one wins. */
  utilisation(campaignKey: number): number
  /** Impressions of the request's user in the window, including held ones. */
  seen(scope: CapScope, key: number, window: FrequencyWindow): number
  /** Holds money and impressions for a winner. False: the next best tries. */
  reserve(winner: Winner): boolean
  /** No more money can be reserved for this request, so the next best need not try. */
  readonly isFull: boolean
}

/** Uniform random numbers in [0, 1). */
export interface Draws {
  next(): number
}

export interface Ports {
  readonly live: LiveState
  readonly draws: Draws
  /** Present only for an explanation. */
  readonly trace?: Trace | undefined
}

export interface DecisionRequest {
  /** The placement to fill. Without one, an auction among the publisher's placements of the type. */
  readonly placementKey?: number | undefined
  readonly placementType?: string | undefined
  readonly publisherKey?: number | undefined
  readonly nowMs: number
  /** Frequency caps apply to known users only. */
  readonly userKnown: boolean
  readonly context: Context
  /** CPM. It can only raise the placement's floor. */
  readonly floorMicros?: number | undefined
  /** At most this many banners, and never more than the placement allows. By type it is one. */
  readonly bannersMax?: number | undefined
  /** No campaign twice among the banners of the placement, as on a page: films that follow one another. */
  readonly oncePerCampaign?: boolean | undefined
  /** Ads on the page's shortlist. Their scores are multiplied by their relevance. */
  readonly shortlist?: Shortlist | undefined
  /** Limits of the request, in addition to those of its placement. */
  readonly limits?: RequestLimits | undefined
}

/** A decision in progress: the request as numbers, and the best bids so far. */
export class Run implements MarkedPrograms {
  readonly index: DecisionIndex
  readonly live: LiveState
  readonly draws: Draws
  readonly trace: Trace | undefined
  readonly nowMs: number
  readonly userKnown: boolean
  readonly placement: PlacementDetail
  readonly traits: number
  readonly hourBit: number
  readonly request: number
  readonly marks: Uint32Array
  readonly pool: Int32Array
  readonly context: ContextCtr
  private readonly reader: Context
  private readonly where: Where
  private knownConversionOdds: number | undefined
  readonly floorMicros: number
  /** No campaign may appear twice on a page. */
  readonly pageCampaigns: number[] | undefined
  /** Banners already chosen. */
  readonly shownBanners: number[]
  /** Exclusion labels of the campaigns already chosen. Mostly empty. */
  readonly shownLabels: string[]
  readonly refused: number[]
  readonly shortlist: Shortlist | undefined
  readonly limits: RequestLimits | undefined
  /** Candidates of the shortlist with their relevance. `contendersOf` scores them. */
  readonly relevant: Map<number, number>
  /** Copies of the index's references: every candidate reads these tables. */
  readonly candidates: CandidateRows
  readonly campaigns: CampaignRows
  bidsScored = 0
  best = NONE
  bestScore = NO_SECOND
  second = NONE
  secondScore = NO_SECOND
  /** The candidate judged last. */
  last = NONE
  /** Scores below this cannot matter. */
  scoreMin = 0
  /** Bounds below this are below the floor, or cannot matter. */
  lowest = 0

  constructor(index: DecisionIndex, request: DecisionRequest, setting: RunSetting) {
    const { placement, ports, page } = setting
    this.index = index
    this.candidates = index.candidates
    this.campaigns = index.campaigns
    this.live = ports.live
    this.draws = ports.draws
    this.trace = ports.trace
    this.nowMs = request.nowMs
    this.userKnown = request.userKnown
    this.placement = placement
    const time = localTime(placement.clock, request.nowMs)
    this.traits = traitBits(request.context, time.weekday)
    this.hourBit = 1 << time.hour
    this.request = markContext(index.terms, request.context)
    this.marks = index.terms.marks
    this.pool = index.programs.pool
    this.where = { placement, time }
    this.reader = request.context
    this.context = contextCtr(index, request.context, this.where)
    const floor = Math.max(index.reserveMicros, placement.record?.floorMicros ?? 0)
    this.floorMicros = Math.max(floor, request.floorMicros ?? 0)
    this.pageCampaigns = page?.campaigns
    this.shownBanners = page?.banners ?? []
    this.shownLabels = page?.labels ?? []
    this.refused = setting.refused ?? []
    this.shortlist = request.placementKey === undefined ? undefined : request.shortlist
    this.limits = request.limits
    this.relevant = this.shortlist === undefined ? NONE_RELEVANT : new Map()
  }

  /** In micros per impression, without relevance to the page. */
  scoreOf(candidate: number): number {
    const { candidates } = this
    const kind = candidates.bidKind(candidate)
    if (kind === BID.cpm) return candidates.baseScore(candidate)
    const ctr = predictCtr(candidates.odds(candidate), this.context)
    if (kind === BID.cpc) return candidates.baseScore(candidate) * ctr
    return this.bidOf(candidate) * candidates.quality(candidate) * ctr
  }

  /** The effective bid in this context, in its own unit. */
  bidOf(candidate: number): number {
    const { candidates } = this
    const limit = candidates.effectiveBid(candidate)
    if (candidates.bidKind(candidate) !== BID.target) return limit
    const rate = predictRate(candidates.conversionOdds(candidate), this.conversionOdds)
    return Math.min(limit, bidByTarget(candidates.target(candidate), rate))
  }

  /** The predicted rate, of an ad whose campaign has a target. */
  conversionRateOf(candidate: number): number | undefined {
    const { candidates, index } = this
    if (candidates.kind(candidate) !== KIND.ad) return undefined
    if (!hasTarget(index, candidates.campaign(candidate))) return undefined
    return predictRate(candidates.conversionOdds(candidate), this.conversionOdds)
  }

  /** The odds that a click in this context converts. Asked of the scorer once, if a bid depends on it. */
  get conversionOdds(): number {
    this.knownConversionOdds ??= contextConversionOdds(this.index, this.reader, this.where)
    return this.knownConversionOdds
  }

  /** Keeps the score for the auction record. */
  noteScore(candidate: number, score: number): void {
    const { scoredCandidates, scoredScores } = this.index.merge
    if (this.bidsScored < SCORED_KEPT_MAX) {
      scoredCandidates[this.bidsScored] = candidate
      scoredScores[this.bidsScored] = score
    }
    this.bidsScored++
  }

  forgetBids(): void {
    this.best = NONE
    this.bestScore = NO_SECOND
    this.second = NONE
    this.secondScore = NO_SECOND
    this.last = NONE
  }
}

/** Shared by requests without a shortlist. Never written. */
const NONE_RELEVANT = new Map<number, number>()

/** What the slots of a page that are filled already show. */
export interface ShownOnPage {
  readonly campaigns: number[]
  readonly banners: number[]
  readonly labels: string[]
}

export interface RunSetting {
  readonly placement: PlacementDetail
  readonly ports: Ports
  readonly page?: ShownOnPage | undefined
  /** Candidates that could not be reserved for the same banner before. */
  readonly refused?: number[] | undefined
}

interface Where {
  readonly placement: PlacementDetail
  readonly time: LocalTime
}

function contextCtr(
  index: DecisionIndex,
  context: Context,
  { placement: { record }, time }: Where,
): ContextCtr {
  const occasion = { placement: record, time }
  const ctr = clampContextCtr(index.scorer.contextCtr(record?.type ?? '', context, occasion))
  return { ctr, odds: oddsOf(ctr) }
}

function contextConversionOdds(
  index: DecisionIndex,
  context: Context,
  { placement: { record }, time }: Where,
): number {
  const occasion = { placement: record, time }
  const type = record?.type ?? ''
  return clampConversionOdds(index.scorer.contextConversionOdds(type, context, occasion))
}

import { type LocalTime, localTime } from '@placard/calendar'
import type { CampaignRows } from '../columns/tables.ts'
import { type CandidateRows, NONE } from '../columns/candidate-rows.ts'
import type { DecisionIndex, PlacementDetail } from '../columns/catalogue.ts'
import { NO_SECOND } from './price.ts'
import type { CapScope, FrequencyWindow, Pricing, SpendVerdict } from '../changes/records.ts'
import { SCORED_KEPT_MAX } from './list-merge.ts'
import { clampContextCtr, type ContextCtr, oddsOf, predictCtr } from './scorer.ts'
import { type Context, type MarkedPrograms, markContext, traitBits } from './targeting.ts'
import type { RequestLimits } from './limits.ts'
import type { Shortlist } from './shortlist.ts'
import type { Trace } from '../explain/trace.ts'

export type Source = 'booking' | 'auction' | 'fallback' | 'evergreen'

/** One banner of a decision, and what it is to cost. */
export interface Winner {
  readonly source: Source
  /** Key of the ad (auction), of the assignment (booking, fallback) or of the banner (evergreen). */
  readonly key: number
  readonly bannerKey: number
  /** House banners have no campaign. */
  readonly campaignKey: number | undefined
  readonly advertiserKey: number
  /** Of its banner. */
  readonly format: string
  /** Whether a frequency cap counts its showings. */
  readonly isCapped: boolean
  readonly pricing: Pricing
  readonly effectiveBidMicros: number
  /** In the unit of the pricing: micros per thousand impressions, or per click. */
  readonly chargeMicros: number
  /** The most this showing can cost, in whole micros, rounded up: what is to be reserved. */
  readonly costMicros: number
  /** Micros per impression; 0 where there was no auction. */
  readonly score: number
  readonly secondScore: number | undefined
  readonly finalPriceMicros: number
  readonly ctr: number
  readonly quality: number
  /** How likely the choice was, where chance had a part in it. */
  readonly propensity?: number | undefined
}

/**
 * What changes between two requests without a change of the catalogue. All of it is synchronous:
 * the caller reads user state before the decision and holds budgets in memory.
 */
export interface LiveState {
  /** May this campaign spend this much more now? Budget and pacing in one verdict. */
  judgeSpend(campaignKey: number, costMicros: number): SpendVerdict
  /** Share of the budget already spent; on a tie the lower one wins. */
  utilisation(campaignKey: number): number
  /** Impressions of the request's user that count in the window, held ones included. */
  seen(scope: CapScope, key: number, window: FrequencyWindow): number
  /** Holds money and impressions for a winner; false lets the next best try. */
  reserve(winner: Winner): boolean
  /** Nothing that costs can be held at the moment, whoever it is for: the next best need not try. */
  readonly isFull: boolean
}

/** Uniform numbers in [0, 1). */
export interface Draws {
  next(): number
}

export interface Ports {
  readonly live: LiveState
  readonly draws: Draws
  /** Present to explain; absent on the normal path. */
  readonly trace?: Trace | undefined
}

export interface DecisionRequest {
  /** The placement to fill; without one, `placementType` asks all placements of a type. */
  readonly placementKey?: number | undefined
  readonly placementType?: string | undefined
  readonly nowMs: number
  /** Without a known user, frequency caps do not apply. */
  readonly userKnown: boolean
  readonly context: Context
  /** A CPM amount; it can only raise the placement's floor. */
  readonly floorMicros?: number | undefined
  /** At most this many banners; the placement's own number is the other limit. */
  readonly bannersMax?: number | undefined
  /** Ads found relevant to the page: they compete by the same scores, times their relevance. */
  readonly shortlist?: Shortlist | undefined
  /** What the request accepts beyond what its placement accepts. */
  readonly limits?: RequestLimits | undefined
}

/** One decision in progress: the request compiled to numbers, and the best bids so far. */
export class Run implements MarkedPrograms {
  readonly index: DecisionIndex
  readonly live: LiveState
  readonly draws: Draws
  readonly trace: Trace | undefined
  readonly nowMs: number
  readonly userKnown: boolean
  readonly placement: PlacementDetail | undefined
  readonly placementType: string
  readonly traits: number
  readonly hourBit: number
  readonly request: number
  readonly marks: Uint32Array
  readonly pool: Int32Array
  readonly context: ContextCtr
  readonly floorMicros: number
  /** On a page no campaign comes twice. */
  readonly pageCampaigns: number[] | undefined
  /** Banner slots already chosen. */
  readonly shownBanners: number[]
  readonly refused: number[] = []
  readonly shortlist: Shortlist | undefined
  readonly limits: RequestLimits | undefined
  /** Candidates of the shortlist by their relevance: they are scored there. */
  readonly relevant: Map<number, number>
  /** The index's tables, one load closer: every candidate reads them. */
  readonly candidates: CandidateRows
  readonly campaigns: CampaignRows
  bidsScored = 0
  best = NONE
  bestScore = NO_SECOND
  second = NONE
  secondScore = NO_SECOND
  /** The candidate looked at last. */
  last = NONE
  /** Bounds below this are below the floor. */
  lowest = 0

  constructor(index: DecisionIndex, request: DecisionRequest, setting: RunSetting) {
    const { placement, ports, page } = setting
    const type = placement?.record?.type ?? request.placementType ?? ''
    this.index = index
    this.candidates = index.candidates
    this.campaigns = index.campaigns
    this.live = ports.live
    this.draws = ports.draws
    this.trace = ports.trace
    this.nowMs = request.nowMs
    this.userKnown = request.userKnown
    this.placement = placement
    this.placementType = type
    const time = localTime(placement?.clock ?? index.utc, request.nowMs)
    this.traits = traitBits(request.context, time.weekday)
    this.hourBit = 1 << time.hour
    this.request = markContext(index.terms, request.context)
    this.marks = index.terms.marks
    this.pool = index.programs.pool
    this.context = contextCtr(index, request.context, { type, placement, time })
    const floor = Math.max(index.reserveMicros, placement?.record?.floorMicros ?? 0)
    this.floorMicros = Math.max(floor, request.floorMicros ?? 0)
    this.pageCampaigns = page?.campaigns
    this.shownBanners = page?.banners ?? []
    this.shortlist = placement === undefined ? undefined : request.shortlist
    this.limits = request.limits
    this.relevant = this.shortlist === undefined ? NONE_RELEVANT : new Map()
  }

  /** In micros per impression, without what a page adds. */
  scoreOf(candidate: number): number {
    const { candidates } = this
    const baseScore = candidates.baseScore(candidate)
    if (!candidates.isCpc(candidate)) return baseScore
    return baseScore * predictCtr(candidates.odds(candidate), this.context)
  }

  /** So that a record tells of the bids that were weighed. */
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

/** Of requests without a shortlist; never written. */
const NONE_RELEVANT = new Map<number, number>()

export interface RunSetting {
  readonly placement: PlacementDetail | undefined
  readonly ports: Ports
  readonly page?: { readonly campaigns: number[]; readonly banners: number[] } | undefined
}

interface Where {
  readonly type: string
  readonly placement: PlacementDetail | undefined
  readonly time: LocalTime
}

function contextCtr(
  index: DecisionIndex,
  context: Context,
  { type, placement, time }: Where,
): ContextCtr {
  const occasion = { placement: placement?.record, time }
  const ctr = clampContextCtr(index.scorer.contextCtr(type, context, occasion))
  return { ctr, odds: oddsOf(ctr) }
}

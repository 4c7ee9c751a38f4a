import { holdAuction, traceUnreached } from './auction.ts'
import type { DecisionIndex, PlacementDetail } from '../columns/catalogue.ts'
import { type Fill, fillBookings, fillFallbacks } from './direct.ts'
import type { Placement } from '../changes/records.ts'
import { type DecisionRequest, type Ports, Run, type RunSetting, type Winner } from './run.ts'
import type { AuctionLists } from '../columns/auction-lists.ts'
import { predictCtr } from './scorer.ts'
import { SCORED_KEPT_MAX } from './list-merge.ts'
import { campaignKeyOf } from './winner.ts'

export type EmptyReason =
  | 'placement-not-found'
  | 'placement-not-on-site'
  | 'no-candidate'
  | 'site-paced'

export interface ScoredBid {
  readonly adKey: number
  readonly campaignKey: number
  readonly score: number
  /** Predicted click rate. */
  readonly ctr: number
}

export interface Decision {
  readonly winners: readonly Winner[]
  /** Why there is no winner. Undefined if there is one. */
  readonly emptyReason: EmptyReason | undefined
  /** The placement has empty slots for its placeholder. */
  readonly needsPlaceholder: boolean
  /** Number of scored bids: at least the best two if there are two, but not all bids. */
  readonly bidCount: number
  readonly topBids: readonly ScoredBid[]
  readonly floorMicros: number
  readonly indexVersion: number
}

const TOP_BIDS_MAX = 5

/**
 * Answers one request. Pure except for the ports: the same index, request, live state and draws give
 * the same decision. Synchronous. The index must not change while it runs.
 */
export function decide(index: DecisionIndex, request: DecisionRequest, ports: Ports): Decision {
  if (request.placementKey === undefined) {
    const run = new Run(index, request, { placement: undefined, ports })
    return fillType(run, request)
  }
  const placement = findActive(index, request.placementKey)
  if (placement === undefined) return emptyDecision(index, 'placement-not-found')
  return fillPlacement(index, request, { placement, ports })
}

/** An auction by placement type chooses one banner unless the request asks for more. */
function fillType(run: Run, request: DecisionRequest): Decision {
  const fill = { winners: [], slots: request.bannersMax ?? 1 }
  const lists = run.index.typeLists.get(run.placementType)
  if (lists === undefined) traceUnreached(run)
  else fillByAuction(run, lists, fill)
  return conclude(run, fill)
}

export function fillPlacement(
  index: DecisionIndex,
  request: DecisionRequest,
  setting: RunSetting & { readonly placement: PlacementDetail },
): Decision {
  const { placement } = setting
  const record = placement.record!
  const run = new Run(index, request, setting)
  const slots = Math.min(record.maxBanners, request.bannersMax ?? Infinity)
  const fill: Fill = { winners: [], slots }
  if (record.mode !== 'auction') fillBookings(run, placement, fill)
  if (record.mode !== 'direct') {
    fillByAuction(run, placement.auctionLists, fill)
  }
  if (record.allowPartialRender && fill.winners.length < slots) fillFallbacks(run, placement, fill)
  return conclude(run, fill)
}

function fillByAuction(run: Run, lists: AuctionLists, { winners, slots }: Fill): void {
  if (winners.length >= slots) traceUnreached(run)
  while (winners.length < slots) {
    const winner = holdAuction(run, lists)
    if (winner === undefined) return
    winners.push(winner)
  }
}

function conclude(run: Run, { winners, slots }: Fill): Decision {
  const isShort = winners.length < slots
  const mayPad = run.placement?.record?.allowPartialRender === true
  return {
    winners,
    emptyReason: winners.length === 0 ? 'no-candidate' : undefined,
    needsPlaceholder: winners.length === 0 || (isShort && mayPad),
    bidCount: run.bidsScored,
    topBids: topBids(run),
    floorMicros: run.floorMicros,
    indexVersion: run.index.version,
  }
}

/** The best kept bids, by insertion sort: there are usually two or three, nearly in order. */
function topBids(run: Run): readonly ScoredBid[] {
  const { bidsScored } = run
  const { scoredScores } = run.index.merge
  const bids: ScoredBid[] = []
  for (let i = 0; i < bidsScored && i < SCORED_KEPT_MAX; i++) {
    const score = scoredScores[i]!
    let at = bids.length
    while (at > 0 && bids[at - 1]!.score < score) at--
    if (at === TOP_BIDS_MAX) continue
    bids.splice(at, 0, new KeptBid(run, i))
    if (bids.length > TOP_BIDS_MAX) bids.pop()
  }
  return bids
}

/** A bid that the auction kept. A class for the same reason as `PricedWinner`. */
class KeptBid implements ScoredBid {
  readonly adKey: number
  readonly campaignKey: number
  readonly score: number
  readonly ctr: number

  constructor({ index, context }: Run, at: number) {
    const candidate = index.merge.scoredCandidates[at]!
    this.adKey = index.candidates.key(candidate)
    this.campaignKey = campaignKeyOf(index, candidate)
    this.score = index.merge.scoredScores[at]!
    this.ctr = predictCtr(index.candidates.odds(candidate), context)
  }
}

export function emptyDecision(index: DecisionIndex, emptyReason: EmptyReason): Decision {
  return {
    winners: [],
    emptyReason,
    needsPlaceholder: emptyReason !== 'placement-not-found',
    bidCount: 0,
    topBids: [],
    floorMicros: 0,
    indexVersion: index.version,
  }
}

export function findActive(index: DecisionIndex, key: number): PlacementDetail | undefined {
  const slot = index.placementRows.get(key)
  const placement = slot === undefined ? undefined : index.placements[slot]
  return placement?.record?.active === true ? placement : undefined
}

/** The active placement with this slug. */
export function findPlacement(index: DecisionIndex, slug: string): Placement | undefined {
  const slot = index.placementBySlug.get(slug)
  const record = slot === undefined ? undefined : index.placements[slot]!.record
  return record?.active === true ? record : undefined
}

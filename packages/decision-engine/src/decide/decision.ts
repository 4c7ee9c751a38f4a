import type { DecisionIndex } from '../columns/catalogue.ts'
import { SCORED_KEPT_MAX } from './list-merge.ts'
import type { Run, Winner } from './run.ts'
import { predictCtr } from './scorer.ts'
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
  /** The click rate that was predicted for it. */
  readonly ctr: number
}

export interface Decision {
  readonly winners: readonly Winner[]
  /** The placement the winners are for. Undefined where there is none: by type, without a winner. */
  readonly placementKey: number | undefined
  /** Why there is no winner; undefined when there is one. */
  readonly emptyReason: EmptyReason | undefined
  /** The placement has room that its placeholder is to fill. */
  readonly needsPlaceholder: boolean
  /** Bids scored: at least the best two where two exist, not all that could have been. */
  readonly bidCount: number
  readonly topBids: readonly ScoredBid[]
  readonly floorMicros: number
  readonly indexVersion: number
}

export const TOP_BIDS_MAX = 5

/** How many of the bids of a run are kept. */
export const keptBids = ({ bidsScored }: Run): number => Math.min(bidsScored, SCORED_KEPT_MAX)

/** The best of the bids kept, by insertion: there are two or three of them, nearly in order. */
export function topBids(run: Run): readonly ScoredBid[] {
  const { candidates, merge } = run.index
  const count = keptBids(run)
  const bids: ScoredBid[] = []
  for (let i = 0; i < count; i++) {
    const score = merge.scoredScores[i]!
    const adKey = candidates.key(merge.scoredCandidates[i]!)
    let at = bids.length
    while (at > 0 && compareBids(bids[at - 1]!, { score, adKey }) > 0) at--
    if (at === TOP_BIDS_MAX) continue
    bids.splice(at, 0, new KeptBid(run, i))
    if (bids.length > TOP_BIDS_MAX) bids.pop()
  }
  return bids
}

/** The higher score first; of equal scores the older ad. */
export const compareBids = (
  one: Pick<ScoredBid, 'adKey' | 'score'>,
  other: Pick<ScoredBid, 'adKey' | 'score'>,
): number => other.score - one.score || one.adKey - other.adKey

/** One of the bids that the walk has kept; by a constructor for the reason that winners are. */
export class KeptBid implements ScoredBid {
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
    placementKey: undefined,
    emptyReason,
    needsPlaceholder: emptyReason !== 'placement-not-found',
    bidCount: 0,
    topBids: [],
    floorMicros: 0,
    indexVersion: index.version,
  }
}

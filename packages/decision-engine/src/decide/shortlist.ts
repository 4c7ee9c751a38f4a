import { NONE } from '../columns/candidate-rows.ts'
import { judgeFully } from './gates.ts'
import { PASSED } from '../explain/reasons.ts'
import type { Run, Winner } from './run.ts'
import { predictCtr } from './scorer.ts'
import { SCORED_KEPT_MAX } from './list-merge.ts'
import { reserve, winnerOf } from './winner.ts'

/** Ads that were found for a slot before anybody asked, and who chooses among them. */
export interface Shortlist {
  readonly adKeys: readonly number[]
  /** Chooses among those that may be shown now; undefined when none should be. */
  choose(bids: readonly ShortlistBid[], floorMicros: number): ShortlistChoice | undefined
}

export interface ShortlistBid {
  /** Index of its ad in the shortlist. */
  readonly place: number
  /** What a thousand impressions are expected to bring, at most. */
  readonly cpmMicros: number
}

export interface ShortlistChoice {
  /** Index of the bid. */
  readonly at: number
  /** What a thousand impressions cost; between the floor and the bid. */
  readonly clearingCpmMicros: number
  /** How likely this choice was. */
  readonly propensity: number
}

const ATTEMPTS_MAX = 16

/** The chosen ad of the shortlist that can be reserved; undefined when there is none. */
export function holdShortlist(run: Run, shortlist: Shortlist): Winner | undefined {
  for (let attempt = 0; attempt < ATTEMPTS_MAX; attempt++) {
    const candidates: number[] = []
    const bids = bidsOf(run, shortlist, candidates)
    if (bids.length === 0) return undefined
    const choice = shortlist.choose(bids, run.floorMicros)
    if (choice === undefined) return undefined
    const winner = winnerFor(run, candidates[choice.at]!, { bid: bids[choice.at]!, choice })
    if (reserve(run, candidates[choice.at]!, winner)) return winner
    if (run.live.isFull) return undefined
  }
  return undefined
}

function bidsOf(run: Run, { adKeys }: Shortlist, candidates: number[]): ShortlistBid[] {
  const bids: ShortlistBid[] = []
  for (let place = 0; place < adKeys.length; place++) {
    const candidate = run.index.adRows.get(adKeys[place]!) ?? NONE
    if (candidate === NONE || run.refused.includes(candidate)) continue
    if (judgeFully(run, candidate) !== PASSED) continue
    const cpmMicros = cpmOf(run, candidate)
    if (cpmMicros < run.floorMicros || cpmMicros === 0) continue
    noteScore(run, candidate, cpmMicros / 1000)
    candidates.push(candidate)
    bids.push({ place, cpmMicros })
  }
  return bids
}

/** So that a record tells of the bids that were weighed. */
function noteScore(run: Run, candidate: number, score: number): void {
  const { scoredCandidates, scoredScores } = run.index.merge
  if (run.bidsScored < SCORED_KEPT_MAX) {
    scoredCandidates[run.bidsScored] = candidate
    scoredScores[run.bidsScored] = score
  }
  run.bidsScored++
}

function cpmOf(run: Run, candidate: number): number {
  const bidMicros = run.candidates.effectiveBid(candidate)
  return run.candidates.isCpc(candidate) ? bidMicros * ctrOf(run, candidate) * 1000 : bidMicros
}

const ctrOf = (run: Run, candidate: number) =>
  predictCtr(run.candidates.odds(candidate), run.context)

interface Chosen {
  readonly bid: ShortlistBid
  readonly choice: ShortlistChoice
}

/** The charge is in the bid's own unit: per click it is what a click of that worth costs. */
function winnerFor(run: Run, candidate: number, { bid, choice }: Chosen): Winner {
  const effectiveBid = run.candidates.effectiveBid(candidate)
  const ctr = ctrOf(run, candidate)
  const { clearingCpmMicros, propensity } = choice
  const charge = run.candidates.isCpc(candidate)
    ? clearingCpmMicros / (1000 * ctr)
    : clearingCpmMicros
  return winnerOf(run.index, candidate, {
    source: 'auction',
    chargeMicros: Math.min(effectiveBid, Math.ceil(charge)),
    finalPriceMicros: Math.round(clearingCpmMicros / 1000),
    score: bid.cpmMicros / 1000,
    secondScore: undefined,
    ctr,
    propensity,
  })
}

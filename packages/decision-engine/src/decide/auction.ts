import type { DecisionIndex } from '../columns/catalogue.ts'
import { BID, KIND, NONE } from '../columns/candidate-rows.ts'
import { candidatesOfCampaign } from '../columns/candidates.ts'
import { judgeFully, judgeListed } from './gates.ts'
import { NO_SECOND, priceOf } from './price.ts'
import { CODE, PASSED } from '../explain/reasons.ts'
import type { Run, Winner } from './run.ts'
import { ANY, type AuctionLists, listOf } from '../columns/auction-lists.ts'
import { LOW_CONVERSION_ODDS, predictCtr } from './scorer.ts'
import type { ListMerge } from './list-merge.ts'
import { chooseContender, type Contender, contendersOf } from './shortlist.ts'
import { campaignKeyOf, reserve, type Terms, winnerOf } from './winner.ts'

/** A reservation is refused only if a budget runs out between gate and reservation, which is rare. */
export const RESERVATION_ATTEMPTS_MAX = 16
/** Covers rounding: a bound and its score multiply different numbers. */
const BOUND_SLACK = 1 + 1e-12

/**
 * Holds one auction: the best bid that can be reserved wins at the second price. Undefined if none can
 * be reserved. The scores of ads on the page's shortlist are multiplied by their relevance.
 */
export function holdAuction(run: Run, lists: AuctionLists): Winner | undefined {
  for (let attempt = 0; attempt < RESERVATION_ATTEMPTS_MAX; attempt++) {
    const found = bestOf(run, lists)
    if (found === undefined) return undefined
    const { candidate, winner } = found
    if (reserve(run, candidate, winner)) {
      run.trace?.won(candidate)
      return winner
    }
    run.trace?.note(run, candidate, CODE['reservation-refused'])
    if (run.live.isFull) return undefined
  }
  return undefined
}

function bestOf(run: Run, lists: AuctionLists) {
  const { shortlist } = run
  run.forgetBids()
  const contenders = shortlist === undefined ? NO_CONTENDERS : contendersOf(run, shortlist)
  weighBids(run, lists)
  if (contenders.length > 0) {
    const chosen = chooseContender(run, shortlist!, contenders)
    if (chosen !== undefined) return chosen
    for (const { score } of contenders) run.secondScore = Math.max(run.secondScore, score)
  }
  return run.best === NONE ? undefined : { candidate: run.best, winner: priced(run) }
}

/** Finds the two best bids of a placement. Under explanation it looks at all. */
export function weighBids(run: Run, lists: AuctionLists): void {
  const { limits, trace } = run
  if (trace !== undefined) {
    for (const candidate of trace.auctionCandidates(run)) considerTraced(run, candidate)
  } else if (limits?.campaigns === undefined) mergeBestFirst(run, lists)
  else considerDeals(run, limits.campaigns)
}

/** A private auction has few campaigns, so it reads them directly instead of searching the lists. */
function considerDeals(run: Run, campaignKeys: ReadonlySet<number>): void {
  for (const key of campaignKeys) {
    const campaign = run.index.campaignRows.get(key)
    if (campaign === undefined) continue
    for (const candidate of candidatesOfCampaign(run.index, campaign)) {
      if (run.candidates.kind(candidate) !== KIND.ad) continue
      if (judgeFully(run, candidate) === PASSED) scoreBid(run, candidate)
    }
  }
}

const NO_CONTENDERS: readonly Contender[] = []

/** For an explanation: judges the ads that found no empty slot. */
export function traceUnreached(run: Run): void {
  const { trace, shortlist } = run
  if (trace === undefined) return
  const listed = shortlist?.adKeys.flatMap((key) => run.index.adRows.get(key) ?? []) ?? []
  for (const candidate of new Set([...trace.auctionCandidates(run), ...listed])) {
    trace.note(run, candidate, judgeFully(run, candidate) || CODE['slots-full'])
  }
}

export const priced = (run: Run): Winner => winnerOf(run.index, run.best, new AuctionTerms(run))

/** The terms on which the best bid wins. A class for the same reason as `PricedWinner`. */
class AuctionTerms implements Terms {
  readonly source = 'auction'
  readonly isCpc: boolean
  readonly effectiveBidMicros: number
  readonly conversionRate: number | undefined
  readonly ctr: number
  readonly score: number
  readonly secondScore: number | undefined
  readonly chargeMicros: number
  readonly finalPriceMicros: number

  constructor(run: Run) {
    const { index, best, bestScore, secondScore, context, floorMicros } = run
    this.isCpc = index.candidates.isCpc(best)
    this.effectiveBidMicros = run.bidOf(best)
    this.conversionRate = run.conversionRateOf(best)
    this.ctr = predictCtr(index.candidates.odds(best), context)
    this.score = bestScore
    this.secondScore = secondScore === NO_SECOND ? undefined : secondScore
    const price = priceOf(this, secondScore, floorMicros)
    this.chargeMicros = price.chargeMicros
    this.finalPriceMicros = price.finalPriceMicros
  }
}

/**
 * Merges the lists that can contain a candidate of this request, best bound first. Stops when the best
 * remaining bound can change neither the winner nor the second price.
 */
function mergeBestFirst(run: Run, lists: AuctionLists): void {
  const { merge } = run.index
  gatherLists(run, lists)
  // A bid with a lower bound is below the floor, whatever its quality.
  const lowest = (run.floorMicros * run.index.qualityMin) / 1000 / BOUND_SLACK
  run.lowest = Math.max(lowest, run.scoreMin)
  while (merge.count > 0) {
    const at = bestHead(run.index)
    if (!followList(run, lists, at)) return
  }
}

/** Reads one list as long as its next candidate has the best bound. False: the merge is over. */
function followList(run: Run, lists: AuctionLists, at: number): boolean {
  const { merge } = run.index
  const next = nextBound(merge, at)
  let bound = merge.bounds[at]!
  do {
    if (bound < run.lowest || bound < run.secondScore) return false
    if (bound === run.secondScore && run.secondScore < run.bestScore) return false

    const candidate = merge.candidates[at]!
    // An ad that targets two terms of the request is in two lists.
    if (candidate !== run.last && candidate !== run.best && candidate !== run.second) {
      run.last = candidate
      if (judgeListed(run, candidate) === PASSED) scoreBid(run, candidate)
    }
    if (!merge.advance(at)) {
      merge.drop(at)
      return true
    }
    bound = boundOf(run, lists, at)
  } while (bound > next)
  merge.bounds[at] = bound
  return true
}

/** Collects the lists that the request must read, each with its first candidate. */
function gatherLists(run: Run, lists: AuctionLists): void {
  const { merge, terms } = run.index
  merge.begin(lists)
  gatherGroup(run, lists, ANY)
  if (!lists.isSplit) return
  const { marked } = terms
  for (let i = 0; i < marked.length; i++) {
    const group = lists.groupByTerm.get(marked[i]!)
    if (group !== undefined) gatherGroup(run, lists, group)
  }
}

function gatherGroup(run: Run, lists: AuctionLists, group: number): void {
  const { merge } = run.index
  const cpm = listOf(group, BID.cpm)
  const cpc = listOf(group, BID.cpc)
  const target = listOf(group, BID.target)
  const pricing = run.limits?.pricing
  if (pricing !== 'cpc' && lists.headOf(cpm) !== NONE) {
    merge.push(lists, cpm, lists.headScoreOf(cpm))
  }
  // A request that takes only prices per thousand need not walk past those per click.
  if (pricing === 'cpm') return
  if (lists.headOf(cpc) !== NONE) {
    merge.push(lists, cpc, lists.headScoreOf(cpc) * contextFactor(run, lists))
  }
  if (lists.headOf(target) !== NONE) {
    merge.push(lists, target, lists.headScoreOf(target) * targetFactor(run, lists))
  }
}

/**
 * The most that the next candidate of a list, or any after it, can score. A CPM score does not depend
 * on the context. A CPC score is exact while no ad has its own click term. With such terms the rate is
 * o / (1 + o), where o = odds of the ad × odds of the context; the bound uses o, 2 % more at a rate of 2 %.
 * A bid by target has the same for its conversion rate, and may be cut by its maximum.
 */
function boundOf(run: Run, lists: AuctionLists, at: number): number {
  const { merge } = run.index
  const candidate = merge.candidates[at]!
  const kind = merge.kinds[at]!
  if (kind === BID.cpm) return run.candidates.baseScore(candidate)
  const factor = kind === BID.cpc ? contextFactor(run, lists) : targetFactor(run, lists)
  return lists.clickBaseScore(candidate) * factor
}

/** While no ad has its own click term, the click base score equals the base score. */
const contextFactor = ({ context }: Run, { isLearned }: AuctionLists): number =>
  isLearned ? context.odds * BOUND_SLACK : context.ctr

const targetFactor = (run: Run, lists: AuctionLists): number =>
  contextFactor(run, lists) * Math.max(run.conversionOdds, LOW_CONVERSION_ODDS) * BOUND_SLACK

function bestHead(index: DecisionIndex): number {
  const { merge } = index
  const { bounds, count } = merge
  let best = 0
  let bound = bounds[0]!
  for (let at = 1; at < count; at++) {
    const other = bounds[at]!
    if (other < bound) continue
    if (other === bound && !precedes(index, merge.candidates[at]!, merge.candidates[best]!))
      continue
    best = at
    bound = other
  }
  return best
}

/** The best bound of all other lists. */
function nextBound({ bounds, count }: ListMerge, except: number): number {
  let next = -1
  for (let at = 0; at < count; at++) {
    if (at !== except && bounds[at]! > next) next = bounds[at]!
  }
  return next
}

/** Equal bounds are read in the order of the lists, so an ad in two lists comes twice in a row. */
function precedes(index: DecisionIndex, candidate: number, other: number): boolean {
  const difference = index.candidates.quality(candidate) - index.candidates.quality(other)
  return difference === 0 ? keyOf(index, candidate) < keyOf(index, other) : difference > 0
}

/** For an explanation: passes one candidate through every gate and, if it passes, into the auction. */
function considerTraced(run: Run, candidate: number): void {
  if (run.refused.includes(candidate) || run.relevant.has(candidate)) return
  const reason = judgeFully(run, candidate)
  if (reason === PASSED) scoreBid(run, candidate)
  else run.trace?.note(run, candidate, reason)
}

function scoreBid(run: Run, candidate: number): void {
  if (run.refused.length > 0 && run.refused.includes(candidate)) return
  if (run.relevant.size > 0 && run.relevant.has(candidate)) return
  const { trace, candidates } = run
  const isCpc = candidates.isCpc(candidate)
  const ctr = predictCtr(candidates.odds(candidate), run.context)
  const bidMicros = run.bidOf(candidate)
  const cpm = isCpc ? bidMicros * ctr * 1000 : bidMicros
  if (cpm < run.floorMicros || cpm === 0) {
    if (trace !== undefined) trace.note(run, candidate, CODE['below-floor'])
    return
  }
  const score = run.scoreOf(candidate)
  if (trace !== undefined) trace.noteScore(run, candidate, score)
  enter(run, candidate, score)
}

function enter(run: Run, candidate: number, score: number): void {
  run.noteScore(candidate, score)
  if (run.best === NONE || beats(run, candidate, score)) {
    run.second = run.best
    run.secondScore = run.bestScore
    run.best = candidate
    run.bestScore = score
  } else if (score > run.secondScore) {
    run.second = candidate
    run.secondScore = score
  }
}

const beats = (run: Run, candidate: number, score: number): boolean =>
  score === run.bestScore ? winsTie(run, candidate, run.best) : score > run.bestScore

/** Of equal scores: higher quality, then the lower share of the budget spent, then the older ad. */
export function winsTie({ index, live }: Run, candidate: number, other: number): boolean {
  const quality = index.candidates.quality(candidate) - index.candidates.quality(other)
  if (quality !== 0) return quality > 0
  const spent =
    live.utilisation(campaignKeyOf(index, candidate)) -
    live.utilisation(campaignKeyOf(index, other))
  return spent === 0 ? keyOf(index, candidate) < keyOf(index, other) : spent < 0
}

const keyOf = (index: DecisionIndex, candidate: number) => index.candidates.key(candidate)

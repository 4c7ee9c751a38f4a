import { type DecisionIndex, NONE, OFFER, OFFER_COLD, OFFER_FLAG } from '../columns/catalogue.ts'
import { judgeFully, judgeListed } from './gates.ts'
import { NO_SECOND, priceOf } from './price.ts'
import { CODE, PASSED } from '../explain/reasons.ts'
import type { Run, Winner } from './run.ts'
import { ANY, type Scope } from '../columns/scope.ts'
import { predictCtr } from './scorer.ts'
import { SCORED_KEPT_MAX, type Walk } from './walk.ts'
import { campaignKeyOf, reserve, type Terms, winnerOf } from './winner.ts'

/** A reservation is refused when a budget runs out between gate and hold: rare, and bounded. */
const RESERVATION_ATTEMPTS_MAX = 16
/** Covers the rounding of a bound that is a product of other numbers than its score. */
const BOUND_SLACK = 1 + 1e-12

/** One auction: the best bid that can be reserved, at the second price; undefined when none can. */
export function holdAuction(run: Run, scope: Scope): Winner | undefined {
  for (let attempt = 0; attempt < RESERVATION_ATTEMPTS_MAX; attempt++) {
    run.forgetBids()
    if (run.trace === undefined) walkBest(run, scope)
    else for (const offer of run.trace.candidates(run)) considerTraced(run, offer)
    if (run.best === NONE) return undefined

    const winner = priced(run)
    if (reserve(run, run.best, winner)) {
      run.trace?.won(run.best)
      return winner
    }
    run.trace?.note(run, run.best, CODE['reservation-refused'])
    if (run.live.isFull) return undefined
  }
  return undefined
}

/** Under explanation: what would have become of the ads that no slot was left for. */
export function traceUnreached(run: Run): void {
  const { trace } = run
  if (trace === undefined) return
  for (const offer of trace.candidates(run)) {
    trace.note(run, offer, judgeFully(run, offer) || CODE['slots-full'])
  }
}

const priced = (run: Run): Winner => winnerOf(run.index, run.best, new AuctionTerms(run))

/** At which the best bid wins; by a constructor for the reason that winners are. */
class AuctionTerms implements Terms {
  readonly source = 'auction'
  readonly isCpc: boolean
  readonly effectiveBidMicros: number
  readonly ctr: number
  readonly score: number
  readonly secondScore: number | undefined
  readonly chargeMicros: number
  readonly finalPriceMicros: number

  constructor({ index, best, bestScore, secondScore, context, floorMicros }: Run) {
    const { f64, i32 } = index.offers
    const at = best * OFFER.lanes
    this.isCpc = (i32[at * 2 + OFFER.schedule]! & OFFER_FLAG.cpc) !== 0
    this.effectiveBidMicros = f64[at + OFFER.effectiveBid]!
    this.ctr = predictCtr(f64[at + OFFER.odds]!, context)
    this.score = bestScore
    this.secondScore = secondScore === NO_SECOND ? undefined : secondScore
    const price = priceOf(this, secondScore, floorMicros)
    this.chargeMicros = price.chargeMicros
    this.finalPriceMicros = price.finalPriceMicros
  }
}

/**
 * Merges the lists that can hold a candidate of this request, best bound first, until the best
 * bound left can change neither the winner nor the second price.
 */
function walkBest(run: Run, scope: Scope): void {
  const { walk } = run.index
  gatherLists(run, scope)
  // Whatever its quality, a bid whose bound is lower than this is below the floor.
  run.lowest = (run.floorMicros * run.index.qualityMin) / 1000 / BOUND_SLACK
  while (walk.count > 0) {
    const at = bestHead(run.index)
    if (!followList(run, scope, at)) return
  }
}

/** Takes one list as long as its head is the best of all; false when the walk is over. */
function followList(run: Run, scope: Scope, at: number): boolean {
  const { walk } = run.index
  const next = nextBound(walk, at)
  let bound = walk.bounds[at]!
  do {
    if (bound < run.lowest || bound < run.secondScore) return false
    if (bound === run.secondScore && run.secondScore < run.bestScore) return false

    const offer = walk.offers[at]!
    // An ad that targets two terms of the request is in two of the lists.
    if (offer !== run.last && offer !== run.best && offer !== run.second) {
      run.last = offer
      if (judgeListed(run, offer) === PASSED) scoreBid(run, offer)
    }
    if (!walk.advance(at)) {
      walk.drop(at)
      return true
    }
    bound = boundOf(run, scope, at)
  } while (bound > next)
  walk.bounds[at] = bound
  return true
}

/** Puts the heads of the lists in place. */
function gatherLists(run: Run, scope: Scope): void {
  const { walk, terms } = run.index
  walk.begin(scope)
  gatherPair(run, scope, ANY)
  if (!scope.isSplit) return
  const { marked } = terms
  for (let i = 0; i < marked.length; i++) {
    const pair = scope.pairByTerm.get(marked[i]!)
    if (pair !== undefined) gatherPair(run, scope, pair)
  }
}

function gatherPair(run: Run, scope: Scope, pair: number): void {
  const { walk } = run.index
  const cpm = 2 * pair
  const cpc = cpm + 1
  if (scope.headOf(cpm) !== NONE) walk.push(scope, cpm, scope.worthOf(cpm))
  if (scope.headOf(cpc) !== NONE) {
    walk.push(scope, cpc, scope.worthOf(cpc) * perClickWorth(run, scope))
  }
}

/**
 * The most that the head of a list, or what follows it, can score. A cpm score depends on no context.
 * A cpc score is exact while no ad has a click term of its own. With such terms o / (1 + o), o being
 * the odds of ad and context, stays below o: by two in a hundred where two in a hundred click.
 */
function boundOf(run: Run, scope: Scope, at: number): number {
  const { walk } = run.index
  const offer = walk.offers[at]!
  const worth = run.offersF64[offer * OFFER.lanes + OFFER.worth]!
  return walk.isCpc[at] === 0 ? worth : scope.clickWorth(offer) * perClickWorth(run, scope)
}

/** While no ad has a click term of its own, its click worth is its worth. */
const perClickWorth = ({ context }: Run, { isLearned }: Scope): number =>
  isLearned ? context.odds * BOUND_SLACK : context.ctr

function bestHead(index: DecisionIndex): number {
  const { walk } = index
  const { bounds, count } = walk
  let best = 0
  let bound = bounds[0]!
  for (let at = 1; at < count; at++) {
    const other = bounds[at]!
    if (other < bound) continue
    if (other === bound && !precedes(index, walk.offers[at]!, walk.offers[best]!)) continue
    best = at
    bound = other
  }
  return best
}

/** The best bound of all other lists. */
function nextBound({ bounds, count }: Walk, except: number): number {
  let next = -1
  for (let at = 0; at < count; at++) {
    if (at !== except && bounds[at]! > next) next = bounds[at]!
  }
  return next
}

/** The order of equal bounds is that of the lists, so that the same ad comes twice in a row. */
function precedes(index: DecisionIndex, offer: number, other: number): boolean {
  const { f64 } = index.offers
  const difference =
    f64[offer * OFFER.lanes + OFFER.quality]! - f64[other * OFFER.lanes + OFFER.quality]!
  return difference === 0 ? keyOf(index, offer) < keyOf(index, other) : difference > 0
}

/** Under explanation: one candidate through every gate and, if it passes, into the auction. */
function considerTraced(run: Run, offer: number): void {
  if (run.refused.includes(offer)) return
  const reason = judgeFully(run, offer)
  if (reason === PASSED) scoreBid(run, offer)
  else run.trace?.note(run, offer, reason)
}

function scoreBid(run: Run, offer: number): void {
  if (run.refused.length > 0 && run.refused.includes(offer)) return
  const { offersF64, offersI32, trace } = run
  const at = offer * OFFER.lanes
  const isCpc = (offersI32[at * 2 + OFFER.schedule]! & OFFER_FLAG.cpc) !== 0
  const ctr = predictCtr(offersF64[at + OFFER.odds]!, run.context)
  const bidMicros = offersF64[at + OFFER.effectiveBid]!
  const cpm = isCpc ? bidMicros * ctr * 1000 : bidMicros
  if (cpm < run.floorMicros || cpm === 0) {
    if (trace !== undefined) trace.note(run, offer, CODE['below-floor'])
    return
  }
  const worth = offersF64[at + OFFER.worth]!
  const score = isCpc ? worth * ctr : worth
  if (trace !== undefined) trace.noteScore(run, offer, score)
  enter(run, offer, score)
}

function enter(run: Run, offer: number, score: number): void {
  if (run.bidsScored < SCORED_KEPT_MAX) {
    run.index.walk.scoredOffers[run.bidsScored] = offer
    run.index.walk.scoredScores[run.bidsScored] = score
  }
  run.bidsScored++
  if (run.best === NONE || beats(run, offer, score)) {
    run.second = run.best
    run.secondScore = run.bestScore
    run.best = offer
    run.bestScore = score
  } else if (score > run.secondScore) {
    run.second = offer
    run.secondScore = score
  }
}

/** Higher score, then higher quality, then the lower share of its budget spent, then the older ad. */
function beats(run: Run, offer: number, score: number): boolean {
  if (score !== run.bestScore) return score > run.bestScore
  const { index, live, best } = run
  const { f64 } = index.offers
  const quality =
    f64[offer * OFFER.lanes + OFFER.quality]! - f64[best * OFFER.lanes + OFFER.quality]!
  if (quality !== 0) return quality > 0
  const spent =
    live.utilisation(campaignKeyOf(index, offer)) - live.utilisation(campaignKeyOf(index, best))
  return spent === 0 ? keyOf(index, offer) < keyOf(index, best) : spent < 0
}

const keyOf = (index: DecisionIndex, offer: number) =>
  index.offersCold.f64[offer * OFFER_COLD.lanes + OFFER_COLD.key]!

import { NONE } from '../columns/candidate-rows.ts'
import { judgeFully } from './gates.ts'
import { NO_SECOND, PRICE_STEP_MICROS, roundHalfUp } from './price.ts'
import { CODE, PASSED } from '../explain/reasons.ts'
import type { Run, Winner } from './run.ts'
import { predictCtr } from './scorer.ts'
import { winnerOf } from './winner.ts'

/** Ads that the auctioneer found relevant to a page ahead of time, and the choice among them. */
export interface Shortlist {
  readonly adKeys: readonly number[]
  /** Factor on the score of each ad on this page, at least 1. */
  readonly relevance: readonly number[]
  /** Chooses among the bids that score at least as much as the best other bid. */
  choose(bids: readonly ShortlistBid[], floorMicros: number): ShortlistChoice
}

export interface ShortlistBid {
  /** Index of its ad in the shortlist. */
  readonly place: number
  /** Expected revenue of 1,000 impressions at the full bid. */
  readonly cpmMicros: number
}

export interface ShortlistChoice {
  /** Index of the bid. */
  readonly at: number
  /** Price of 1,000 impressions, between the floor and the bid. */
  readonly clearingCpmMicros: number
  /** Probability of this choice. */
  readonly propensity: number
}

/** A bid of the shortlist that passed every gate. */
export interface Contender extends ShortlistBid {
  readonly candidate: number
  readonly score: number
}

/** The shortlist's bids that pass every gate, each with its score on this page. */
export function contendersOf(run: Run, { adKeys, relevance }: Shortlist): Contender[] {
  const contenders: Contender[] = []
  for (let place = 0; place < adKeys.length; place++) {
    const candidate = run.index.adRows.get(adKeys[place]!) ?? NONE
    if (candidate === NONE || run.refused.includes(candidate)) continue
    run.relevant.set(candidate, relevance[place]!)
    const reason = judgeFully(run, candidate)
    if (reason !== PASSED) {
      run.trace?.note(run, candidate, reason)
      continue
    }
    const cpmMicros = cpmOf(run, candidate)
    if (cpmMicros < run.floorMicros || cpmMicros === 0) {
      run.trace?.note(run, candidate, CODE['below-floor'])
      continue
    }
    const score = run.scoreOf(candidate) * relevance[place]!
    run.trace?.noteScore(run, candidate, score)
    run.noteScore(candidate, score)
    contenders.push({ place, candidate, cpmMicros, score })
  }
  return contenders
}

/** The shortlist's choice among the contenders that score at least as much as the best other bid. */
export function chooseContender(
  run: Run,
  shortlist: Shortlist,
  contenders: readonly Contender[],
): { readonly candidate: number; readonly winner: Winner } | undefined {
  const ahead = contenders.filter(({ score }) => score >= run.bestScore)
  if (ahead.length === 0) return undefined
  const choice = shortlist.choose(ahead, run.floorMicros)
  const contender = ahead[choice.at]!
  return { candidate: contender.candidate, winner: priced(run, contender, choice) }
}

function cpmOf(run: Run, candidate: number): number {
  const bidMicros = run.bidOf(candidate)
  return run.candidates.isCpc(candidate) ? bidMicros * ctrOf(run, candidate) * 1000 : bidMicros
}

const ctrOf = (run: Run, candidate: number) =>
  predictCtr(run.candidates.odds(candidate), run.context)

/**
 * The winner pays what keeps it ahead of both the runner-up of its category and the best other bid, in
 * the unit of its bid.
 */
function priced(run: Run, { candidate, score }: Contender, choice: ShortlistChoice): Winner {
  const effectiveBid = run.bidOf(candidate)
  const ctr = ctrOf(run, candidate)
  const { clearingCpmMicros, propensity } = choice
  const isCpc = run.candidates.isCpc(candidate)
  const clearing = Math.ceil(isCpc ? clearingCpmMicros / (1000 * ctr) : clearingCpmMicros)
  const rival = run.bestScore
  const isAlone = rival === NO_SECOND
  const overRival = isAlone ? 0 : roundHalfUp((effectiveBid * rival) / score + PRICE_STEP_MICROS)
  const price = clearingCpmMicros / 1000
  return winnerOf(run.index, candidate, {
    source: 'auction',
    effectiveBidMicros: effectiveBid,
    conversionRate: run.conversionRateOf(candidate),
    chargeMicros: Math.min(effectiveBid, Math.max(clearing, overRival)),
    finalPriceMicros: roundHalfUp(
      Math.min(score, isAlone ? price : Math.max(price, rival + PRICE_STEP_MICROS)),
    ),
    score,
    secondScore: isAlone ? undefined : rival,
    ctr,
    propensity,
  })
}

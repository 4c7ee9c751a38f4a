import { NONE, OFFER, OFFER_FLAG } from '../columns/catalogue.ts'
import { judgeFully } from './gates.ts'
import { PASSED } from '../explain/reasons.ts'
import type { Run, Winner } from './run.ts'
import { predictCtr } from './scorer.ts'
import { SCORED_KEPT_MAX } from './walk.ts'
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
    const offers: number[] = []
    const bids = bidsOf(run, shortlist, offers)
    if (bids.length === 0) return undefined
    const choice = shortlist.choose(bids, run.floorMicros)
    if (choice === undefined) return undefined
    const winner = winnerFor(run, offers[choice.at]!, { bid: bids[choice.at]!, choice })
    if (reserve(run, offers[choice.at]!, winner)) return winner
    if (run.live.isFull) return undefined
  }
  return undefined
}

function bidsOf(run: Run, { adKeys }: Shortlist, offers: number[]): ShortlistBid[] {
  const bids: ShortlistBid[] = []
  for (let place = 0; place < adKeys.length; place++) {
    const offer = run.index.adSlots.get(adKeys[place]!) ?? NONE
    if (offer === NONE || run.refused.includes(offer)) continue
    if (judgeFully(run, offer) !== PASSED) continue
    const cpmMicros = cpmOf(run, offer)
    if (cpmMicros < run.floorMicros || cpmMicros === 0) continue
    noteScore(run, offer, cpmMicros / 1000)
    offers.push(offer)
    bids.push({ place, cpmMicros })
  }
  return bids
}

/** So that a record tells of the bids that were weighed. */
function noteScore(run: Run, offer: number, score: number): void {
  const { scoredOffers, scoredScores } = run.index.walk
  if (run.bidsScored < SCORED_KEPT_MAX) {
    scoredOffers[run.bidsScored] = offer
    scoredScores[run.bidsScored] = score
  }
  run.bidsScored++
}

function cpmOf(run: Run, offer: number): number {
  const bidMicros = run.offersF64[offer * OFFER.lanes + OFFER.effectiveBid]!
  return isCpc(run, offer) ? bidMicros * ctrOf(run, offer) * 1000 : bidMicros
}

const isCpc = (run: Run, offer: number) =>
  (run.offersI32[offer * OFFER.lanes * 2 + OFFER.schedule]! & OFFER_FLAG.cpc) !== 0

const ctrOf = (run: Run, offer: number) =>
  predictCtr(run.offersF64[offer * OFFER.lanes + OFFER.odds]!, run.context)

interface Chosen {
  readonly bid: ShortlistBid
  readonly choice: ShortlistChoice
}

/** The charge is in the bid's own unit: per click it is what a click of that worth costs. */
function winnerFor(run: Run, offer: number, { bid, choice }: Chosen): Winner {
  const effectiveBid = run.offersF64[offer * OFFER.lanes + OFFER.effectiveBid]!
  const ctr = ctrOf(run, offer)
  const { clearingCpmMicros, propensity } = choice
  const charge = isCpc(run, offer) ? clearingCpmMicros / (1000 * ctr) : clearingCpmMicros
  return winnerOf(run.index, offer, {
    source: 'auction',
    chargeMicros: Math.min(effectiveBid, Math.ceil(charge)),
    finalPriceMicros: Math.round(clearingCpmMicros / 1000),
    score: bid.cpmMicros / 1000,
    secondScore: undefined,
    ctr,
    propensity,
  })
}

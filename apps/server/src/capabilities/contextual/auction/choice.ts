import type { ShortlistBid, ShortlistChoice } from '@placard/decision-engine'
import { type Arm, type Draws, pickArm, propensityOf } from '@placard/learning'
import type { Candidate } from './auction.ts'

/** A creative's impressions and clicks in the last hour. */
export interface CreativeHour {
  readonly impressions: number
  readonly clicks: number
}

export const NO_HOUR: CreativeHour = { impressions: 0, clicks: 0 }

/** Between ranking by click rate (0) and by bid (1). */
const PRICE_POWER = 0.5
const ENGAGEMENT_MIN = 0.001

export interface Choosing {
  /** In the order of the shortlist. */
  readonly candidates: readonly Candidate[]
  readonly hourOf: (bannerKey: number) => CreativeHour
  readonly draws: Draws
  readonly floorMicros: number
}

/** Chooses by rates drawn from the evidence; prices by their means. */
export function chooseBid(bids: readonly ShortlistBid[], choosing: Choosing): ShortlistChoice {
  const arms = bids.map((bid) => armOf(bid, choosing))
  const at = bids.length === 1 ? 0 : pickArm(arms, choosing.draws)
  return {
    at,
    clearingCpmMicros: clearingPrice(bids, arms, { at, choosing }),
    propensity: Math.round(propensityOf(arms, at) * 1e4) / 1e4,
  }
}

function armOf({ place, cpmMicros }: ShortlistBid, { candidates, hourOf }: Choosing): Arm {
  const { bannerKey, categoryScore } = candidates[place]!
  const { impressions, clicks } = hourOf(bannerKey)
  return { impressions, clicks, cpm: cpmMicros / 1_000_000, categoryScore }
}

const meanEngagement = ({ impressions, clicks, categoryScore }: Arm) =>
  impressions === 0
    ? Math.max(ENGAGEMENT_MIN, categoryScore)
    : (clicks + 1) / (Math.max(impressions, clicks) + 2)

interface Winning {
  readonly at: number
  readonly choosing: Choosing
}

/**
 * The bid that the winner needed to stay ahead of the runner-up of its own category, by mean rates.
 * Between the floor and its bid; the floor without a runner-up.
 */
function clearingPrice(
  bids: readonly ShortlistBid[],
  arms: readonly Arm[],
  { at, choosing }: Winning,
): number {
  const { candidates, floorMicros } = choosing
  const winner = bids[at]!
  const { categoryId } = candidates[winner.place]!
  let runnerUp = 0
  for (let other = 0; other < bids.length; other++) {
    if (other === at || candidates[bids[other]!.place]!.categoryId !== categoryId) continue
    const score = meanEngagement(arms[other]!) * arms[other]!.cpm ** PRICE_POWER
    if (score > runnerUp) runnerUp = score
  }
  const cpm = (runnerUp / meanEngagement(arms[at]!)) ** (1 / PRICE_POWER)
  const clearing = Math.ceil(cpm * 1_000_000)
  return Math.min(winner.cpmMicros, Math.max(floorMicros, clearing))
}

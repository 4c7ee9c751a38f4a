import {
  type Auctions,
  Constant,
  Fixed,
  type Policy,
  replayEpisode,
} from '../../packages/learning/src/index.ts'
import { BID_MAX } from './split.ts'

/** The grid of the published tuning. */
const STEP = 5

/** The bids with the highest value in the episodes of history. */
export function tune(
  episodes: readonly Auctions[],
  { budget, rate }: { budget: number; rate: number },
): { multiplier: number; constant: number } {
  const valueOf = (policy: Policy) =>
    episodes.reduce(
      (sum, episode) => sum + replayEpisode(episode, policy, { budget, bidMax: BID_MAX }).value,
      0,
    )
  const best = (policyAt: (bid: number) => Policy): number => {
    let found = STEP
    let most = -1
    for (let bid = STEP; bid <= BID_MAX; bid += STEP) {
      const value = valueOf(policyAt(bid))
      if (value < most) continue
      most = value
      found = bid
    }
    return found
  }
  return {
    multiplier: best((bid) => new Fixed(bid / rate)) / rate,
    constant: best((bid) => new Constant(bid)),
  }
}

import type { Change } from '../changes/records.ts'
import type { RandomWorld } from './random-world.ts'

type Chances = Pick<RandomWorld, 'pick' | 'random'>

/** What a bid agent sets: a multiplier of the bids or of the target. */
export const learnedBid = (chances: Chances, campaignKey: number): Change => ({
  put: 'bid-multiplier',
  record: {
    campaignKey,
    byTarget: chances.random(0.7),
    multiplier: chances.pick([0.7, 1, 1.9]),
  },
})

/** How likely a click on this ad converts, by the conversion model. */
export const conversionOdds = (chances: Chances, adKey: number): Change => ({
  put: 'conversion-odds',
  record: { adKey, odds: chances.pick([0.3, 1, 2.5]) },
})

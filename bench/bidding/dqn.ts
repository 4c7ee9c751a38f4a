import {
  Network,
  type Residual,
  seededDraws,
  type TrainingDay,
  trainResidual,
} from '../../packages/learning/src/index.ts'
import { DAY_RATIOS, DAY_REQUESTS, historyOf } from './days.ts'
import { BID_MAX, budgetFor, type Campaign } from './split.ts'

export const EPISODES = 240
const UPDATES_PER_EPISODE = 24

/** Past days, each with the history of the campaign's other days, as for a future day. */
export function trainingDays(campaigns: readonly Campaign[]): TrainingDay[] {
  return campaigns.flatMap((campaign) => {
    const { days } = campaign.history
    return days.flatMap((auctions, at) => {
      const others = days.filter((_, other) => other !== at)
      if (others.length === 0) return []
      return [{ auctions, ...historyOf(others), fullBudget: budgetFor(campaign, DAY_REQUESTS, 1) }]
    })
  })
}

/** Trained weights. Undefined if they did not beat the base policy on the training days. */
export function trainNetwork(
  days: readonly TrainingDay[],
  { seed, episodes }: { seed: number; episodes: number },
  progress: (text: string) => void,
): Residual | undefined {
  const { network, margin, gain } = trainResidual(
    days,
    {
      episodes,
      updatesPerEpisode: UPDATES_PER_EPISODE,
      bidMax: BID_MAX,
      ratios: DAY_RATIOS,
      progress: (episode, gained) =>
        progress(`dqn seed ${seed}: episode ${episode} of ${episodes}, gain ${gained.toFixed(4)}`),
    },
    seededDraws(seed),
  )
  return gain > 0 ? { network: Network.restore(network), margin } : undefined
}

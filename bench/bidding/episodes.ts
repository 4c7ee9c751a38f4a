import {
  type Auctions,
  Constant,
  curveOf,
  CurveReSolve,
  Dual,
  Fixed,
  hindsight,
  kindsOf,
  lnMultiplierFor,
  MeanValueTable,
  Pid,
  type Policy,
  replayEpisode,
  Rlb,
  seededDraws,
  auctionsBetween,
  smoothedPrices,
  SsMdp,
  TableReSolve,
  Throttle,
  ValueTable,
} from '../../packages/learning/src/index.ts'
import { BID_MAX, budgetFor, type Campaign } from './split.ts'
import { tune } from './tune.ts'

const EPISODE = 1_000
const RATIOS = [1 / 64, 1 / 32, 1 / 16, 1 / 8, 1 / 4, 1 / 2]

interface EpisodeFigures {
  /** By budget ratio, smallest first. */
  readonly clicks: readonly number[]
  readonly R: readonly number[]
  readonly meanR: number
  /** Relative to the fractional optimum, which no policy can exceed. */
  readonly meanRFractional: number
}

type Score = { clicks: number; value: number; whole: number; fractional: number }

/** Runs every policy on every campaign, ratio and episode of the test rows. */
export function runEpisodes(
  campaigns: readonly Campaign[],
  progress: (text: string) => void,
): Record<string, EpisodeFigures> {
  const scores = new Map<string, Score[][]>()
  for (const campaign of campaigns.filter(({ test }) => test.rows.count > 0)) {
    progress(`episodes of ${campaign.name}`)
    for (const [name, perRatio] of runCampaign(campaign)) {
      scores.set(name, [...(scores.get(name) ?? []), perRatio])
    }
  }
  return Object.fromEntries([...scores].map(([name, rows]) => [name, figuresOf(rows)]))
}

function runCampaign(campaign: Campaign): Map<string, Score[]> {
  const episodes = cut(campaign.test.rows)
  const table = meanTable(campaign, budgetFor(campaign, EPISODE, RATIOS.at(-1)!))
  const found = new Map<string, Score[]>()
  for (const ratio of RATIOS) {
    const budget = budgetFor(campaign, EPISODE, ratio)
    const best = episodes.map((episode) => hindsight(episode, budget))
    for (const [name, policy] of Object.entries(episodePolicies(campaign, budget, table))) {
      const score = { clicks: 0, value: 0, whole: 0, fractional: 0 }
      episodes.forEach((episode, at) => {
        const { clicks, value } = replayEpisode(episode, policy, { budget, bidMax: BID_MAX })
        score.clicks += clicks
        score.value += value
        score.whole += best[at]!.whole
        score.fractional += best[at]!.fractional
      })
      found.set(name, [...(found.get(name) ?? []), score])
    }
  }
  return found
}

/** Episodes of 1,000 auctions. The remaining auctions are one more episode with a full budget. */
function cut(rows: Auctions): Auctions[] {
  const episodes: Auctions[] = []
  for (let from = 0; from < rows.count; from += EPISODE) {
    episodes.push(auctionsBetween(rows, from, from + EPISODE))
  }
  return episodes
}

function meanTable(campaign: Campaign, budget: number): MeanValueTable {
  const { training } = campaign
  return new MeanValueTable(
    { rate: training.clicks / training.impressions, prices: smoothedPrices(training.priceCounts) },
    { auctions: EPISODE, budget },
  )
}

export function episodePolicies(
  campaign: Campaign,
  budget: number,
  table = meanTable(campaign, budget),
): Record<string, Policy> {
  const { training, history } = campaign
  const rate = training.clicks / training.impressions
  const curve = curveOf(history.rows, BID_MAX)
  const start = Math.exp(lnMultiplierFor(curve, budget / EPISODE))
  const tuned = tune(cut(history.rows), { budget, rate })
  const values = new ValueTable(kindsOf(history.rows, BID_MAX), { auctions: EPISODE, budget })
  return {
    mcpc: new Fixed(training.cost / training.clicks),
    'ss-mdp': new SsMdp(table, { rate, bidMax: BID_MAX }),
    linear: new Fixed(tuned.multiplier),
    rlb: new Rlb(table, BID_MAX),
    constant: new Constant(tuned.constant),
    dual: new Dual({ start, rate: 2 / EPISODE }),
    pid: new Pid(start),
    throttle: new Throttle(2 * start, seededDraws(1)),
    're-solve-curve': new CurveReSolve(curve),
    're-solve': new TableReSolve(values, BID_MAX),
  }
}

function figuresOf(rows: readonly (readonly Score[])[]): EpisodeFigures {
  const at = (ratio: number) => rows.map((row) => row[ratio]!)
  const whole = RATIOS.map((_, ratio) => mean(at(ratio).map((one) => one.value / one.whole)))
  const fractional = RATIOS.map((_, ratio) =>
    mean(at(ratio).map((one) => one.value / one.fractional)),
  )
  return {
    clicks: RATIOS.map((_, ratio) => at(ratio).reduce((sum, one) => sum + one.clicks, 0)),
    R: whole.map(rounded),
    meanR: rounded(mean(whole)),
    meanRFractional: rounded(mean(fractional)),
  }
}

export const mean = (values: readonly number[]): number =>
  values.reduce((sum, value) => sum + value, 0) / values.length

export const rounded = (value: number): number => Math.round(value * 1e4) / 1e4

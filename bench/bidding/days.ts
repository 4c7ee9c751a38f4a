import {
  type Auctions,
  curveOf,
  type DayOutcome,
  Dual,
  Fixed,
  forecastTraffic,
  hindsight,
  joinAuctions,
  lnMultiplierFor,
  Pid,
  type Policy,
  replayDay,
  requestsPerWindow,
  type Residual,
  residualPolicy,
  ReSolve,
  scaleCurve,
  SeedAgent,
  seededDraws,
  SeedPolicy,
  type SpendCurve,
  Throttle,
  type TrafficForecast,
} from '../../packages/learning/src/index.ts'
import { mean, rounded } from './episodes.ts'
import { BID_MAX, budgetFor, type Campaign } from './split.ts'

export const DAY_RATIOS = [1 / 32, 1 / 16, 1 / 8, 1 / 4, 1 / 2]
/** Budgets are computed for this many requests per day, whatever the day has. */
export const DAY_REQUESTS = 20_000

export interface DayFigures {
  readonly clicks: number
  readonly R: number
  readonly utilisation: number
  readonly maxDeviation: number
  readonly lost: number
  readonly overspend: number
}

/** The history of a campaign. */
export interface DayHistory {
  readonly curve: SpendCurve
  readonly traffic: TrafficForecast
}

export const historyOf = (days: readonly Auctions[]): DayHistory => ({
  curve: curveOf(joinAuctions(days), BID_MAX),
  traffic: forecastTraffic(days.map((day) => requestsPerWindow(day))),
})

/** One day of a campaign with one budget. */
export interface DayCase {
  readonly campaign: Campaign
  readonly history: DayHistory
  readonly day: Auctions
  readonly budget: number
  readonly best: number
}

export function dayCases(campaigns: readonly Campaign[]): DayCase[] {
  return campaigns
    .filter(({ history, test }) => history.days.length > 0 && test.days.length > 0)
    .flatMap((campaign) => {
      const history = historyOf(campaign.history.days)
      return campaign.test.days.flatMap((day) =>
        DAY_RATIOS.map((ratio) => {
          const budget = budgetFor(campaign, DAY_REQUESTS, ratio)
          return { campaign, history, day, budget, best: hindsight(day, budget).whole }
        }),
      )
    })
}

/** The same cases, but past days alternately had 3/4 and 4/3 of their traffic. */
export const withUnsteadyPast = (cases: readonly DayCase[]): DayCase[] =>
  cases.map((one) => {
    const past = one.campaign.history.days.map((day, at) =>
      requestsPerWindow(day).map((requests) => requests * (at % 2 === 0 ? 3 / 4 : 4 / 3)),
    )
    return { ...one, history: { ...one.history, traffic: forecastTraffic(past) } }
  })

export type PolicyMaker = (one: DayCase) => Policy

export function judgeDays(cases: readonly DayCase[], policyFor: PolicyMaker): DayFigures {
  const outcomes = cases.map((one) => replay(one, policyFor(one)))
  const average = (figure: (outcome: DayOutcome, at: number) => number) =>
    rounded(mean(outcomes.map((outcome, at) => figure(outcome, at))))
  return {
    clicks: outcomes.reduce((sum, { clicks }) => sum + clicks, 0),
    R: average(({ value }, at) => value / cases[at]!.best),
    utilisation: average(({ spend, budget }) => spend / budget),
    maxDeviation: average(({ maxDeviation }) => maxDeviation),
    lost: average(({ lost }) => lost),
    overspend: outcomes.reduce((sum, { spend, budget }) => sum + Math.max(0, spend - budget), 0),
  }
}

const replay = ({ day, budget, history }: DayCase, policy: Policy): DayOutcome =>
  replayDay(day, policy, { budget, bidMax: BID_MAX, traffic: history.traffic })

/** The constant multiplier that fits history. */
const startOf = ({ history, budget }: DayCase): number =>
  Math.exp(lnMultiplierFor(history.curve, budget / Math.max(1, history.traffic.left(0, 0))))

export const DAY_POLICIES: Readonly<Record<string, PolicyMaker>> = {
  greedy: () => new Fixed(Infinity),
  throttle: (one) => new Throttle(2 * startOf(one), seededDraws(1)),
  mcpc: ({ campaign: { training } }) => new Fixed(training.cost / training.clicks),
  fixed: (one) => new Fixed(startOf(one)),
  pid: (one) => new Pid(startOf(one)),
  dual: (one) => new Dual({ start: startOf(one), rate: 0.1 }),
  're-solve': ({ history }) => new ReSolve(history.curve),
  'dqn-seed': trainedSeed,
}

export const wrongBy =
  (factor: number): PolicyMaker =>
  ({ history }) =>
    new ReSolve(scaleCurve(history.curve, factor))

export const dqnWith =
  (residual: Residual | undefined): PolicyMaker =>
  ({ history }) =>
    residualPolicy(history.curve, residual)

const SEED_PASSES = 1

/** The `dqn-seed` agent has bid through the days of history a few times before the test day. */
function trainedSeed(one: DayCase): Policy {
  const agent = new SeedAgent(seededDraws(7))
  const policy = new SeedPolicy(agent, { base: startOf(one), bidMax: BID_MAX })
  for (let pass = 0; pass < SEED_PASSES; pass++) {
    for (const day of one.campaign.history.days) replay({ ...one, day }, policy)
  }
  return policy
}

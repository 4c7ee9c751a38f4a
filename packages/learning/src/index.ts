export {
  type Auctions,
  joinAuctions,
  requestsPerWindow,
  auctionsBetween,
  WINDOWS_PER_DAY,
} from './bidding/auctions.ts'
export {
  agentOf,
  BID_POLICIES,
  type BidPolicy,
  type CampaignHistory,
  type CampaignTerms,
  historyOf,
  type LearnedPolicy,
  nextBid,
  type NextBid,
  type PastDay,
  policyOf,
  replayPast,
  type Skills,
} from './bidding/campaign-day.ts'
export {
  type CostTarget,
  lnWithinCost,
  NEVER_WON,
  PRICE_MAX,
  worthWithin,
} from './bidding/target-cost.ts'
export { Dual, Pid } from './bidding/controllers.ts'
export { byWorth, type Hindsight, hindsight } from './bidding/hindsight.ts'
export { type MeanMarket, MeanValueTable, smoothedPrices } from './bidding/mean-value-table.ts'
export { OFFSET_DEFAULTS, type OffsetSettings } from './bidding/offset-filter.ts'
export { Constant, Fixed, Throttle } from './bidding/plain-policies.ts'
export type { MultiplierPolicy, Plan, Policy, WindowReport } from './bidding/policy.ts'
export {
  type Bidding,
  curveFromProbabilities,
  type PriceProbabilities,
  priceProbabilities,
} from './bidding/price-survival.ts'
export { type DayOutcome, type Outcome, replayDay, replayEpisode } from './bidding/replay.ts'
export { ResidualAgent, RESIDUALS } from './bidding/residual-agent.ts'
export {
  type Residual,
  residualPolicy,
  type TrainedResidual,
  trainResidual,
  type TrainingDay,
  trainingSteps,
  type TrainingSettings,
} from './bidding/residual-training.ts'
export { CurveReSolve, ReSolve } from './bidding/re-solve.ts'
export {
  type RewardKind,
  SeedAgent,
  type SeedFacts,
  type SeedMemory,
  type SeedSnapshot,
} from './bidding/seed-agent.ts'
export { SeedPolicy } from './bidding/seed-policy.ts'
export {
  curveOf,
  lnMultiplierFor,
  scaleCurve,
  type SpendCurve,
  spendAt,
} from './bidding/spend-curve.ts'
export { Rlb, SsMdp } from './bidding/table-policies.ts'
export { TableReSolve } from './bidding/table-re-solve.ts'
export {
  type ForecastSettings,
  forecastTraffic,
  type TrafficForecast,
} from './bidding/traffic-forecast.ts'
export type { LimitedPolicy } from './bidding/limited-policy.ts'
export { kindsOf, ValueTable } from './bidding/value-table.ts'
export { type Draws, seededDraws } from './random.ts'
export {
  ClickModel,
  type ClickModelSettings,
  type ClickModelSnapshot,
  type ClickRow,
} from './click/click-model.ts'
export {
  type ClickFeatures,
  type Features,
  featureIndex,
  featureIndexes,
} from './click/features.ts'
export { Ftrl, FTRL_DEFAULTS, type FtrlSettings } from './click/ftrl.ts'
export {
  areaUnderCurve,
  calibrationError,
  normalisedEntropy,
  predictedOverActual,
  type Scored,
} from './click/metrics.ts'
export {
  maySpeak,
  Watch,
  type WatchFigures,
  type WatchSnapshot,
  type WatchVerdict,
} from './click/watch.ts'
export {
  GATE_DEFAULTS,
  type GateJudgement,
  type GateRule,
  type GateVerdict,
  judgeGate,
  type ReplayedDay,
  sayJudgement,
} from './gate/gate.ts'
export { type CostFacts, type CostJudgement, judgeCost, sayCost } from './gate/cost.ts'
export { judgeTrial, sayTrial, type TrialJudgement, type TrialMinute } from './gate/trial.ts'
export { moveOn, RAMP, type RampMove, type RampState } from './gate/ramp.ts'
export { DoubleDqn, type DqnSettings, type DqnSnapshot } from './network/double-dqn.ts'
export { Network, type NetworkSnapshot } from './network/network.ts'
export { type Beta, betaDraw, betaMean, gammaDraw } from './posterior/beta.ts'
export {
  addFeedback,
  blendedPosterior,
  decayed,
  RANKER_DEFAULTS,
  type RankerScore,
  type RankerSettings,
  rankerWeight,
} from './posterior/ranker.ts'
export { propensityOf } from './posterior/propensity.ts'
export { type Arm, pickArm } from './posterior/thompson.ts'

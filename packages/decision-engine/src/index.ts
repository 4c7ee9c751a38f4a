export { applyChange } from './changes/apply-change.ts'
export { createIndex, type DecisionIndex, type IndexOptions } from './columns/catalogue.ts'
export { PLACEMENTS_PER_TYPE_MAX } from './decide/by-type.ts'
export { companionBanners } from './decide/companions.ts'
export { decide, findPlacement } from './decide/decide.ts'
export type { Decision, EmptyReason, ScoredBid } from './decide/decision.ts'
export { decidePage, type PageRequest, type PageSlot } from './decide/decide-page.ts'
export { keyedDraw, seededDraws } from './decide/draws.ts'
export { explain, type Explanation, type ExplainPorts } from './explain/explain.ts'
export type { WinRequirements } from './explain/requirements.ts'
export { type Fit, judgePlace } from './explain/fit.ts'
export type { Shortfall } from './explain/shortfall.ts'
export {
  emptyReplay,
  type LostReason,
  type PastRequest,
  type Replay,
  replayRequest,
  type Standing,
  standingsOf,
} from './explain/standing.ts'
export { finishLoad } from './columns/membership.ts'
export {
  clearStale,
  type CampaignPace,
  freshSpend,
  isExhausted,
  newPace,
  nextThrottle,
  noteRequest,
  type PaceFacts,
  type PaceState,
  type PaceTotals,
  type PaceVerdict,
  type PacingConfig,
  passesFairness,
  rollOver,
  type RollOver,
  type SpendRecord,
  sumPaces,
} from './pacing/pace-controller.ts'
export {
  type BudgetDay,
  dayProgress,
  type DayProgress,
  judgePacing,
  type PacingStrategy,
  smoothAllowance,
} from './pacing/pacing.ts'
export {
  GATE_OF,
  type GateName,
  type LimitReason,
  REASONS,
  type Reason,
} from './explain/reasons.ts'
export type {
  Ad,
  AdProductBlock,
  AdvertiserBlock,
  Approval,
  Assignment,
  Banner,
  BidMultiplier,
  Campaign,
  CampaignStatus,
  CapScope,
  Change,
  ClickOdds,
  FrequencyCap,
  FrequencyWindow,
  CampaignPlacement,
  CampaignSpendVerdict,
  Placement,
  PlacementMode,
  Pricing,
  RuleOperator,
  RuleType,
  RuleValue,
  ScheduleStatus,
  Site,
  SpendVerdict,
  TargetingRule,
} from './changes/records.ts'
export type { DecisionRequest, Draws, LiveState, Ports, Source, Winner } from './decide/run.ts'
export {
  describeCtrBoosts,
  heuristicScorer,
  type Occasion,
  RECENT_PURCHASE_DAYS,
  type Scorer,
} from './decide/scorer.ts'
export { type Context, OPERATORS } from './decide/targeting.ts'
export type { RequestLimits } from './decide/limits.ts'
export type { Shortlist, ShortlistBid, ShortlistChoice } from './decide/shortlist.ts'
export type { CandidateOutcome } from './explain/trace.ts'
export {
  bucketOf,
  type DayKind,
  finishBucket,
  finishDay,
  newTrafficShape,
  noteArrival,
  trafficCdf,
  type TrafficShape,
} from './pacing/traffic-shape.ts'
export {
  GATE_TEXT,
  REASON_TEXT,
  describeExplanation,
  describeOutcome,
  describeRequirements,
} from './explain/words.ts'
export { costOf, PRICE_STEP_MICROS } from './decide/price.ts'

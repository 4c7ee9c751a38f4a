export { applyChange } from './apply-change.ts'
export { createIndex, type DecisionIndex, type IndexOptions } from './catalogue.ts'
export { type Decision, decide, type EmptyReason, findPlacement, type ScoredBid } from './decide.ts'
export { decidePage, type PageRequest, type PageSlot } from './decide-page.ts'
export { keyedDraw, seededDraws } from './draws.ts'
export { explain, type Explanation, type ExplainPorts, type WinningWish } from './explain.ts'
export type { Measure } from './measure.ts'
export { finishLoad } from './membership.ts'
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
} from './pace-controller.ts'
export {
  type BudgetDay,
  dayProgress,
  type DayProgress,
  judgePacing,
  type LocalDay,
  localDay,
  type PacingStrategy,
  smoothAllowance,
} from './pacing.ts'
export { GATE_OF, type GateName, REASONS, type Reason } from './reasons.ts'
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
  Link,
  Parking,
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
} from './records.ts'
export type { DecisionRequest, Draws, Live, Ports, Source, Winner } from './run.ts'
export { compileSchedule, judgeSchedule, parseRecurrenceRule, parseTimeOfDay } from './schedule.ts'
export { heuristicScorer, type Occasion, type Scorer } from './scorer.ts'
export { type Context, OPERATORS } from './targeting.ts'
export type { Shortlist, ShortlistBid, ShortlistChoice } from './shortlist.ts'
export type { Fate } from './trace.ts'
export {
  bucketOf,
  type DayKind,
  finishBucket,
  finishDay,
  newTrafficShape,
  noteArrival,
  trafficCdf,
  type TrafficShape,
} from './traffic-shape.ts'
export { GATE_TEXT, REASON_TEXT, sayExplanation, sayFate, sayWish } from './words.ts'
export { localTime, type LocalTime, type ZoneClock, ZoneClocks } from './zones.ts'
export { costOf } from './price.ts'

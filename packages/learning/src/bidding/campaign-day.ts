import { type Auctions, joinAuctions, requestsPerWindow, WINDOWS_PER_DAY } from './auctions.ts'
import { OFFSET_DEFAULTS } from './offset-filter.ts'
import { Fixed } from './plain-policies.ts'
import type { MultiplierPolicy, WindowReport } from './policy.ts'
import { Paced } from './paced.ts'
import { replayDay } from './replay.ts'
import { type Residual, residualPolicy } from './residual-training.ts'
import { SeedPolicy } from './seed-policy.ts'
import type { SeedAgent } from './seed-agent.ts'
import { curveOf, type SpendCurve } from './spend-curve.ts'
import { forecastTraffic } from './traffic-forecast.ts'
import {
  type CostTarget,
  countedInConversions,
  gridAround,
  inConversions,
  lnWithinCost,
  PRICE_MAX,
  worthWithin,
} from './target-cost.ts'
import { type Limits, LimitedPolicy } from './limited-policy.ts'

/**
 * `fixed` bids as booked. The others are learned; each may replace the one before it. `tcpa` bids what
 * a conversion may cost × its predicted rate.
 */
export const BID_POLICIES = ['fixed', 're-solve', 'dqn', 'dqn-seed', 'tcpa'] as const
export type BidPolicy = (typeof BID_POLICIES)[number]
export type LearnedPolicy = Exclude<BidPolicy, 'fixed'>

/** Bids and budget of a campaign, in one small unit of money. k is the amount per click or impression. */
export interface CampaignTerms {
  readonly budget: number
  /** k of the booked bids: multiplier 1. */
  readonly bookedK: number
  /** Range of an agent's multiplier. The campaign's maximum bid limits the upper end. */
  readonly multiplierMin: number
  readonly multiplierMax: number
  /** Smooth pacing applies when no agent bids. */
  readonly isSmooth: boolean
  /** Spend of a usual day. 0: unknown. */
  readonly usualSpend: number
  /** With a target, days are worth their conversions, and `tcpa` has multipliers of the target. */
  readonly target?: CostTarget | undefined
}

/** Past days of a campaign, for forecasts and replays. */
export interface CampaignHistory {
  readonly curve: SpendCurve
  /** Requests per window of each day. */
  readonly requests: readonly Float64Array[]
}

/** A past day. A sample represents it if it had too many auctions. */
export interface PastDay {
  readonly auctions: Auctions
  readonly sampledShare: number
  /** Charges divided by the price of all wins: some winners were never shown. */
  readonly deliveredShare: number
  /** Charges of the day. Undefined: not recorded. */
  readonly spentMicros?: number | undefined
  /** Predicted conversions per click of each auction, of campaigns with a target. */
  readonly conversionRates?: Float64Array | undefined
}

/** With a target, the curve is one of spend over what a conversion may cost. */
export const historyOf = (days: readonly PastDay[], target?: CostTarget): CampaignHistory => ({
  curve: curveOfDays(joinAuctions(days.map((day) => auctionsFor('tcpa', day, target))), target),
  requests: days.map(({ auctions, sampledShare }) =>
    requestsPerWindow(auctions).map((requests) => requests / sampledShare),
  ),
})

function curveOfDays(auctions: Auctions, target: CostTarget | undefined): SpendCurve {
  const prices = auctions.price.filter((price) => price <= PRICE_MAX).toSorted()
  const grid = target && gridAround(target)
  return { ...curveOf(auctions, PRICE_MAX, grid), usualPrice: prices[prices.length >> 1] }
}

/** A day's auctions as a policy bids in them. */
function auctionsFor(
  name: BidPolicy,
  { auctions, conversionRates }: PastDay,
  target: CostTarget | undefined,
): Auctions {
  if (target === undefined || conversionRates === undefined) return auctions
  return name === 'tcpa'
    ? inConversions(auctions, conversionRates, target)
    : countedInConversions(auctions, conversionRates, target)
}

export interface Skills {
  readonly residual?: Residual | undefined
  readonly seedAgent?: SeedAgent | undefined
}

interface Knowledge {
  readonly curve: SpendCurve
  readonly skills?: Skills
}

/** A campaign's policy by name. It works with k, not with multipliers of the booked bid. */
export function policyOf(
  name: BidPolicy,
  terms: CampaignTerms,
  knowledge: Knowledge,
): MultiplierPolicy {
  const { bookedK } = terms
  if (name === 'fixed') return terms.isSmooth ? new Paced(bookedK) : new Fixed(bookedK)
  return agentOf(name, terms, knowledge)
}

/** A learned policy within the limits of a campaign. */
export const agentOf = (
  name: LearnedPolicy,
  terms: CampaignTerms,
  { curve, skills = {} }: Knowledge,
): LimitedPolicy =>
  new LimitedPolicy(learnedPolicy(name, terms, { curve, skills }), limitsOf(name, terms, curve))

/** By target, a bid is limited by the mean cost of a conversion; its maximum is in the prices. */
function limitsOf(name: LearnedPolicy, terms: CampaignTerms, curve: SpendCurve): Limits {
  const { bookedK, multiplierMin, multiplierMax, usualSpend, target } = terms
  if (name !== 'tcpa' || target === undefined) {
    return { min: multiplierMin * bookedK, max: multiplierMax * bookedK, usualSpend }
  }
  const max = Math.exp(lnWithinCost(curve, target.aimedMicros))
  const min = TARGET_MULTIPLIER_MIN * target.micros
  return { min, max, usualSpend: 0, costMax: target.aimedMicros }
}

/** A budget for a fiftieth of what the target would buy is the least that an agent paces. */
const TARGET_MULTIPLIER_MIN = 0.02
/** What multiplier 1 means: the booked bid, or the target. */
const unitOf = (name: BidPolicy, { bookedK, target }: CampaignTerms): number =>
  name === 'tcpa' && target !== undefined ? target.micros : bookedK

function learnedPolicy(
  name: LearnedPolicy,
  { bookedK }: CampaignTerms,
  { curve, skills }: { readonly curve: SpendCurve; readonly skills: Skills },
): MultiplierPolicy {
  if (name !== 'dqn-seed')
    return residualPolicy(curve, name === 'dqn' ? skills.residual : undefined, AMONG_AGENTS)
  if (skills.seedAgent === undefined) return new Fixed(bookedK)
  return new SeedPolicy(skills.seedAgent, { base: bookedK, bidMax: bookedK * MILLE })
}

const MILLE = 1_000
/** Where other campaigns have agents too, the market of an hour ago says less. */
const AMONG_AGENTS = { ...OFFSET_DEFAULTS, drift: 0.15 }

/** The windows of the day so far, in order, and the history. */
export interface DaySoFar {
  readonly history: CampaignHistory
  readonly windows: readonly WindowReport[]
  readonly skills?: Skills | undefined
}

/** An agent's decision for the next window. */
export interface NextBid {
  /** 1: bids as booked. */
  readonly multiplier: number
  /** Factor on the rank of a bid, not on its price. */
  readonly lift: number
  /** The brake: most that the window may spend. */
  readonly spendMax: number
}

/** The decision of a policy after the day so far. The same facts give the same answer. */
export function nextBid(name: LearnedPolicy, terms: CampaignTerms, day: DaySoFar): NextBid {
  const { curve, requests } = day.history
  const unit = unitOf(name, terms)
  const policy = agentOf(name, terms, { curve, skills: day.skills ?? {} })
  const traffic = forecastTraffic(requests)
  policy.begin({ budget: terms.budget, windows: WINDOWS_PER_DAY, traffic })
  for (const { multiplier = 1, ...report } of day.windows) {
    policy.observe({ ...report, multiplier: multiplier * unit })
  }
  const { multiplier, lift, spendMax } = policy
  return { multiplier: multiplier / unit, lift, spendMax }
}

/**
 * Value of a policy on a past day, with the history of the other days. With a target: conversions, less
 * the further the target is missed.
 */
export function replayPast(
  name: BidPolicy,
  terms: CampaignTerms,
  { day, others, skills }: { day: PastDay; others: CampaignHistory; skills?: Skills },
): number {
  const { sampledShare, deliveredShare } = day
  const budget = Math.max(1, Math.floor((terms.budget * sampledShare) / deliveredShare))
  const policy = policyOf(name, terms, { curve: others.curve, skills: skills ?? {} })
  const requests = others.requests.map((one) => one.map((count) => count * sampledShare))
  const rules = { budget, bidMax: PRICE_MAX, traffic: forecastTraffic(requests) }
  const { target } = terms
  const outcome = replayDay(auctionsFor(name, day, target), policy, rules)
  return target === undefined ? outcome.value : worthWithin(outcome, target.aimedMicros)
}

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
import { Within } from './within.ts'

/** `fixed` bids as booked; the others are learned, and each may take the place of the one before. */
export const BID_POLICIES = ['fixed', 're-solve', 'dqn', 'dqn-seed'] as const
export type BidPolicy = (typeof BID_POLICIES)[number]
export type LearnedPolicy = Exclude<BidPolicy, 'fixed'>

/** What a campaign bids and may spend. Amounts are of one small unit, k is amount per click or showing. */
export interface CampaignTerms {
  readonly budget: number
  /** k of the bids as they are booked: multiplier 1. */
  readonly bookedK: number
  /** Multipliers an agent may use; the highest is what the campaign's maximum bid allows. */
  readonly multiplierMin: number
  readonly multiplierMax: number
  /** Without an agent, spend is held to a straight line. */
  readonly isSmooth: boolean
  /** What it spends on a usual day; 0 where nobody knows. */
  readonly usualSpend: number
}

/** Past days of a campaign, as they would be replayed. */
export interface CampaignHistory {
  readonly curve: SpendCurve
  /** Requests per window of each day. */
  readonly requests: readonly Float64Array[]
}

/** A past day; where it had too many auctions, a share of them stands for all. */
export interface PastDay {
  readonly auctions: Auctions
  readonly sampledShare: number
  /** What was charged over what the wins should have cost: showings that never came to be. */
  readonly deliveredShare: number
  /** What was charged; undefined where nobody has written it down. */
  readonly spentMicros?: number | undefined
}

/** No auction costs more than this: the price of those that cannot be won. */
export const PRICE_MAX = 2 ** 31 - 2
export const NEVER_WON = 2 ** 31 - 1

export const historyOf = (days: readonly PastDay[]): CampaignHistory => ({
  curve: curveOfDays(joinAuctions(days.map(({ auctions }) => auctions))),
  requests: days.map(({ auctions, sampledShare }) =>
    requestsPerWindow(auctions).map((requests) => requests / sampledShare),
  ),
})

function curveOfDays(auctions: Auctions): SpendCurve {
  const prices = auctions.price.filter((price) => price <= PRICE_MAX).toSorted()
  return { ...curveOf(auctions, PRICE_MAX), usualPrice: prices[prices.length >> 1] }
}

export interface Skills {
  readonly residual?: Residual | undefined
  readonly seedAgent?: SeedAgent | undefined
}

interface Knowledge {
  readonly curve: SpendCurve
  readonly skills?: Skills
}

/** The policy of a campaign's day by its name; k, not yet a multiplier. */
export function policyOf(
  name: BidPolicy,
  terms: CampaignTerms,
  knowledge: Knowledge,
): MultiplierPolicy {
  const { bookedK } = terms
  if (name === 'fixed') return terms.isSmooth ? new Paced(bookedK) : new Fixed(bookedK)
  return agentOf(name, terms, knowledge)
}

/** A learned policy with what a campaign allows around it. */
export const agentOf = (
  name: LearnedPolicy,
  terms: CampaignTerms,
  { curve, skills = {} }: Knowledge,
): Within =>
  new Within(learnedPolicy(name, terms, { curve, skills }), {
    min: terms.multiplierMin * terms.bookedK,
    max: terms.multiplierMax * terms.bookedK,
    usualSpend: terms.usualSpend,
  })

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
/** Where others adapt too, the market of an hour ago says less. */
const AMONG_AGENTS = { ...OFFSET_DEFAULTS, drift: 0.15 }

/** Where a day stands: what every window so far brought, the first one first. */
export interface DaySoFar {
  readonly history: CampaignHistory
  readonly windows: readonly WindowReport[]
  readonly skills?: Skills | undefined
}

/** What an agent says of the window to come. */
export interface NextBid {
  /** 1 being the bids as booked. */
  readonly multiplier: number
  /** So many times higher than it pays a bid ranks. */
  readonly lift: number
  /** The brake: what the window may spend. */
  readonly spendMax: number
}

/** What a policy makes of the day so far: the same facts give the same answer. */
export function nextBid(name: LearnedPolicy, terms: CampaignTerms, day: DaySoFar): NextBid {
  const { curve, requests } = day.history
  const policy = agentOf(name, terms, { curve, skills: day.skills ?? {} })
  const traffic = forecastTraffic(requests)
  policy.begin({ budget: terms.budget, windows: WINDOWS_PER_DAY, traffic })
  for (const { multiplier = 1, ...report } of day.windows) {
    policy.observe({ ...report, multiplier: multiplier * terms.bookedK })
  }
  const { multiplier, lift, spendMax } = policy
  return { multiplier: multiplier / terms.bookedK, lift, spendMax }
}

/** Value that a policy would have had on a past day, seen from the others. */
export function replayPast(
  name: BidPolicy,
  terms: CampaignTerms,
  { day, others, skills }: { day: PastDay; others: CampaignHistory; skills?: Skills },
): number {
  const { auctions, sampledShare, deliveredShare } = day
  const budget = Math.max(1, Math.floor((terms.budget * sampledShare) / deliveredShare))
  const policy = policyOf(name, terms, { curve: others.curve, skills: skills ?? {} })
  const requests = others.requests.map((one) => one.map((count) => count * sampledShare))
  const rules = { budget, bidMax: PRICE_MAX, traffic: forecastTraffic(requests) }
  return replayDay(auctions, policy, rules).value
}

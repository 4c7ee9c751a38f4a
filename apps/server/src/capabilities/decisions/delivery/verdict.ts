import type { DeliveryCode } from '@placard/contract/delivery'
import {
  type CampaignStatus,
  GATE_OF,
  type LostReason,
  type Reason,
  type Replay,
  type Standing,
} from '@placard/decision-engine'

export type DeliveryState = 'delivering' | 'limited' | 'not-delivering'

/** An ad or booking on one placement: what stops it there, and what requests of the past say. */
export interface Chance {
  readonly standing: Standing
  /** What stops it whoever the reader is; budgets apart. */
  readonly obstacles: readonly DeliveryCode[]
  readonly replay: Replay
}

/** The budget that holds a campaign back now. */
export type BudgetCode = 'budget-total' | 'budget-day' | 'budget-advertiser' | 'pacing'

export interface DeliveryFacts {
  readonly status: CampaignStatus
  readonly isServing: boolean
  readonly hasPlacement: boolean
  readonly chances: readonly Chance[]
  readonly budget: BudgetCode | undefined
}

export interface Verdict {
  readonly state: DeliveryState
  readonly code: DeliveryCode | null
  /** The ad and placement that the code is about. */
  readonly chance?: Chance | undefined
}

/** With less of what it could have, it is limited. */
const ADMITTED_MIN = 0.1
const WON_MIN = 0.5

/**
 * Whether a campaign delivers, or one of its ads, or it on one placement: `chances` says which. What
 * nobody's request can change comes first, then budgets, then what the requests of the past say.
 */
export function judgeDelivery(facts: DeliveryFacts): Verdict {
  const { status, isServing, hasPlacement, chances, budget } = facts
  if (status !== 'active') return notDelivering(status)
  if (!isServing) return notDelivering('serving-off')
  if (chances.length === 0) return notDelivering('no-ads')
  if (!hasPlacement) return notDelivering('no-placement')
  const open = chances.filter(({ obstacles }) => obstacles.length === 0)
  if (open.length === 0) {
    const chance = furthestOf(chances)
    return notDelivering(chance.obstacles[0]!, chance)
  }
  if (budget === 'budget-total') return notDelivering(budget)
  if (budget !== undefined) return limited(budget)
  return judgePast(open) ?? judgeClosed(chances, open) ?? judgeShares(open)
}

export const notDelivering = (code: DeliveryCode, chance?: Chance): Verdict => ({
  state: 'not-delivering',
  code,
  chance,
})

const limited = (code: DeliveryCode, chance?: Chance): Verdict => ({
  state: 'limited',
  code,
  chance,
})

/** Requests of the past of which none would be won. */
function judgePast(open: readonly Chance[]): Verdict | undefined {
  const { requests, admitted, won } = sumOf(open)
  if (requests === 0) return notDelivering('no-requests', open[0])
  if (admitted === 0) return notDelivering(keptOutBy(open), open[0])
  if (won > 0) return undefined
  const reason = mostLost(open)
  return notDelivering(reason, open.find(({ replay }) => replay.lost.has(reason)) ?? open[0])
}

/** Some placements, on which no ad can be shown. */
function judgeClosed(chances: readonly Chance[], open: readonly Chance[]): Verdict | undefined {
  const openOn = new Set(open.map(({ standing }) => standing.placementKey))
  const closed = chances.filter(({ standing }) => !openOn.has(standing.placementKey))
  if (closed.length === 0) return undefined
  const chance = furthestOf(closed)
  return limited(chance.obstacles[0]!, chance)
}

function judgeShares(open: readonly Chance[]): Verdict {
  const { requests, admitted, won } = sumOf(open)
  if (won < admitted * WON_MIN) return limited(mostLost(open), open[0])
  if (admitted < requests * ADMITTED_MIN) return limited(keptOutBy(open), open[0])
  return { state: 'delivering', code: null }
}

/** A cap that keeps most readers out is no matter of targeting. */
const keptOutBy = (chances: readonly Chance[]): DeliveryCode =>
  ruleShares(chances)[0]?.rule.endsWith('-frequency') === true ? 'frequency' : 'targeting'

export interface Sums {
  readonly requests: number
  readonly admitted: number
  readonly won: number
}

/** By placement the best of its ads: a request has one winner of a campaign. */
export function sumOf(chances: readonly Chance[]): Sums {
  const placements = Map.groupBy(chances, ({ standing }) => standing.placementKey)
  const best = [...placements.values()].map((all) => ({
    requests: Math.max(...all.map(({ replay }) => replay.requests)),
    admitted: Math.max(...all.map(({ replay }) => replay.admitted)),
    won: Math.max(...all.map(({ replay }) => replay.won)),
  }))
  return best.reduce(add, { requests: 0, admitted: 0, won: 0 })
}

const add = (one: Sums, other: Sums): Sums => ({
  requests: one.requests + other.requests,
  admitted: one.admitted + other.admitted,
  won: one.won + other.won,
})

const LOST: readonly LostReason[] = ['outbid', 'below-floor', 'slots-full']

function mostLost(chances: readonly Chance[]): LostReason {
  const times = (reason: LostReason) =>
    chances.reduce((sum, { replay }) => sum + (replay.lost.get(reason) ?? 0), 0)
  return LOST.toSorted((a, b) => times(b) - times(a))[0]!
}

/** How often each rule keeps readers out, most first. */
export function ruleShares(chances: readonly Chance[]): { rule: Reason; passes: number }[] {
  const requests = chances.reduce((sum, { replay }) => sum + replay.requests, 0)
  const kept = new Map<Reason, number>()
  for (const { replay } of chances) {
    for (const [rule, times] of replay.keptOut) kept.set(rule, (kept.get(rule) ?? 0) + times)
  }
  return [...kept]
    .map(([rule, times]) => ({ rule, passes: 1 - times / requests }))
    .toSorted((a, b) => a.passes - b.passes)
}

/** The bid that would have won half of the requests that went to others. */
export function bidNeeded(chances: readonly Chance[]): number | undefined {
  const bids = chances.flatMap(({ replay }) => replay.bidsNeeded).toSorted((a, b) => a - b)
  return bids.length === 0 ? undefined : Math.floor(bids[(bids.length - 1) >> 1]!) + 1
}

/** The ad and placement that come furthest: what stops them stops the others too, or earlier. */
function furthestOf(chances: readonly Chance[]): Chance {
  return chances.reduce((best, chance) => (rankOf(chance) > rankOf(best) ? chance : best))
}

const rankOf = ({ standing, obstacles }: Chance): number => {
  const first = standing.obstacles[0]
  return first === undefined ? 0 : REASON_ORDER.indexOf(first) - obstacles.length / 100
}

const REASON_ORDER = [...GATE_OF.keys()]

import { correctionOf } from '../../apps/server/src/capabilities/learning/agents/target-facts.ts'
import { applyChange } from '../../packages/decision-engine/src/index.ts'
import type { PastDay } from '../../packages/learning/src/index.ts'
import type { AgentTarget } from './agents.ts'
import { rounded, sumUp } from './compare.ts'
import { Buyers, Conversions } from './conversions.ts'
import { type Arm, type Had, Market } from './market.ts'
import type { MarketCampaign, World } from './world.ts'

export interface TargetsSize {
  readonly requestsPerDay: number
  readonly warmUpDays: number
  readonly testDays: number
  /** Campaigns that bid by target: those with the largest budgets. */
  readonly campaigns: number
}

/** What campaigns that bid by target had, against the same campaigns with booked bids. */
export interface TargetsCompared {
  /** Cost per purchase over the target, of all together. Below 1 where budgets end before targets do. */
  readonly costOverTarget: number
  /** The same of campaigns that did not use up their budgets: only the target held them. */
  readonly boundCostOverTarget: number
  /** Share of the spend in campaigns that paid more than a fifth above their target. */
  readonly spendAboveFifth: number
  /** Purchases per spend over those of booked bids, less 1. */
  readonly perSpendGain: number
  /** The same for booked bids that are all lowered until about as much is spent. */
  readonly loweredGain: number
  /** Spend and purchases over those of booked bids. */
  readonly spendRatio: number
  readonly purchasesRatio: number
}

/** A target, as a share of what booked bids pay per purchase: low enough to bind for some. */
const TARGET_SHARE = 0.6
/** The maximum bid over the booked one: a bid may also rise. */
const HEADROOM = 1.5
/** Days between setting a target and bidding by it: the policy is on trial. */
const TRIAL_DAYS = 3

export function compareTargets(world: World, size: TargetsSize): TargetsCompared {
  const targeted = world.campaigns
    .toSorted((a, b) => b.dailyMicros - a.dailyMicros)
    .slice(0, size.campaigns)
  const trial = { world, size, targeted }
  const booked = liveThrough(trial, { kind: 'booked' })
  const byTarget = liveThrough(trial, { kind: 'target' })
  const lowered = lowerUntil(trial, byTarget.total.spendMicros)
  const target = ({ key }: MarketCampaign) => targetFor(booked.before.get(key)!)
  const had = (campaign: MarketCampaign) => byTarget.had.get(campaign.key)!
  const costOver = (some: readonly MarketCampaign[]) =>
    sum(some, (one) => had(one).spendMicros) / sum(some, (one) => had(one).purchases * target(one))
  const bound = targeted.filter(
    (one) => had(one).spendMicros < USED_UP * one.dailyMicros * size.testDays,
  )
  const dear = targeted.filter((one) => costOver([one]) > 1.2)
  const gain = (one: Had) => rounded(perSpend(one) / perSpend(booked.total) - 1)
  const { total } = byTarget
  return {
    costOverTarget: rounded(costOver(targeted)),
    boundCostOverTarget: rounded(costOver(bound)),
    spendAboveFifth: rounded(sum(dear, (one) => had(one).spendMicros) / total.spendMicros),
    perSpendGain: gain(total),
    loweredGain: gain(lowered),
    spendRatio: rounded(total.spendMicros / booked.total.spendMicros),
    purchasesRatio: rounded(total.purchases / booked.total.purchases),
  }
}

/** A campaign that has spent so much of its budget was held by it. */
const USED_UP = 0.95
const sum = <One>(all: readonly One[], of: (one: One) => number): number =>
  all.reduce((total, one) => total + of(one), 0)
const perSpend = ({ purchases, spendMicros }: Had): number => purchases / spendMicros
const targetFor = (cost: number): number => Math.round(TARGET_SHARE * cost)

type How =
  | { readonly kind: 'booked' }
  | { readonly kind: 'lowered'; readonly multiplier: number }
  | { readonly kind: 'target' }

interface Lived {
  readonly had: ReadonlyMap<number, Had>
  readonly total: Had
  /** What a purchase cost while all bids were booked. */
  readonly before: ReadonlyMap<number, number>
}

interface Trial {
  readonly world: World
  readonly size: TargetsSize
  readonly targeted: readonly MarketCampaign[]
}

function liveThrough({ world, size, targeted }: Trial, how: How): Lived {
  const market = marketOf(world, targeted)
  const { requestsPerDay: requests, warmUpDays, testDays } = size
  let day = 0
  const live = (days: number, arm: () => Arm, lived: Day[] = []) => {
    for (const last = day + days; day < last; day++)
      lived.push(market.live({ day, requests }, arm()))
    return lived
  }
  const warmUp = live(warmUpDays - TRIAL_DAYS, () => BOOKED)
  const before = new Map(
    targeted.map(({ key }) => {
      const { spendMicros, purchases } = sumUp(warmUp.slice(1).map((day) => day.get(key)!))
      return [key, spendMicros / purchases]
    }),
  )
  if (how.kind === 'target') setTargets(market, targeted, before)
  const seen = live(TRIAL_DAYS, () => BOOKED)
  if (how.kind === 'lowered') lower(market, targeted, how.multiplier)
  const trialDays = seen.length
  const arm = () =>
    how.kind === 'target' ? armOf(market, targeted, { costs: before, seen }) : BOOKED
  live(testDays, arm, seen)
  const tested = seen.slice(trialDays)
  const had = new Map(targeted.map(({ key }) => [key, sumUp(tested.map((day) => day.get(key)!))]))
  return { had, total: sumUp([...had.values()]), before }
}

type Day = ReadonlyMap<number, Had>
const BOOKED: Arm = { learnsClicks: true, agents: new Set() }

function marketOf(world: World, targeted: readonly MarketCampaign[]): Market {
  const buyers = new Buyers(world)
  const conversions = new Conversions(world, buyers)
  const keys = new Set(targeted.map(({ key }) => key))
  return new Market(world, new Map<number, PastDay[]>(), { buyers, conversions, targeted: keys })
}

/** Tells the catalogue of targets and maximum bids. */
function setTargets(
  { index, world }: Market,
  targeted: readonly MarketCampaign[],
  costs: ReadonlyMap<number, number>,
): void {
  const keys = new Set(targeted.map(({ key }) => key))
  for (const change of world.changes) {
    if (!('put' in change) || change.put !== 'campaign' || !keys.has(change.record.key)) continue
    const { record } = change
    const targetMicros = targetFor(costs.get(record.key)!)
    const bidMicrosMax = Math.round(record.bidMicrosMax! * HEADROOM)
    applyChange(index, { put: 'campaign', record: { ...record, targetMicros, bidMicrosMax } })
  }
}

function lower({ index }: Market, targeted: readonly MarketCampaign[], multiplier: number): void {
  for (const { key: campaignKey } of targeted) {
    applyChange(index, { put: 'bid-multiplier', record: { campaignKey, multiplier } })
  }
}

/** All agents bid by target, with what the days so far say of their predictions. */
function armOf(
  market: Market,
  targeted: readonly MarketCampaign[],
  { costs, seen }: { readonly costs: ReadonlyMap<number, number>; readonly seen: readonly Day[] },
): Arm {
  const targets = new Map<number, AgentTarget>()
  for (const { key, maxBidMicros } of targeted) {
    market.predictPast(key)
    const days = seen.map((day) => day.get(key)!)
    targets.set(key, {
      micros: targetFor(costs.get(key)!),
      clickMicrosMax: Math.round(maxBidMicros * HEADROOM),
      correction: correctionOf(days.map(minuteOf), days.slice(TRIAL_DAYS).map(minuteOf)),
    })
  }
  return { learnsClicks: true, agents: new Set(targets.keys()), targets }
}

/** A day as the gate knows it: here one minute. */
const minuteOf = ({ spendMicros: spend, came: purchases, predicted }: Had, minute: number) => ({
  campaignKey: 0,
  minute,
  spend,
  purchases,
  predicted,
})

const LOWERING_STEPS = 3

/** Booked bids, all lowered by the same factor until they spend as much. */
function lowerUntil(trial: Trial, spendMicros: number): Had {
  let [low, high] = [0.3, 1]
  let total: Had | undefined
  for (let step = 0; step < LOWERING_STEPS; step++) {
    const multiplier = (low + high) / 2
    total = liveThrough(trial, { kind: 'lowered', multiplier }).total
    if (total.spendMicros > spendMicros) high = multiplier
    else low = multiplier
  }
  return total!
}

import { DAY_MS } from '@placard/calendar'
import { clickRowOf } from '../../apps/server/src/capabilities/learning/models/click-features.ts'
import {
  learnFrom,
  newLearned,
} from '../../apps/server/src/capabilities/learning/models/learned.ts'
import {
  auctionsOf,
  deliveredShareOf,
} from '../../apps/server/src/capabilities/learning/agents/past-day.ts'
import { ClickPredictor } from '../../apps/server/src/capabilities/learning/models/predictor.ts'
import {
  applyChange,
  createIndex,
  decide,
  type DecisionIndex,
  finishLoad,
  seededDraws,
  type Winner,
} from '../../packages/decision-engine/src/index.ts'
import { type PastDay, WINDOWS_PER_DAY } from '../../packages/learning/src/index.ts'
import { Agents, type AgentTarget } from './agents.ts'
import type { Buyers, Conversions } from './conversions.ts'
import { MarketLive } from './live.ts'
import { bestOf, type MetAuction } from './regret.ts'
import { drawVisit, trueRate, type Visit, type World } from './world.ts'

/** What is switched on in a simulation. */
export interface Arm {
  readonly learnsClicks: boolean
  /** Campaigns with a bid agent. */
  readonly agents: ReadonlySet<number>
  /** Of these, those that bid by target. */
  readonly targets?: ReadonlyMap<number, AgentTarget> | undefined
}

/**
 * The result of a day for one campaign. Each impression is charged the price of a click × its true click
 * rate, so that the randomness of single clicks does not hide the effect of the policies.
 */
export interface Had {
  value: number
  spendMicros: number
  /** Purchases, where buyers are simulated. */
  purchases: number
  /** Purchases drawn and purchases predicted, as the platform would know them. */
  came: number
  predicted: number
  /** Value in hindsight. 0 if not requested. */
  best: number
}

/** Who buys, and what the platform learns of it. */
export interface Buying {
  readonly buyers: Buyers
  readonly conversions: Conversions
  /** Campaigns that are to bid by target. */
  readonly targeted: ReadonlySet<number>
}

const NOTHING_HAD: Had = {
  value: 0,
  spendMicros: 0,
  purchases: 0,
  came: 0,
  predicted: 0,
  best: 0,
}

export interface DayPlan {
  readonly day: number
  readonly requests: number
  /** Quarter-hours without traffic. */
  readonly outage?: { readonly from: number; readonly to: number } | undefined
  /** Also compute the value in hindsight. */
  readonly hasHindsight?: boolean | undefined
}

const WINDOW_MS = DAY_MS / WINDOWS_PER_DAY
const START_MS = Date.UTC(2026, 5, 1)
const SEEN_PER_DAY = 8_000
const ODDS_STEP_MIN = 0.02

/** A market that runs day by day through the real engine, click model and bid policies. */
export class Market {
  readonly world: World
  readonly past: Map<number, PastDay[]>
  /** Where the kept auctions were held, by campaign and day. */
  private readonly visits = new Map<number, Visit[][]>()
  private readonly predictor = new ClickPredictor()
  private readonly learned = newLearned()
  readonly index: DecisionIndex
  private readonly buying: Buying | undefined

  constructor(world: World, past = new Map<number, PastDay[]>(), buying?: Buying) {
    this.world = world
    this.past = past
    this.buying = buying
    this.index = createIndex({ scorer: this.predictor })
    for (const change of world.changes) applyChange(this.index, change)
    finishLoad(this.index)
  }

  /** Runs a day from midnight to midnight. Returns the result for each campaign. */
  live(plan: DayPlan, arm: Arm): ReadonlyMap<number, Had> {
    const { world } = this
    const agents = new Agents(world, { ids: arm.agents, past: this.past, targets: arm.targets })
    const live = new MarketLive(world.campaigns, agents)
    const seen: MetAuction[] = []
    const expected = new Map<number, number>()
    const had = new Map<number, Had>(world.campaigns.map(({ key }) => [key, { ...NOTHING_HAD }]))
    const draws = seededDraws(world.seed * 1_000 + plan.day)
    const drift = driftOf(world.seed, plan.day)
    const shape = world.shapes[plan.day % world.shapes.length]!
    for (let window = 0; window < WINDOWS_PER_DAY; window++) {
      const lessons: ClickLesson[] = []
      agents.act(this.index)
      for (let left = Math.round(plan.requests * shape[window]!); left > 0; left--) {
        const visit = drawVisit(world, Math.floor(window / 4), draws)
        const click = draws.next()
        if (plan.outage && window >= plan.outage.from && window < plan.outage.to) continue
        const nowMs = START_MS + plan.day * DAY_MS + window * WINDOW_MS
        live.nowSeconds = (window * WINDOW_MS) / 1_000
        const { winners, topBids, floorMicros } = decide(
          this.index,
          {
            placementKey: visit.placement.key,
            floorMicros: Math.round(visit.placement.floorMicros * visit.outside * drift(window)),
            nowMs,
            userKnown: false,
            context: visit.context,
          },
          { live, draws: { next: () => 0 } },
        )
        seen.push({
          atMs: nowMs,
          visit,
          floorMicros,
          bids: topBids.map(({ adKey, campaignKey, score, ctr }) => [
            adKey,
            campaignKey,
            score,
            ctr,
          ]),
        })
        agents.noteRequest(visit.placement.key)
        const winner = winners[0]
        if (winner === undefined) continue
        const rate = trueRate(world.campaigns[winner.key - 1]!, visit)
        const clicked = click < rate
        const mine = had.get(winner.key)!
        mine.value += rate
        mine.spendMicros += rate * winner.chargeMicros
        live.charge(winner.key, rate * winner.chargeMicros)
        const cost = winner.ctr * winner.chargeMicros
        expected.set(winner.key, (expected.get(winner.key) ?? 0) + cost)
        agents.noteWin(winner, rate)
        this.noteBuying(mine, winner, visit)
        if (arm.learnsClicks) lessons.push({ visit, winner, clicked })
      }
      agents.observe()
      if (arm.learnsClicks) this.learn(lessons)
    }
    this.remember({ seen, had, expected, plan })
    this.buying?.conversions.endDay(this.index, this.predictor)
    return had
  }

  private noteBuying(mine: Had, winner: Winner, visit: Visit): void {
    if (this.buying === undefined) return
    const { buyers, conversions } = this.buying
    mine.purchases += buyers.purchases(winner.key, visit)
    const { clicks, purchases } = conversions.note(winner, visit)
    if (winner.conversionRate === undefined) return
    mine.came += purchases
    mine.predicted += clicks * winner.conversionRate
  }

  /** Predicts anew what the kept auctions of a campaign would have brought in clicks and purchases. */
  predictPast(campaignKey: number): void {
    const { conversions } = this.buying!
    const days = this.past.get(campaignKey)!
    const visits = this.visits.get(campaignKey)!
    this.past.set(
      campaignKey,
      days.map((day, at) => ({
        ...day,
        auctions: {
          ...day.auctions,
          pctr: Float64Array.from(visits[at]!, (visit) => this.clickRate(campaignKey, visit)),
        },
        conversionRates: Float64Array.from(visits[at]!, (visit) =>
          conversions.predict(visit, campaignKey),
        ),
      })),
    )
  }

  private clickRate(campaignKey: number, visit: Visit): number {
    const ad = { adKey: campaignKey, campaignKey, format: 'single_image' }
    const row = clickRowOf(
      { place: placeOf(visit), context: visit.context, ad },
      this.learned.model.bits,
    )
    return this.learned.model.predict(row)
  }

  private learn(lessons: readonly ClickLesson[]): void {
    const { learned, predictor, index, world } = this
    for (const { visit, winner, clicked } of lessons) {
      const { placement, context } = visit
      const place = placeOf(visit)
      const ad = { adKey: winner.key, campaignKey: winner.key, format: 'single_image' }
      const row = clickRowOf({ place, context, ad }, learned.model.bits)
      learnFrom(learned, { row, placementType: placement.type, clicked })
    }
    predictor.adopt(learned.model)
    for (const { key } of world.campaigns) {
      const odds = predictor.oddsOf({ adKey: key, campaignKey: key, format: 'single_image' })
      const before = index.clickOdds.get(key) ?? 1
      if (Math.abs(Math.log(odds / before)) < ODDS_STEP_MIN) continue
      applyChange(index, { put: 'click-odds', record: { adKey: key, odds } })
    }
  }

  /** Stores the day for replays, with a sample of its auctions. */
  private remember({ seen, had, expected, plan }: Memory): void {
    const every = Math.max(1, Math.ceil(seen.length / SEEN_PER_DAY))
    const kept = seen.filter((_, at) => at % every === 0)
    const targeted = this.buying?.targeted
    for (const campaign of this.world.campaigns) {
      const { key, placements, country } = campaign
      if (targeted?.has(key) === false) continue
      if (plan.hasHindsight) had.get(key)!.best = bestOf(campaign, kept, 1 / every)
      const sample = kept.filter(({ visit }) => placements.includes(visit.placement.key))
      const days = this.past.get(key) ?? []
      if (targeted !== undefined) {
        const visits = this.visits.get(key) ?? []
        this.visits.set(key, [...visits, sample.map(({ visit }) => visit)])
      }
      days.push({
        auctions: auctionsOf(sample, {
          campaignKey: key,
          pricing: 'cpc',
          isTargeted: country !== undefined,
          startMs: START_MS + plan.day * DAY_MS,
        }),
        sampledShare: 1 / every,
        spentMicros: had.get(key)!.spendMicros,
        deliveredShare: deliveredShareOf(had.get(key)!.spendMicros, expected.get(key) ?? 0),
      })
      this.past.set(key, days)
    }
  }
}

/** Readers are the same on every weekday, so the models are taught none. */
const placeOf = ({ placement, hour }: Visit) => ({
  placementType: placement.type,
  siteKey: undefined,
  width: undefined,
  height: undefined,
  hour,
  weekday: undefined,
})

interface ClickLesson {
  readonly visit: Visit
  readonly winner: Winner
  readonly clicked: boolean
}

interface Memory {
  readonly seen: readonly MetAuction[]
  readonly had: ReadonlyMap<number, Had>
  readonly expected: ReadonlyMap<number, number>
  readonly plan: DayPlan
}

/** Prices elsewhere change from day to day and within a day, and floors change with them. */
function driftOf(seed: number, day: number): (window: number) => number {
  const draws = seededDraws(seed * 7_919 + day)
  const level = Math.exp(0.15 * (draws.next() + draws.next() + draws.next() - 1.5))
  const phase = draws.next() * 2 * Math.PI
  return (window) =>
    level * Math.exp(0.15 * Math.sin((window / WINDOWS_PER_DAY) * 2 * Math.PI + phase))
}

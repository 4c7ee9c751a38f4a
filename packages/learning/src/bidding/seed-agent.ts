import type { Draws } from '../random.ts'
import {
  DoubleDqn,
  type DqnSettings,
  type DqnSnapshot,
  type Transition,
} from '../network/double-dqn.ts'

/** Result of the last window, and the state of the day. */
export interface SeedFacts {
  readonly impressions: number
  readonly clicks: number
  readonly auctions: number
  readonly spend: number
  /** Remaining shares of the day's budget and time. 0 or less ends the day. */
  readonly budgetLeft: number
  readonly timeLeft: number
  /** The campaign's highest CPM bid, in the unit of `spend`. */
  readonly cpmMax: number
}

/** A and B punish spending too fast. C also reduces the reward of clicks won off the plan. */
export type RewardKind = 'A' | 'B' | 'C'

const SEED_ACTIONS: readonly number[] = [0.7, 0.8, 0.9, 1, 1.1, 1.2, 1.4]
const MULTIPLIER_MIN = 0.5
const MULTIPLIER_MAX = 2

const SETTINGS: DqnSettings = {
  sizes: [8, 64, 64, SEED_ACTIONS.length],
  discount: 0.99,
  rate: 0.001,
  optimiser: 'sgd',
  batch: 32,
  memory: 10_000,
  transitionsMin: 32,
  targetMax: 100,
  errorMax: Infinity,
  copyEvery: 100,
}

const EPSILON_KEPT = 0.995
const EPSILON_MIN = 0.05

export interface SeedSnapshot {
  readonly dqn: DqnSnapshot
  readonly epsilon: number
  readonly multiplier: number
  readonly rolledDay: number
  /** The last action, whose outcome is not known yet. */
  readonly last?: { readonly state: readonly number[]; readonly action: number } | undefined
}

/** State of an agent between two jobs, besides its weights. */
export type SeedMemory = readonly Transition[]

/**
 * `dqn-seed`: the bid agent as first specified. Eight inputs; seven steps that change the multiplier
 * within ½…2; one training step per window. Weights, replay memory and epsilon outlive the day.
 */
export class SeedAgent {
  multiplier = 1
  epsilon = 1
  private readonly dqn: DoubleDqn
  private readonly draws: Draws
  private readonly reward: RewardKind
  private last: { state: Float64Array; action: number } | undefined
  private rolledDay = -1

  constructor(draws: Draws, reward: RewardKind = 'C') {
    this.draws = draws
    this.reward = reward
    this.dqn = new DoubleDqn(SETTINGS, draws)
  }

  /** Every 15 minutes: learns from the window that ended, then chooses the next multiplier. */
  step(facts: SeedFacts): number {
    const state = seedState(facts, this.multiplier)
    const done = facts.budgetLeft <= 0 || facts.timeLeft <= 0
    if (this.last !== undefined) {
      const reward = seedReward(facts, this.reward)
      this.dqn.remember({ ...this.last, reward, next: state, done })
      this.train()
    }
    const action = this.dqn.explore(state, { epsilon: this.epsilon, draws: this.draws })
    this.apply(action)
    this.last = { state, action }
    return this.multiplier
  }

  /** Chooses by the weights alone: stores nothing, learns nothing, draws no random number. */
  infer(facts: SeedFacts): number {
    this.apply(this.dqn.best(seedState(facts, this.multiplier)))
    return this.multiplier
  }

  /** Ends the day. Returns false if it had ended before. */
  rollDay(day: number, windowClicks: number): boolean {
    if (day <= this.rolledDay) return false
    this.rolledDay = day
    if (this.last !== undefined) {
      const next = new Float64Array(SETTINGS.sizes[0]!)
      this.dqn.remember({ ...this.last, reward: windowClicks, next, done: true })
    }
    this.last = undefined
    this.multiplier = 1
    return true
  }

  private train(): void {
    if (this.dqn.train(this.draws))
      this.epsilon = Math.max(EPSILON_MIN, this.epsilon * EPSILON_KEPT)
  }

  private apply(action: number): void {
    const moved = this.multiplier * SEED_ACTIONS[action]!
    this.multiplier = Math.min(MULTIPLIER_MAX, Math.max(MULTIPLIER_MIN, moved))
  }

  snapshot(): SeedSnapshot {
    const { epsilon, multiplier, rolledDay, last } = this
    const waiting = last && { state: [...last.state], action: last.action }
    return { dqn: this.dqn.snapshot(), epsilon, multiplier, rolledDay, last: waiting }
  }

  /** The newest transitions, which are not part of a snapshot. */
  memory(count: number): SeedMemory {
    return this.dqn.recent(count).map(({ state, next, ...rest }) => ({
      ...rest,
      state: Array.from(state),
      next: Array.from(next),
    }))
  }

  restore(
    { dqn, epsilon, multiplier, rolledDay, last }: SeedSnapshot,
    memory: SeedMemory = [],
  ): void {
    this.dqn.restore(dqn)
    this.epsilon = epsilon
    this.multiplier = multiplier
    this.rolledDay = rolledDay
    this.last = last && { state: Float64Array.from(last.state), action: last.action }
    for (const transition of memory) this.dqn.remember(transition)
  }
}

/** Spend so far divided by evenly spread spend. 1 at the start of the day. */
function spendRate({ budgetLeft, timeLeft }: SeedFacts): number {
  return timeLeft >= 1 ? 1 : (1 - budgetLeft) / (1 - timeLeft)
}

export function seedState(facts: SeedFacts, multiplier: number): Float64Array {
  const { impressions, clicks, auctions, spend } = facts
  return Float64Array.of(
    Math.min(2, multiplier),
    impressions === 0 ? 0 : Math.min(1, clicks / impressions),
    auctions === 0 ? 0.5 : impressions / auctions,
    facts.budgetLeft,
    facts.timeLeft,
    Math.min(3, spendRate(facts)),
    Math.min(2, impressions / 100),
    clicks === 0 ? 0 : Math.min(2, spend / clicks / facts.cpmMax),
  )
}

export function seedReward(facts: SeedFacts, kind: RewardKind): number {
  const rate = spendRate(facts)
  const isExhausted = facts.budgetLeft <= 0
  if (kind === 'C') {
    const onPlan = Math.max(0.1, 1 - Math.abs(rate - 1))
    return facts.clicks * onPlan - (isExhausted ? 5 * facts.timeLeft : 0)
  }
  const paced = facts.clicks - 2 * Math.max(0, rate - 1.5)
  return kind === 'B' && isExhausted && facts.timeLeft > 0.1 ? paced - 5 : paced
}

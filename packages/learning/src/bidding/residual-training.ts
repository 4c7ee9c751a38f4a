import { drawBelow, type Draws, normalDraw } from '../random.ts'
import { argMax, DoubleDqn, type DqnSettings } from '../network/double-dqn.ts'
import { Network, type NetworkSnapshot } from '../network/network.ts'
import type { Auctions } from './auctions.ts'
import { byWorth, hindsight } from './hindsight.ts'
import type { MultiplierPolicy, Plan, Policy, WindowReport } from './policy.ts'
import { replayDay } from './replay.ts'
import { NO_RESIDUAL, RESIDUAL_INPUTS, ResidualAgent, RESIDUALS } from './residual-agent.ts'
import type { OffsetSettings } from './offset-filter.ts'
import { ReSolve } from './re-solve.ts'
import { scaleCurve, type SpendCurve } from './spend-curve.ts'
import type { TrafficForecast } from './traffic-forecast.ts'

/** A past day with the history of the campaign's other days. */
export interface TrainingDay {
  readonly auctions: Auctions
  readonly curve: SpendCurve
  readonly traffic: TrafficForecast
  /** Cost of the whole day at the campaign's usual price. */
  readonly fullBudget: number
}

export interface TrainingSettings {
  readonly episodes: number
  readonly updatesPerEpisode: number
  readonly bidMax: number
  /** Budgets on which the agent is judged, as shares of the full budget. */
  readonly ratios: readonly number[]
  readonly progress?: ((episode: number, gain: number) => void) | undefined
}

const DQN: DqnSettings = {
  sizes: [RESIDUAL_INPUTS, 64, 64, RESIDUALS.length],
  discount: 1,
  rate: 5e-4,
  optimiser: 'adam',
  batch: 32,
  memory: 40_000,
  transitionsMin: 2_000,
  targetMax: 100,
  errorMax: 1,
  copyEvery: 200,
  startSilent: true,
}

/** Rewards are hundredths of the day's best value. */
const REWARD_SCALE = 100
const EPSILON_START = 0.5
const EPSILON_END = 0.05
const JUDGE_EVERY = 60
const MARGINS = [0.1, 0.3]

export interface TrainedResidual {
  readonly network: NetworkSnapshot
  readonly margin: number
  /** Gain in R over the base policy on the training days. Do not use a residual with 0 or less. */
  readonly gain: number
}

/**
 * Trains on past days with changed budgets, traffic and histories, so that the agent cannot memorise the
 * days. Returns the weights that did best without exploration.
 */
export function trainResidual(
  days: readonly TrainingDay[],
  settings: TrainingSettings,
  draws: Draws,
): TrainedResidual {
  const steps = trainingSteps(days, settings, draws)
  for (;;) {
    const { done, value } = steps.next()
    if (done === true) return value
  }
}

/** The same in steps of one episode each, for callers that do other work in between. */
export function* trainingSteps(
  days: readonly TrainingDay[],
  settings: TrainingSettings,
  draws: Draws,
): Generator<void, TrainedResidual> {
  const prepared = days.map((day) => ({ ...day, order: byWorth(day.auctions) }))
  const dqn = new DoubleDqn(DQN, draws)
  const base = judge(prepared, settings, undefined)
  let best: TrainedResidual = { network: dqn.online.snapshot(), margin: Infinity, gain: -Infinity }
  for (let episode = 1; episode <= settings.episodes; episode++) {
    const share = episode / settings.episodes
    const epsilon = EPSILON_START + (EPSILON_END - EPSILON_START) * share
    playEpisode(prepared[drawBelow(draws, prepared.length)]!, { dqn, draws, epsilon, settings })
    for (let one = 0; one < settings.updatesPerEpisode; one++) dqn.train(draws)
    if (episode % JUDGE_EVERY !== 0 && episode !== settings.episodes) {
      yield
      continue
    }
    for (const margin of MARGINS) {
      const gain = judge(prepared, settings, { network: dqn.online, margin }) - base
      settings.progress?.(episode, gain)
      if (gain > best.gain) best = { network: dqn.online.snapshot(), margin, gain }
    }
    yield
  }
  return best
}

type PreparedDay = TrainingDay & { readonly order: Uint32Array }

/** Mean R over days and budgets of the base policy with the residual. */
function judge(
  days: readonly PreparedDay[],
  { ratios, bidMax }: TrainingSettings,
  residual: Residual | undefined,
): number {
  let sum = 0
  for (const { auctions, curve, traffic, fullBudget, order } of days) {
    for (const ratio of ratios) {
      const budget = Math.floor(fullBudget * ratio)
      const policy = residualPolicy(curve, residual)
      const { value } = replayDay(auctions, policy, { budget, bidMax, traffic })
      sum += value / hindsight(auctions, budget, order).whole
    }
  }
  return sum / (days.length * ratios.length)
}

/** `margin`: how much more value a residual must predict than no residual to be chosen. */
export interface Residual {
  readonly network: Network
  readonly margin: number
}

/** Re-solve with a trained residual, or re-solve alone. */
export function residualPolicy(
  curve: SpendCurve,
  residual: Residual | undefined,
  settings?: OffsetSettings,
): MultiplierPolicy {
  const base = new ReSolve(curve, settings)
  if (residual === undefined) return base
  return new ResidualAgent(base, (state) => {
    const promises = residual.network.forward(state)
    const best = argMax(promises)
    return promises[best]! > promises[NO_RESIDUAL]! + residual.margin ? best : NO_RESIDUAL
  })
}

interface Lesson {
  readonly dqn: DoubleDqn
  readonly draws: Draws
  readonly epsilon: number
  readonly settings: TrainingSettings
}

const RATIO_LOG2_MIN = 0.7
const RATIO_LOG2_MAX = 5.3
/** Standard deviation of a history's error. Some histories have three times as much. */
const WRONG_SPREAD = 0.15
const VERY_WRONG_SHARE = 0.1

function playEpisode(day: PreparedDay, { dqn, draws, epsilon, settings }: Lesson): void {
  const log2 = RATIO_LOG2_MIN + (RATIO_LOG2_MAX - RATIO_LOG2_MIN) * draws.next()
  const budget = Math.max(1, Math.floor(day.fullBudget * 2 ** -log2))
  const best = hindsight(day.auctions, budget, day.order).whole
  const spread = WRONG_SPREAD * (draws.next() < VERY_WRONG_SHARE ? 3 : 1)
  const curve = scaleCurve(day.curve, Math.exp(spread * normalDraw(draws)))
  const rules = { budget, bidMax: settings.bidMax, traffic: day.traffic }

  const base = new BaseRun(curve, best)
  replayDay(day.auctions, base, rules)
  const agent = new ResidualAgent(new ReSolve(curve), (state) =>
    dqn.explore(state, { epsilon, draws }),
  )
  replayDay(day.auctions, new Recorder(agent, { dqn, best, base: base.worths }), rules)
}

/** The base policy alone on the same day: value won so far and an estimate of the value to come. */
class BaseRun implements Policy {
  readonly worths: number[] = []
  private readonly policy: ReSolve
  private readonly best: number
  private won = 0

  constructor(curve: SpendCurve, best: number) {
    this.policy = new ReSolve(curve)
    this.best = best
  }

  begin(plan: Plan): void {
    this.policy.begin(plan)
  }

  bid(pctr: number): number {
    return this.policy.bid(pctr)
  }

  observe(report: WindowReport): void {
    this.policy.observe(report)
    this.won += report.value / this.best
    this.worths.push(this.won + valueToCome(this.policy))
  }
}

/**
 * Stores a transition per window. The reward is the growth of the lead over the base policy, in value won
 * and estimated value to come. Both runs meet the same auctions, so their randomness cancels. The value
 * of the base policy does not depend on the action, and the estimate telescopes (Ng et al. 1999), so the
 * optimum stays the same.
 */
class Recorder implements Policy {
  private readonly agent: ResidualAgent
  private readonly dqn: DoubleDqn
  private readonly best: number
  private readonly base: readonly number[]
  private won = 0
  private lead = 0

  constructor(agent: ResidualAgent, { dqn, best, base }: Recording) {
    this.agent = agent
    this.dqn = dqn
    this.best = best
    this.base = base
  }

  begin(plan: Plan): void {
    this.agent.begin(plan)
  }

  bid(pctr: number): number {
    return this.agent.bid(pctr)
  }

  observe(report: WindowReport): void {
    const { state, action } = this.agent
    this.agent.observe(report)
    this.won += report.value / this.best
    const { progress } = this.agent.base
    const lead = this.won + valueToCome(this.agent.base) - this.base[progress.window - 1]!
    const reward = REWARD_SCALE * (lead - this.lead)
    this.lead = lead
    const done = progress.window >= progress.plan.windows
    this.dqn.remember({ state, action, reward, next: this.agent.state, done })
  }
}

interface Recording {
  readonly dqn: DoubleDqn
  readonly best: number
  readonly base: readonly number[]
}

/** Share of the day's best value. Half of the budget or of the traffic is worth more than half. */
function valueToCome({ progress }: ReSolve): number {
  const { plan, window, budgetLeft, seen, requestsLeft } = progress
  if (window >= plan.windows) return 0
  const budgetShare = Math.max(0, budgetLeft / plan.budget)
  return Math.sqrt((budgetShare * requestsLeft) / (seen + requestsLeft))
}

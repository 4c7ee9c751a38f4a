import type { MultiplierPolicy, Plan, WindowReport } from './policy.ts'
import type { ReSolve } from './re-solve.ts'

/** What the agent may add to ln k: at most ±0.35. */
export const RESIDUALS: readonly number[] = [-0.35, -0.15, 0, 0.15, 0.35]
export const NO_RESIDUAL = RESIDUALS.indexOf(0)

export const RESIDUAL_INPUTS = 10

/** Chooses the index of a residual for a state. */
export type ResidualChoice = (state: Float64Array) => number

/**
 * `dqn`: a bounded residual on top of re-solve. Whatever the network says, ln k stays within 0.35 of the
 * base policy, and the base policy takes the result into account.
 */
export class ResidualAgent implements MultiplierPolicy {
  /** State of the last choice. A new array for each window, so that a trainer may keep it. */
  state: Float64Array = new Float64Array(RESIDUAL_INPUTS)
  action = NO_RESIDUAL
  readonly base: ReSolve
  private readonly choose: ResidualChoice
  private lnStart = 0

  constructor(base: ReSolve, choose: ResidualChoice) {
    this.base = base
    this.choose = choose
  }

  get multiplier(): number {
    return this.base.multiplier
  }

  begin(plan: Plan): void {
    this.base.begin(plan)
    this.lnStart = Math.log(this.base.multiplier)
    this.act(undefined)
  }

  bid(pctr: number): number {
    return this.base.bid(pctr)
  }

  observe(report: WindowReport): void {
    this.base.observe(report)
    this.act(report)
  }

  private act(report: WindowReport | undefined): void {
    const before = this.base.residual
    this.base.residual = 0
    this.state = stateOf(this.base, { report, before, lnStart: this.lnStart })
    this.action = this.choose(this.state)
    this.base.residual = RESIDUALS[this.action]!
  }
}

interface Moment {
  readonly report: WindowReport | undefined
  readonly before: number
  readonly lnStart: number
}

/** Ten ratios, so that size and currency of a campaign do not matter. */
function stateOf(base: ReSolve, { report, before, lnStart }: Moment): Float64Array {
  const { progress } = base
  const { plan, window, seen, budgetLeft, requestsLeft } = progress
  const budgetShare = Math.max(0, budgetLeft / plan.budget)
  const trafficShare = requestsLeft / (seen + requestsLeft)
  const expected = plan.traffic.expectedBy(Math.min(window, plan.windows))
  const meant = report === undefined ? 0 : (report.requests * plan.budget) / (seen + requestsLeft)
  return Float64Array.of(
    window / plan.windows,
    trafficShare,
    budgetShare,
    within(Math.log((budgetShare + 0.01) / (trafficShare + 0.01)), 2),
    report === undefined || meant === 0 ? 1 : within(report.spend / meant, 3),
    report === undefined || report.requests === 0 ? 0 : report.wins / report.requests,
    within(base.offset, 2),
    within(Math.log(base.multiplier) - lnStart, 2),
    within(Math.log((seen + 0.01 * expected + 1) / (1.01 * expected + 1)), 2),
    before,
  )
}

const within = (value: number, reach: number): number => Math.min(reach, Math.max(-reach, value))

import type { TrafficForecast } from './traffic-forecast.ts'

/** What a policy gets at the start of a day or an episode. */
export interface Plan {
  readonly budget: number
  readonly windows: number
  readonly traffic: TrafficForecast
}

/** Result of a window. A policy sees its own wins, its spend and the requests, nothing else. */
export interface WindowReport {
  readonly requests: number
  readonly wins: number
  readonly spend: number
  /** Sum of the pCTR of all wins. */
  readonly value: number
  readonly clicks: number
  /** Amount charged, if it is known separately from the price of the wins. */
  readonly charged?: number | undefined
  /** The multiplier that was used, if a limit changed it or another policy acted. */
  readonly multiplier?: number | undefined
  /** The window was stopped before its end: without the stop, it would have spent this much or more. */
  readonly isBraked?: boolean | undefined
}

/**
 * Decides what to bid. Call `begin` once per day, `bid` per auction, `observe` after each window. A window
 * is 15 minutes for agents, and one auction for policies that act per auction.
 */
export interface Policy {
  begin(plan: Plan): void
  /** The bid before it is rounded down and limited by the maximum bid and the remaining budget. */
  bid(pctr: number): number
  observe(report: WindowReport): void
  /** Called at every win, for policies that act within a window. */
  paid?(price: number): void
}

/** A policy that only sets a multiplier, so that a decision reads one number. */
export interface MultiplierPolicy extends Policy {
  readonly multiplier: number
}

/** The state that every policy needs: its place in the day and the remaining budget. */
export class Progress {
  plan: Plan
  window = 0
  seen = 0
  budgetLeft: number

  constructor(plan: Plan) {
    this.plan = plan
    this.budgetLeft = plan.budget
  }

  note(report: WindowReport): void {
    this.window++
    this.seen += report.requests
    this.budgetLeft -= report.charged ?? report.spend
  }

  get requestsLeft(): number {
    return this.plan.traffic.left(this.window, this.seen)
  }

  /** Expected share of the day's requests up to now. */
  get shareSeen(): number {
    const { traffic, windows } = this.plan
    return traffic.expectedBy(Math.min(this.window, windows)) / traffic.expectedBy(windows)
  }

  /** Expected share of the remaining requests in the next window. */
  get shareAhead(): number {
    const { traffic, windows } = this.plan
    const seen = traffic.expectedBy(Math.min(this.window, windows))
    const next = traffic.expectedBy(Math.min(this.window + 1, windows))
    const left = traffic.expectedBy(windows) - seen
    return left > 0 ? (next - seen) / left : 1
  }

  /** What a request may cost on average from now on. */
  get wanted(): number {
    return this.budgetLeft / this.requestsLeft
  }
}

import type { TrafficForecast } from './traffic-forecast.ts'

/** What a policy is told when a day, or an episode, begins. */
export interface Plan {
  readonly budget: number
  readonly windows: number
  readonly traffic: TrafficForecast
}

/** What a window brought: a policy sees its own wins, its spend and the requests, nothing else. */
export interface WindowReport {
  readonly requests: number
  readonly wins: number
  readonly spend: number
  /** Sum of pCTR won. */
  readonly value: number
  readonly clicks: number
  /** What the books took, where that is known apart from what the wins should have cost. */
  readonly charged?: number | undefined
  /** The multiplier that held, where a limit cut it or another policy acted. */
  readonly multiplier?: number | undefined
  /** The window was stopped before its end: it would have spent this much, or more. */
  readonly isBraked?: boolean | undefined
}

/**
 * Anything that decides what to bid. `begin` once per day, `bid` per auction, `observe` after each
 * window. In the 15-minute loop a window is 15 minutes; where a policy acts per auction, one auction.
 */
export interface Policy {
  begin(plan: Plan): void
  /** Wished bid, before it is rounded down and capped by the maximum bid and the budget left. */
  bid(pctr: number): number
  observe(report: WindowReport): void
  /** Told of every win at once, where a policy stands for what acts within a window. */
  paid?(price: number): void
}

/** A policy that only moves a multiplier, so that the decision path reads one number. */
export interface MultiplierPolicy extends Policy {
  readonly multiplier: number
}

/** Keeps what every policy has to keep: where in the day it is and what is left. */
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

  /** Of the day's requests, the share that should have come by now. */
  get shareSeen(): number {
    const { traffic, windows } = this.plan
    return traffic.expectedBy(Math.min(this.window, windows)) / traffic.expectedBy(windows)
  }

  /** Of the requests left, the share that should come in the window to come. */
  get shareAhead(): number {
    const { traffic, windows } = this.plan
    const seen = traffic.expectedBy(Math.min(this.window, windows))
    const next = traffic.expectedBy(Math.min(this.window + 1, windows))
    const left = traffic.expectedBy(windows) - seen
    return left > 0 ? (next - seen) / left : 1
  }

  /** What a request may cost from now on. */
  get wanted(): number {
    return this.budgetLeft / this.requestsLeft
  }
}

import type { Draws } from '../random.ts'
import {
  type MultiplierPolicy,
  type Plan,
  type Policy,
  Progress,
  type WindowReport,
} from './policy.ts'

/** A constant multiplier: `fixed`, a linear bid tuned once, or Mcpc if k is the cost per click. */
export class Fixed implements MultiplierPolicy {
  readonly multiplier: number

  constructor(multiplier: number) {
    this.multiplier = multiplier
  }

  begin(): void {}

  bid(pctr: number): number {
    return pctr * this.multiplier
  }

  observe(): void {}
}

/** The same bid for every auction. */
export class Constant implements Policy {
  private readonly amount: number

  constructor(amount: number) {
    this.amount = amount
  }

  begin(): void {}

  bid(): number {
    return this.amount
  }

  observe(): void {}
}

const THROTTLE_STEP = 0.1
const PASS_START = 0.5
const PASS_MIN = 0.01

/** Keeps the bid and takes part in a share of the requests, which each window changes by 10 %. */
export class Throttle implements Policy {
  private readonly multiplier: number
  private readonly draws: Draws
  private progress!: Progress
  private pass = PASS_START

  constructor(multiplier: number, draws: Draws) {
    this.multiplier = multiplier
    this.draws = draws
  }

  begin(plan: Plan): void {
    this.progress = new Progress(plan)
    this.pass = PASS_START
  }

  bid(pctr: number): number {
    return this.draws.next() < this.pass ? pctr * this.multiplier : -1
  }

  observe(report: WindowReport): void {
    const { progress } = this
    progress.note(report)
    const spentShare = 1 - progress.budgetLeft / progress.plan.budget
    const seenShare = progress.seen / (progress.seen + progress.requestsLeft)
    const change = spentShare > seenShare ? 1 - THROTTLE_STEP : 1 + THROTTLE_STEP
    this.pass = Math.min(1, Math.max(PASS_MIN, this.pass * change))
  }
}

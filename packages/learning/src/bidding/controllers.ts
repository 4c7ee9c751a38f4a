import { type MultiplierPolicy, type Plan, Progress, type WindowReport } from './policy.ts'

/** Most that a controller may move ln k from its start. */
const LN_REACH = 3

/**
 * Dual mirror descent (Balseiro and Gur): each window moves ln k by the rate × its relative error. Each
 * window plans a new target; a fixed budget / requests starves tight budgets.
 */
export class Dual implements MultiplierPolicy {
  private readonly start: number
  private readonly rate: number
  private progress!: Progress
  private ln = 0

  constructor({ start, rate }: { start: number; rate: number }) {
    this.start = start
    this.rate = rate
  }

  get multiplier(): number {
    return this.start * Math.exp(this.ln)
  }

  begin(plan: Plan): void {
    this.progress = new Progress(plan)
    this.ln = 0
  }

  bid(pctr: number): number {
    return pctr * this.multiplier
  }

  observe(report: WindowReport): void {
    const target = this.progress.wanted * report.requests
    this.progress.note(report)
    if (target <= 0) return
    this.ln = clip(this.ln + (this.rate * (target - report.spend)) / target, LN_REACH)
  }
}

/** Gains on (plan − spend) / budget. A D term only adds noise with windows of 15 minutes. */
const GAIN_NOW = 4
const GAIN_SUM = 0.5
const SUM_MAX = 2

/** PI control of ln k on a plan that follows the traffic. The integral stays constant without traffic. */
export class Pid implements MultiplierPolicy {
  private readonly start: number
  private progress!: Progress
  private sum = 0
  private ln = 0

  constructor(start: number) {
    this.start = start
  }

  get multiplier(): number {
    return this.start * Math.exp(this.ln)
  }

  begin(plan: Plan): void {
    this.progress = new Progress(plan)
    this.sum = 0
    this.ln = 0
  }

  bid(pctr: number): number {
    return pctr * this.multiplier
  }

  observe(report: WindowReport): void {
    const { progress } = this
    progress.note(report)
    if (report.requests === 0) return
    const spent = 1 - progress.budgetLeft / progress.plan.budget
    const due = progress.seen / (progress.seen + progress.requestsLeft)
    this.sum = clip(this.sum + (due - spent), SUM_MAX)
    this.ln = clip(GAIN_NOW * (due - spent) + GAIN_SUM * this.sum, LN_REACH)
  }
}

const clip = (value: number, reach: number): number => Math.min(reach, Math.max(-reach, value))

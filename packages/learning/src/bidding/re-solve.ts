import { OFFSET_DEFAULTS, OffsetFilter, type OffsetSettings } from './offset-filter.ts'
import { type MultiplierPolicy, type Plan, Progress, type WindowReport } from './policy.ts'
import { lnMultiplierFor, type SpendCurve } from './spend-curve.ts'

/** A window that ended with a smaller share of the budget was cut short and is ignored. */
const EXHAUSTED_SHARE = 0.005

/**
 * The base policy of the agents. In each window it solves the rest of the day again: it finds the
 * multiplier at which the remaining requests cost the remaining budget, by the curve of history,
 * corrected by today's spend.
 */
export class ReSolve implements MultiplierPolicy {
  /** What an agent adds to ln k in the next window. */
  residual = 0
  progress!: Progress
  private readonly curve: SpendCurve
  private readonly settings: OffsetSettings
  private filter!: OffsetFilter
  private lnBase = 0

  constructor(curve: SpendCurve, settings: OffsetSettings = OFFSET_DEFAULTS) {
    this.curve = curve
    this.settings = settings
  }

  get multiplier(): number {
    return Math.exp(this.lnBase + this.residual)
  }

  /** Difference between today and history, in ln k. */
  get offset(): number {
    return this.filter.mean
  }

  begin(plan: Plan): void {
    this.progress = new Progress(plan)
    this.filter = new OffsetFilter(this.settings)
    this.residual = 0
    this.solve()
  }

  bid(pctr: number): number {
    return pctr * this.multiplier
  }

  observe(report: WindowReport): void {
    const { progress } = this
    progress.note(report)
    const wasWhole = progress.budgetLeft > EXHAUSTED_SHARE * progress.plan.budget
    if (report.requests > 0 && wasWhole) {
      const { multiplier = this.multiplier } = report
      this.filter.note(this.curve, Math.log(multiplier), report)
    }
    this.solve()
  }

  private solve(): void {
    this.lnBase = lnMultiplierFor(this.curve, this.progress.wanted) - this.filter.mean
  }
}

/** Re-solve without feedback, the baseline that other benchmarks print. */
export class CurveReSolve implements MultiplierPolicy {
  multiplier = 0
  private readonly curve: SpendCurve
  private progress!: Progress

  constructor(curve: SpendCurve) {
    this.curve = curve
  }

  begin(plan: Plan): void {
    this.progress = new Progress(plan)
    this.solve()
  }

  bid(pctr: number): number {
    return pctr * this.multiplier
  }

  observe(report: WindowReport): void {
    this.progress.note(report)
    this.solve()
  }

  private solve(): void {
    this.multiplier = Math.exp(lnMultiplierFor(this.curve, this.progress.wanted))
  }
}

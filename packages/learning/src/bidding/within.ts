import type { MultiplierPolicy, Plan, WindowReport } from './policy.ts'

export interface Limits {
  readonly min: number
  readonly max: number
  /** How far ln k may move from one window to the next. */
  readonly step: number
}

/**
 * A policy whose multiplier is cut to what a campaign allows, moves in steps, and is told what held.
 * Steps, because others adapt too: agents that all jump at once outbid each other.
 */
export class Within implements MultiplierPolicy {
  multiplier = 1
  private readonly policy: MultiplierPolicy
  private readonly limits: Limits

  constructor(policy: MultiplierPolicy, limits: Limits) {
    this.policy = policy
    this.limits = limits
  }

  begin(plan: Plan): void {
    this.policy.begin(plan)
    this.multiplier = this.cut(this.policy.multiplier)
  }

  bid(pctr: number): number {
    return pctr * this.multiplier
  }

  observe(report: WindowReport): void {
    const { multiplier = this.multiplier } = report
    this.policy.observe({ ...report, multiplier })
    const far = Math.log(this.cut(this.policy.multiplier) / this.multiplier)
    const { step } = this.limits
    this.multiplier *= Math.exp(Math.min(step, Math.max(-step, far)))
  }

  private cut(multiplier: number): number {
    return Math.min(this.limits.max, Math.max(this.limits.min, multiplier))
  }
}

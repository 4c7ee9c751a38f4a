import type { MultiplierPolicy, Plan, WindowReport } from './policy.ts'

/** A policy whose multiplier is cut to what a campaign allows, and which is told when it was. */
export class Within implements MultiplierPolicy {
  private readonly policy: MultiplierPolicy
  private readonly min: number
  private readonly max: number

  constructor(
    policy: MultiplierPolicy,
    { min, max }: { readonly min: number; readonly max: number },
  ) {
    this.policy = policy
    this.min = min
    this.max = max
  }

  get multiplier(): number {
    return Math.min(this.max, Math.max(this.min, this.policy.multiplier))
  }

  begin(plan: Plan): void {
    this.policy.begin(plan)
  }

  bid(pctr: number): number {
    return pctr * this.multiplier
  }

  observe(report: WindowReport): void {
    this.policy.observe({ multiplier: this.multiplier, ...report })
  }
}

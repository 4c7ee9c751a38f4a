import type { MultiplierPolicy, Plan } from './policy.ts'

const HOURS = 24
/** The hours so far may have spent their even share × this. */
const BUFFER = 1.2

/**
 * A constant multiplier that pauses while the hours so far have spent more than their share: a campaign
 * without an agent, under Smooth pacing.
 */
export class Paced implements MultiplierPolicy {
  readonly multiplier: number
  private plan!: Plan
  private window = 0
  private spent = 0

  constructor(multiplier: number) {
    this.multiplier = multiplier
  }

  begin(plan: Plan): void {
    this.plan = plan
    this.window = 0
    this.spent = 0
  }

  bid(pctr: number): number {
    const hour = Math.floor((this.window * HOURS) / this.plan.windows)
    const allowed = this.plan.budget * Math.min(1, (BUFFER * (hour + 1)) / HOURS)
    return this.spent < allowed ? pctr * this.multiplier : -1
  }

  paid(price: number): void {
    this.spent += price
  }

  observe(): void {
    this.window++
  }
}

import { type MultiplierPolicy, type Plan, Progress, type WindowReport } from './policy.ts'
import type { SeedAgent } from './seed-agent.ts'

/** Makes the `dqn-seed` agent bid in a replay: its multiplier scales a base bid from history. */
export class SeedPolicy implements MultiplierPolicy {
  private readonly agent: SeedAgent
  private readonly base: number
  private readonly bidMax: number
  private progress!: Progress
  private day = 0

  constructor(agent: SeedAgent, { base, bidMax }: { base: number; bidMax: number }) {
    this.agent = agent
    this.base = base
    this.bidMax = bidMax
  }

  get multiplier(): number {
    return this.base * this.agent.multiplier
  }

  begin(plan: Plan): void {
    this.progress = new Progress(plan)
  }

  bid(pctr: number): number {
    return pctr * this.multiplier
  }

  observe(report: WindowReport): void {
    const { progress } = this
    progress.note(report)
    const timeLeft = 1 - progress.window / progress.plan.windows
    if (timeLeft <= 0) {
      this.day++
      this.agent.rollDay(this.day, report.clicks)
      return
    }
    this.agent.step({
      impressions: report.wins,
      clicks: report.clicks,
      auctions: report.requests,
      spend: report.spend,
      budgetLeft: progress.budgetLeft / progress.plan.budget,
      timeLeft,
      cpmMax: this.bidMax,
    })
  }
}

import type { MeanValueTable } from './mean-value-table.ts'
import { type Plan, type Policy, Progress, type WindowReport } from './policy.ts'

/** RLB: bids the worth of the auction's own click rate, by the table of average auctions. */
export class Rlb implements Policy {
  protected progress!: Progress
  protected readonly table: MeanValueTable
  protected readonly bidMax: number

  constructor(table: MeanValueTable, bidMax: number) {
    this.table = table
    this.bidMax = bidMax
  }

  begin(plan: Plan): void {
    this.progress = new Progress(plan)
  }

  bid(pctr: number): number {
    return this.table.bid(pctr, {
      auctions: this.progress.requestsLeft - 1,
      budget: this.progress.budgetLeft,
      limit: this.bidMax,
    })
  }

  observe(report: WindowReport): void {
    this.progress.note(report)
  }
}

/** SS-MDP: the same table, but treats every auction as average. */
export class SsMdp extends Rlb {
  private readonly rate: number

  constructor(table: MeanValueTable, { rate, bidMax }: { rate: number; bidMax: number }) {
    super(table, bidMax)
    this.rate = rate
  }

  override bid(): number {
    return super.bid(this.rate)
  }
}

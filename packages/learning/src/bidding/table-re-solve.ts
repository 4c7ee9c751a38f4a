import { type Plan, type Policy, Progress, type WindowReport } from './policy.ts'
import { SpendFeedback } from './spend-feedback.ts'
import type { ValueTable } from './value-table.ts'

/** Requests that the feedback remembers, and that its prior is worth. */
const MEMORY = 300

/**
 * Re-solve for budgets that buy few impressions, auction by auction: bids what an auction is worth by
 * the value table at budget left and traffic left. Where today's auctions spend g times what history
 * would, as many auctions are left as g times the count.
 */
export class TableReSolve implements Policy {
  private readonly table: ValueTable
  private readonly bidMax: number
  private progress!: Progress
  private feedback!: SpendFeedback

  constructor(table: ValueTable, bidMax: number) {
    this.table = table
    this.bidMax = bidMax
  }

  begin(plan: Plan): void {
    this.progress = new Progress(plan)
    this.feedback = new SpendFeedback({ memory: MEMORY, wanted: this.progress.wanted })
  }

  bid(pctr: number): number {
    const { budgetLeft, requestsLeft } = this.progress
    return this.table.worth(pctr, {
      auctionsLeft: (requestsLeft - 1) * this.feedback.ratio,
      budget: budgetLeft,
      limit: this.bidMax,
    })
  }

  observe(report: WindowReport): void {
    const { wanted, budgetLeft, plan } = this.progress
    const isOpen = budgetLeft >= CLOSING_SHARE * plan.budget
    const meant = Math.min(wanted / this.feedback.ratio, this.table.meanPrice)
    this.feedback.note(report.spend, isOpen ? meant * report.requests : 0)
    this.progress.note(report)
  }
}

/** Below this share of the budget single prices decide, and spend says nothing of the market. */
const CLOSING_SHARE = 0.05

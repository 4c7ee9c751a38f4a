import { type Plan, type Policy, Progress, type WindowReport } from './policy.ts'
import { SpendFeedback } from './spend-feedback.ts'
import type { ValueTable } from './value-table.ts'

/** Number of requests that the feedback remembers, also the weight of its prior. */
const MEMORY = 300

/**
 * Re-solve for budgets that buy few impressions. Bids the worth of each auction by the value table, for
 * the remaining budget and traffic. If today's auctions spend g times as much as history, it counts the
 * remaining auctions g times.
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

/** With a smaller share of the budget left, single prices decide, and spend says nothing about the market. */
const CLOSING_SHARE = 0.05

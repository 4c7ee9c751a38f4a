import type { Feed } from '../../../platform/database/ordered-feed.ts'

/** One settled batch. */
export interface Batch {
  readonly id: string
  readonly rows: number
  /** The decision days of its events, as PostgreSQL writes a list of dates. */
  readonly days: string
}

interface SettledBatch extends Batch {
  /** UTC days whose earlier events were charged by this batch. */
  readonly paidDays: string
}

/** Settled batches in transaction order, for all followers. */
export const settledFeed: Feed<SettledBatch> = {
  table: 'settled_batches',
  columns: ['events', 'decision_days', 'paid_days'],
  timeColumn: 'settled_at',
  parse: ({ id, events, decision_days, paid_days }) => ({
    id: String(id),
    rows: Number(events),
    days: String(decision_days),
    paidDays: typeof paid_days === 'string' ? paid_days : '{}',
  }),
}

import type { Feed } from '../../../platform/database/ordered-feed.ts'

/** Rows that were written together. */
export interface Batch {
  readonly id: string
  readonly rows: number
  /** The partitions they are in, as PostgreSQL writes a list of days. */
  readonly days: string
}

/** The batches of settled events, in the order of their transactions: for all who follow them. */
export const settledFeed: Feed<Batch> = {
  table: 'settled_batches',
  columns: ['events', 'decision_days'],
  timeColumn: 'settled_at',
  parse: ({ id, events, decision_days }) => ({
    id: id as string,
    rows: events as number,
    days: decision_days as string,
  }),
}

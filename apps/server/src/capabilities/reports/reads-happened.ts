import { sql, type SQL } from 'drizzle-orm'
import type { Feed } from '../../platform/database/ordered-feed.ts'

/** Events that were settled together. */
export interface Batch {
  readonly id: string
  readonly rows: number
  /** The partitions they are in, as PostgreSQL writes a list of days. */
  readonly days: string
}

export const settledBatches: Feed<Batch> = {
  table: 'settled_batches',
  columns: ['events', 'decision_days'],
  timeColumn: 'settled_at',
  parse: ({ id, events, decision_days }) => ({
    id: id as string,
    rows: events as number,
    days: decision_days as string,
  }),
}

export const conversionPlaces: Feed<null> = {
  table: 'conversions',
  columns: ['event_id'],
  timeColumn: 'received_at',
  parse: () => null,
}

/** Days first: partitions that hold none of the batches are not looked at. */
export function batchesWhere(batches: readonly Batch[]): SQL {
  const days = new Set(batches.flatMap(({ days }) => days.slice(1, -1).split(',')))
  const ids = batches.map(({ id }) => BigInt(id))
  const lowest = ids.reduce((a, b) => (a < b ? a : b))
  const highest = ids.reduce((a, b) => (a > b ? a : b))
  return sql`e.decision_day = any (${`{${[...days].join(',')}}`}::date[])
    and e.batch_id between ${`${lowest}`}::bigint and ${`${highest}`}::bigint
    and e.batch_id = any (${`{${ids.join(',')}}`}::bigint[])`
}

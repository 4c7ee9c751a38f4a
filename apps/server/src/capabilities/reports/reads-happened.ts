import { sql, type SQL } from 'drizzle-orm'
import type { Feed } from '../../platform/database/ordered-feed.ts'
import type { Batch } from '../tracking/index.ts'

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

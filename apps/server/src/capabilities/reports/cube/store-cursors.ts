import { sql } from 'drizzle-orm'
import type { Database } from '../../../platform/database/connect.ts'
import type { FeedCursor } from '../../../platform/database/ordered-feed.ts'
import type { Batch } from '../../tracking/index.ts'

/** Sources of the sums, each followed at its own pace. */
export type StatsSource = 'tracking' | 'conversions' | 'reach'

/** Locked until the transaction ends, so that adding and rebuilding take turns. */
export async function lockCursor(db: Database, source: StatsSource): Promise<FeedCursor> {
  const { rows } = await db.execute<{ xid: string; id: string }>(
    sql`select xid, id from stats_cursors where source = ${source} for update`,
  )
  return { xid: BigInt(rows[0]!.xid), id: BigInt(rows[0]!.id) }
}

export async function moveCursor(db: Database, source: StatsSource, { xid, id }: FeedCursor) {
  await db.execute(sql`
    update stats_cursors set xid = ${`${xid}`}::xid8, id = ${`${id}`}::bigint, moved_at = now()
     where source = ${source}`)
}

/** The number of batches that hold about as many events as a step should have. */
export function countToTake(batches: readonly Batch[], eventsPerStep: number): number {
  let events = 0
  const last = batches.findIndex(({ rows }) => (events += rows) >= eventsPerStep)
  return last === -1 ? batches.length : last + 1
}

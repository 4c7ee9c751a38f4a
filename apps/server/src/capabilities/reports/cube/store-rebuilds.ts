import { sql } from 'drizzle-orm'
import type { Database } from '../../../platform/database/connect.ts'

export async function requestRebuild(db: Database, day: string, at: Date): Promise<void> {
  await db.execute(sql`
    insert into stats_rebuilds (day, requested_at) values (${day}::date, ${at.toISOString()}::timestamptz)
    on conflict (day) do nothing`)
}

/** The day that has waited longest for its rebuild. */
export async function findRebuild(db: Database): Promise<string | undefined> {
  const { rows } = await db.execute<{ day: string }>(
    sql`select day::text as day from stats_rebuilds order by requested_at, day limit 1`,
  )
  return rows[0]?.day
}

/** When the oldest events that are not yet added were settled. */
export async function findOldestToAdd(db: Database): Promise<Date | undefined> {
  const { rows } = await db.execute<{ settled_at: string }>(sql`
    select settled_at from settled_batches
     where (xid, id) > (select xid, id from stats_cursors where source = 'tracking')
     order by xid, id
     limit 1`)
  return rows[0] && new Date(rows[0].settled_at)
}

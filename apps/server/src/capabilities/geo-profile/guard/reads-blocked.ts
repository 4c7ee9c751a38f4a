import type { Row } from '../../../platform/database/row.ts'
import { sql } from 'drizzle-orm'
import type { Database } from '../../../platform/database/connect.ts'

export interface BlockedSession {
  readonly id: string
  readonly atMs: number
}

const LISTED_MAX = 10_000

/** Sessions that were blocked after the instant, by a person or by us, here or elsewhere; oldest first. */
export async function listBlockedSessions(
  db: Database,
  afterMs: number,
): Promise<readonly BlockedSession[]> {
  const after = sql`to_timestamp(${afterMs / 1_000}::float8)`
  const { rows } = await db.execute<Row<BlockedSession>>(sql`
    select id, (extract(epoch from at) * 1000)::float8 as "atMs" from (
      select public_id::text as id, blocked_at as at from device_sessions
       where blocked_at >= ${after}
      union
      select device_session_id, updated_at from session_block_action
       where state = 'succeeded' and updated_at >= ${after}
    ) blocked order by at limit ${LISTED_MAX}`)
  return rows
}

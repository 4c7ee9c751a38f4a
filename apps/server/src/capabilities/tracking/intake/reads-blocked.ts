import type { Row } from '../../../platform/database/row.ts'
import { sql } from 'drizzle-orm'
import type { Database } from '../../../platform/database/connect.ts'

export interface BlockedSession {
  readonly id: string
  readonly atMs: number
  /** False: the session was unblocked at that time. */
  readonly isBlocked: boolean
}

const LISTED_MAX = 10_000

/** Sessions blocked or unblocked after the instant, by anyone and anywhere, oldest first. */
export async function listBlockedSessions(
  db: Database,
  afterMs: number,
): Promise<readonly BlockedSession[]> {
  const after = sql`to_timestamp(${afterMs / 1_000}::float8)`
  const { rows } = await db.execute<Row<BlockedSession>>(sql`
    select id, (extract(epoch from at) * 1000)::float8 as "atMs", blocked as "isBlocked" from (
      select public_id::text as id, blocked_at as at, true as blocked from device_sessions
       where blocked_at >= ${after}
      union
      select public_id::text, unblocked_at, false from device_sessions
       where unblocked_at >= ${after} and blocked_at is null
      union
      select device_session_id, updated_at, state <> 'unblocked' from session_block_action
       where state in ('succeeded', 'unblock_requested', 'unblock_failed', 'unblocked')
         and updated_at >= ${after}
    ) changed order by at limit ${LISTED_MAX}`)
  return rows
}

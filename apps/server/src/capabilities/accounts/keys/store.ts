import { and, count, eq, gt, isNull, or, sql } from 'drizzle-orm'
import type { Database } from '../../../platform/database/connect.ts'
import { apiKeys } from '../tables.ts'

/** Counts the working keys of an account, and locks out concurrent additions. */
export async function lockUsableKeys(db: Database, accountId: bigint, now: Date): Promise<number> {
  await db.execute(
    sql`select pg_advisory_xact_lock(hashtextextended('api keys ' || ${accountId.toString()}::text, 0))`,
  )
  const [row] = await db
    .select({ usable: count() })
    .from(apiKeys)
    .where(
      and(
        eq(apiKeys.accountId, accountId),
        isNull(apiKeys.revokedAt),
        or(isNull(apiKeys.expiresAt), gt(apiKeys.expiresAt, now)),
      ),
    )
  return row!.usable
}

import { and, between, eq, sql, sum } from 'drizzle-orm'
import type { Database } from '../../../platform/database/connect.ts'
import { consentCounts } from '../tables.ts'
import type { ConsentCount } from './consent-counts.ts'

/** Adds to what other nodes have counted. */
export async function addConsentCounts(
  db: Database,
  counts: readonly ConsentCount[],
): Promise<void> {
  await db
    .insert(consentCounts)
    .values(
      counts.map(({ publisherKey, ...count }) => ({ ...count, accountId: BigInt(publisherKey) })),
    )
    .onConflictDoUpdate({
      target: [consentCounts.day, consentCounts.accountId, consentCounts.signal],
      set: { requests: sql`${consentCounts.requests} + excluded.requests` },
    })
}

export interface ConsentDays {
  readonly from: string
  readonly to: string
  /** Undefined: of all publishers. */
  readonly accountId: bigint | undefined
}

/** Requests by signal, most frequent first. */
export async function sumConsentCounts(
  db: Database,
  { from, to, accountId }: ConsentDays,
): Promise<readonly { readonly signal: string; readonly requests: number }[]> {
  const requests = sum(consentCounts.requests).mapWith(Number)
  return db
    .select({ signal: consentCounts.signal, requests })
    .from(consentCounts)
    .where(
      and(
        between(consentCounts.day, from, to),
        accountId === undefined ? undefined : eq(consentCounts.accountId, accountId),
      ),
    )
    .groupBy(consentCounts.signal)
    .orderBy(sql`2 desc`, consentCounts.signal)
}

export async function deleteOldConsentCounts(db: Database, before: string): Promise<void> {
  await db.delete(consentCounts).where(sql`${consentCounts.day} < ${before}::date`)
}

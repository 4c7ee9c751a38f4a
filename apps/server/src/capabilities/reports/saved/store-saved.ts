import { and, asc, eq, lte } from 'drizzle-orm'
import type { Database } from '../../../platform/database/connect.ts'
import { savedReports } from '../tables.ts'

export type SavedReportRow = typeof savedReports.$inferSelect

/** One due report, locked until the transaction ends. Other workers take the next. */
export async function lockDueReport(db: Database, now: Date): Promise<SavedReportRow | undefined> {
  const [row] = await db
    .select()
    .from(savedReports)
    .where(lte(savedReports.nextDueAt, now))
    .orderBy(asc(savedReports.nextDueAt), asc(savedReports.id))
    .limit(1)
    .for('update', { skipLocked: true })
  return row
}

export async function saveSent(
  db: Database,
  id: bigint,
  sent: Pick<SavedReportRow, 'nextDueAt' | 'failures' | 'failure'> & { lastSentAt?: Date },
): Promise<void> {
  await db
    .update(savedReports)
    .set(sent)
    .where(and(eq(savedReports.id, id)))
}

import { and, asc, count, desc, eq, inArray, lt, lte, ne, sql } from 'drizzle-orm'
import type { Database } from '../../../platform/database/connect.ts'
import { reportExports } from '../tables.ts'

export type ReportExportRow = typeof reportExports.$inferSelect

/** Counts exports that are not finished, and keeps others of the account from being added meanwhile. */
export async function lockUnfinished(db: Database, accountId: bigint): Promise<number> {
  await db.execute(
    sql`select pg_advisory_xact_lock(hashtextextended('report exports ' || ${accountId.toString()}::text, 0))`,
  )
  const [row] = await db
    .select({ unfinished: count() })
    .from(reportExports)
    .where(
      and(
        eq(reportExports.accountId, accountId),
        inArray(reportExports.status, ['waiting', 'running']),
      ),
    )
  return row!.unfinished
}

/** Undefined when there is nothing left to do: it is written, or was taken away. */
export async function startExport(
  db: Database,
  publicId: string,
  now: Date,
): Promise<ReportExportRow | undefined> {
  const [row] = await db
    .update(reportExports)
    .set({
      status: 'running',
      rowCount: 0,
      attempts: sql`${reportExports.attempts} + 1`,
      updatedAt: now,
    })
    .where(
      and(
        eq(reportExports.publicId, publicId),
        inArray(reportExports.status, ['waiting', 'running']),
      ),
    )
    .returning()
  return row
}

/** What has become of an export; one that expired meanwhile stays so. */
export async function saveExport(
  db: Database,
  id: bigint,
  change: Partial<ReportExportRow> & { readonly updatedAt: Date },
): Promise<void> {
  await db
    .update(reportExports)
    .set({ ...change, version: sql`${reportExports.version} + 1` })
    .where(and(eq(reportExports.id, id), ne(reportExports.status, 'expired')))
}

const EXPIRED_AT_ONCE = 100

/** Those whose time is over and which may still have a file. */
export async function listExpired(db: Database, now: Date): Promise<readonly ReportExportRow[]> {
  return db
    .select()
    .from(reportExports)
    .where(and(lte(reportExports.expiresAt, now), ne(reportExports.status, 'expired')))
    .orderBy(asc(reportExports.expiresAt))
    .limit(EXPIRED_AT_ONCE)
}

/** Files of an account beyond so many: the oldest. */
export async function listBeyond(
  db: Database,
  { accountId, kept }: { readonly accountId: bigint; readonly kept: number },
): Promise<readonly ReportExportRow[]> {
  return db
    .select()
    .from(reportExports)
    .where(and(eq(reportExports.accountId, accountId), eq(reportExports.status, 'ready')))
    .orderBy(desc(reportExports.id))
    .offset(kept)
    .limit(EXPIRED_AT_ONCE)
}

/** Ends those that nobody works on any more, so that they hold no place of their account. */
export async function failAbandoned(
  db: Database,
  { before, now }: { readonly before: Date; readonly now: Date },
): Promise<void> {
  await db
    .update(reportExports)
    .set({
      status: 'failed',
      failure: 'It was not written in time.',
      finishedAt: now,
      updatedAt: now,
    })
    .where(
      and(
        inArray(reportExports.status, ['waiting', 'running']),
        lt(reportExports.updatedAt, before),
      ),
    )
}

/** Forgets exports that have had no file for long. */
export async function forgetExports(db: Database, before: Date): Promise<void> {
  await db
    .delete(reportExports)
    .where(and(eq(reportExports.status, 'expired'), lt(reportExports.expiresAt, before)))
}

/** For the rest of the transaction: a job has more time than a request. */
export async function allowLongStatements(transaction: Database): Promise<void> {
  await transaction.execute(sql`set local statement_timeout = '15min'`)
}

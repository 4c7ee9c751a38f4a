import { and, asc, count, desc, eq, inArray, lt, lte, ne, sql } from 'drizzle-orm'
import type { Database } from '../../../platform/database/connect.ts'
import { reportExports } from '../tables.ts'

export type ReportExportRow = typeof reportExports.$inferSelect

/** Counts unfinished exports, and keeps the account from adding others meanwhile. */
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

/** Undefined if nothing is left to do: the file is written, or the export has expired. */
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

/** Saves the result of an export, unless it expired meanwhile. */
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

/** Expired exports that may still have a file. */
export async function listExpired(db: Database, now: Date): Promise<readonly ReportExportRow[]> {
  return db
    .select()
    .from(reportExports)
    .where(and(lte(reportExports.expiresAt, now), ne(reportExports.status, 'expired')))
    .orderBy(asc(reportExports.expiresAt))
    .limit(EXPIRED_AT_ONCE)
}

/** The oldest files of an account beyond its maximum. */
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

/** Fails exports that no job works on any more, so that they do not count against their account. */
export async function failAbandoned(
  db: Database,
  { before, now }: { readonly before: Date; readonly now: Date },
): Promise<void> {
  await db
    .update(reportExports)
    .set({
      status: 'failed',
      failure: 'The file was not written in time.',
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

/** Deletes exports that have had no file for a long time. */
export async function deleteOldExports(db: Database, before: Date): Promise<void> {
  await db
    .delete(reportExports)
    .where(and(eq(reportExports.status, 'expired'), lt(reportExports.expiresAt, before)))
}

/** For the rest of the transaction: a job may take longer than a request. */
export async function allowLongStatements(transaction: Database): Promise<void> {
  await transaction.execute(sql`set local statement_timeout = '15min'`)
}

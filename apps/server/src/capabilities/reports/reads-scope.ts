import { sql } from 'drizzle-orm'
import type { Database } from '../../platform/database/connect.ts'
import type { ReportScope } from './report.ts'

/** The rows that an account may see in reports. */
export async function findScope(db: Database, accountId: bigint): Promise<ReportScope> {
  const { rows } = await db.execute(
    sql`select kind from accounts where id = ${`${accountId}`}::bigint`,
  )
  if (!rows[0]) throw new Error(`no account ${accountId}`)
  return { kind: rows[0]['kind'] as ReportScope['kind'], accountId }
}

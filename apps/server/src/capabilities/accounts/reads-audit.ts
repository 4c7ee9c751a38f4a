import { gte, lt, type SQL } from 'drizzle-orm'
import { auditLog } from './tables.ts'

/** Filters of the audit log by time. */
export const auditFilters: Readonly<Record<string, (at: unknown) => SQL>> = {
  occurredFrom: (at) => gte(auditLog.occurredAt, new Date(String(at))),
  occurredBefore: (at) => lt(auditLog.occurredAt, new Date(String(at))),
}

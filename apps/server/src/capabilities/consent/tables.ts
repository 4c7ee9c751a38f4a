import { bigint, date, pgTable, primaryKey, text } from 'drizzle-orm/pg-core'
import { rowId } from '../../platform/database/columns.ts'

/** Ad requests of a UTC day by the signal that refused something. */
export const consentCounts = pgTable(
  'consent_counts',
  {
    day: date('day').notNull(),
    /** The publisher's account. */
    accountId: rowId('account_id').notNull(),
    signal: text('signal').notNull(),
    requests: bigint('requests', { mode: 'number' }).notNull(),
  },
  (table) => [primaryKey({ columns: [table.day, table.accountId, table.signal] })],
)

import { sql } from 'drizzle-orm'
import { pgTable, text } from 'drizzle-orm/pg-core'
import { identity, instant, rowId, transactionId } from '../database/columns.ts'

/** Changed rows, for the nodes that hold them in memory. */
export const changes = pgTable('changes', {
  id: identity(),
  xid: transactionId('xid')
    .notNull()
    .default(sql`pg_current_xact_id()`),
  entity: text('entity').notNull(),
  entityId: rowId('entity_id').notNull(),
  operation: text('operation').notNull(),
  changedAt: instant('changed_at')
    .notNull()
    .default(sql`now()`),
})

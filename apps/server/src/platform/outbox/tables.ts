import { sql } from 'drizzle-orm'
import { jsonb, pgTable, primaryKey, text, uuid } from 'drizzle-orm/pg-core'
import { identity, instant, rowId, transactionId } from '../database/columns.ts'

/** Events to publish, in the order of their transactions. */
export const outbox = pgTable('outbox', {
  id: identity(),
  xid: transactionId('xid')
    .notNull()
    .default(sql`pg_current_xact_id()`),
  eventId: uuid('event_id').notNull(),
  type: text('type').notNull(),
  subject: text('subject').notNull(),
  data: jsonb('data').notNull(),
  occurredAt: instant('occurred_at').notNull(),
})

/** How far each sink has got. */
export const outboxCursors = pgTable(
  'outbox_cursors',
  {
    sink: text('sink').notNull(),
    xid: transactionId('xid').notNull(),
    id: rowId('id').notNull(),
    updatedAt: instant('updated_at')
      .notNull()
      .default(sql`now()`),
    source: text('source').notNull().default('outbox'),
  },
  (table) => [primaryKey({ columns: [table.sink, table.source] })],
)

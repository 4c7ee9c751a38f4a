import { pgTable, text } from 'drizzle-orm/pg-core'
import { rowId, transactionId } from './columns.ts'

/** How far each ordered feed was trimmed. */
export const feedHorizons = pgTable('feed_horizons', {
  feed: text('feed').primaryKey(),
  xid: transactionId('xid').notNull(),
  id: rowId('id').notNull(),
})

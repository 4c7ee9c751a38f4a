import { pgTable, text } from 'drizzle-orm/pg-core'
import { rowId, transactionId } from './columns.ts'

/** Up to where an ordered feed may be read. */
export const feedHorizons = pgTable('feed_horizons', {
  feed: text('feed').primaryKey(),
  xid: transactionId('xid').notNull(),
  id: rowId('id').notNull(),
})

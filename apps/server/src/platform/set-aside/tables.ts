import { bigint, pgTable, text } from 'drizzle-orm/pg-core'
import { instant } from '../database/columns.ts'

/** Rows that one reader refuses while everything else continues, with the reason. */
export const setAsideRows = pgTable('set_aside_rows', {
  id: bigint('id', { mode: 'bigint' }).primaryKey().generatedAlwaysAsIdentity(),
  reader: text('reader').notNull(),
  entity: text('entity').notNull(),
  entityId: bigint('entity_id', { mode: 'bigint' }).notNull(),
  reason: text('reason').notNull(),
  since: instant('since').notNull(),
  /** Last time the reader refused it. */
  seenAt: instant('seen_at').notNull(),
})

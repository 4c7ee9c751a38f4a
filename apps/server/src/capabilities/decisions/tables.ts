import { pgTable, text } from 'drizzle-orm/pg-core'
import { identity, instant } from '../../platform/database/columns.ts'

/** What publishers' servers say of their users; the key is a keyed hash. */
export const userSegments = pgTable('user_segments', {
  id: identity(),
  userKey: text('user_key').notNull().unique(),
  segments: text('segments').array().notNull(),
  updatedAt: instant('updated_at').notNull(),
})

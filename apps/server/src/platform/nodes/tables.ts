import { jsonb, pgTable, text, uuid } from 'drizzle-orm/pg-core'
import { instant } from '../database/columns.ts'

/** What a node tells of itself. */
export interface NodeFacts {
  readonly memoryBytes: number
  /** Where ads are served. */
  readonly index?: {
    readonly version: number
    readonly ads: number
    /** From writing the newest change to having applied it. */
    readonly lagSeconds: number
    /** Since it last agreed with the database. */
    readonly ageSeconds: number
  }
}

export const nodes = pgTable('nodes', {
  id: uuid('id').primaryKey(),
  role: text('role').$type<'all' | 'api' | 'worker'>().notNull(),
  version: text('version').notNull(),
  startedAt: instant('started_at').notNull(),
  lastSeenAt: instant('last_seen_at').notNull(),
  facts: jsonb('facts').$type<NodeFacts>().notNull(),
})

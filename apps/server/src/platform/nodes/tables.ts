import { jsonb, pgTable, text, uuid } from 'drizzle-orm/pg-core'
import { instant } from '../database/columns.ts'

/** What a node reports about itself. */
export interface NodeFacts {
  readonly memoryBytes: number
  /** Only on nodes that serve ads. */
  readonly index?: {
    readonly version: number
    readonly ads: number
    /** From the commit of the newest change to its use on this node. */
    readonly lagSeconds: number
    /** Since the index last agreed with the database. */
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

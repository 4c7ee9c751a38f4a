import type { ChangeSetState, RowOutcome } from '@placard/contract/change-sets'
import { integer, jsonb, pgTable, primaryKey, text, uuid } from 'drizzle-orm/pg-core'
import { instant, managed, owned, rowId } from '../../platform/database/columns.ts'
import type { Values } from '../../platform/resources/index.ts'
import type { RowChange } from './edit.ts'

export const changeSets = pgTable('change_sets', {
  ...managed(),
  ...owned(),
  title: text('title').notNull(),
  state: text('state').$type<ChangeSetState>().notNull().default('checking'),
  authorKind: text('author_kind').$type<'user' | 'key'>().notNull(),
  authorId: uuid('author_id').notNull(),
  authorName: text('author_name').notNull(),
  publishedAt: instant('published_at'),
  undoneAt: instant('undone_at'),
})

export const changeSetRows = pgTable(
  'change_set_rows',
  {
    changeSetId: rowId('change_set_id').notNull(),
    position: integer('position').notNull(),
    entity: text('entity').$type<'campaign' | 'ad'>().notNull(),
    entityId: uuid('entity_id').notNull(),
    name: text('name').notNull(),
    currency: text('currency'),
    change: jsonb('change').$type<RowChange>().notNull(),
    version: integer('version').notNull(),
    outcome: text('outcome').$type<RowOutcome>().notNull().default('waiting'),
    reason: text('reason'),
    before: jsonb('before').$type<Values>(),
    after: jsonb('after').$type<Values>(),
  },
  (table) => [primaryKey({ columns: [table.changeSetId, table.position] })],
)

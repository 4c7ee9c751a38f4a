import { jsonb, pgTable, text, uuid } from 'drizzle-orm/pg-core'
import { instant, managed, owned } from '../../platform/database/columns.ts'
import type { Changes, ProposalStatus } from './proposal.ts'

export const proposals = pgTable('proposals', {
  ...managed(),
  ...owned(),
  entity: text('entity').notNull(),
  entityId: uuid('entity_id').notNull(),
  entityName: text('entity_name').notNull(),
  changes: jsonb('changes').$type<Changes>().notNull(),
  status: text('status').$type<ProposalStatus>().notNull().default('pending'),
  proposedBy: text('proposed_by').notNull(),
  decidedBy: text('decided_by'),
  decidedAt: instant('decided_at'),
  reason: text('reason'),
})

import { boolean, integer, pgTable, text, uuid } from 'drizzle-orm/pg-core'
import { identity, instant, managed, publicId, rowId } from '../../platform/database/columns.ts'
import type { SealedColumn } from '../../platform/sealing/sealed-column.ts'

export const webhookEndpoints = pgTable('webhook_endpoints', {
  ...managed(),
  name: text('name').notNull(),
  url: text('url').notNull(),
  eventTypes: text('event_types').array().notNull(),
  isActive: boolean('is_active').notNull().default(true),
  failingSince: instant('failing_since'),
  restReason: text('rest_reason'),
  sealedSecret: text('sealed_secret').notNull(),
})

export const WEBHOOK_SECRETS: SealedColumn = {
  table: 'webhook_endpoints',
  column: 'sealed_secret',
  purpose: 'webhooks',
}

export const webhookDeliveries = pgTable('webhook_deliveries', {
  id: identity(),
  publicId: publicId(),
  webhookEndpointId: rowId('webhook_endpoint_id').notNull(),
  eventId: uuid('event_id').notNull(),
  eventType: text('event_type').notNull(),
  subject: text('subject').notNull(),
  body: text('body').notNull(),
  status: text('status').notNull().default('pending'),
  attempts: integer('attempts').notNull().default(0),
  dueAt: instant('due_at').notNull(),
  lastStatus: integer('last_status'),
  lastError: text('last_error'),
  occurredAt: instant('occurred_at').notNull(),
  createdAt: instant('created_at').notNull(),
  finishedAt: instant('finished_at'),
})

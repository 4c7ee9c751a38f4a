import { sql } from 'drizzle-orm'
import { boolean, jsonb, pgTable, text, uuid } from 'drizzle-orm/pg-core'
import { instant } from '../database/columns.ts'

/** Jobs ordered inside a transaction, until the queue has them. */
export const jobOrders = pgTable('job_orders', {
  id: uuid('id').primaryKey(),
  job: text('job').notNull(),
  dedupeKey: text('dedupe_key'),
  payload: jsonb('payload').notNull(),
  enqueuedAt: instant('enqueued_at').notNull(),
  dueAt: instant('due_at').notNull(),
  relayAfter: instant('relay_after')
    .notNull()
    .default(sql`now()`),
  isRelayed: boolean('is_relayed').notNull().default(false),
})

/** When a job runs by itself, and the last time it was due. */
export const jobSchedules = pgTable('job_schedules', {
  job: text('job').primaryKey(),
  cron: text('cron').notNull(),
  payload: jsonb('payload').notNull(),
  lastDueAt: instant('last_due_at').notNull(),
})

import type { SavedQuestion } from '@placard/contract/reports'
import { integer, jsonb, pgTable, text } from 'drizzle-orm/pg-core'
import { instant, managed, owned, rowId } from '../../platform/database/columns.ts'
import type { Rhythm } from './saved/schedule.ts'

export const savedReports = pgTable('saved_reports', {
  ...managed(),
  ...owned(),
  name: text('name').notNull(),
  question: jsonb('question').$type<SavedQuestion>().notNull(),
  timeZone: text('time_zone').notNull().default('UTC'),
  format: text('format').$type<'csv' | 'json'>().notNull().default('csv'),
  recipientId: rowId('recipient_id'),
  every: text('every').$type<Rhythm>(),
  atHour: integer('at_hour').notNull().default(6),
  nextDueAt: instant('next_due_at'),
  lastSentAt: instant('last_sent_at'),
  /** In a row. */
  failures: integer('failures').notNull().default(0),
  failure: text('failure'),
})

import type { ReportExport, SavedQuestion } from '@placard/contract/reports'
import { bigint, boolean, integer, jsonb, pgTable, text } from 'drizzle-orm/pg-core'
import { instant, managed, owned, rowId } from '../../platform/database/columns.ts'
import type { Dated } from './operations.ts'
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

export type ExportStatus = 'waiting' | 'running' | 'ready' | 'failed' | 'expired'

export const reportExports = pgTable('report_exports', {
  ...managed(),
  ...owned(),
  question: jsonb('question').$type<Dated<ReportExport>>().notNull(),
  format: text('format').$type<'csv' | 'json'>().notNull(),
  recipientId: rowId('recipient_id'),
  status: text('status').$type<ExportStatus>().notNull().default('waiting'),
  attempts: integer('attempts').notNull().default(0),
  rowCount: integer('row_count').notNull().default(0),
  byteCount: bigint('byte_count', { mode: 'number' }).notNull().default(0),
  isCut: boolean('is_cut').notNull().default(false),
  failure: text('failure'),
  finishedAt: instant('finished_at'),
  expiresAt: instant('expires_at').notNull(),
})

import { boolean, pgTable, text, uuid } from 'drizzle-orm/pg-core'
import { instant } from '../../platform/database/columns.ts'

/** One row: whether the check-list is put aside, and the last test mail. */
export const firstSteps = pgTable('first_steps', {
  onlyOne: boolean('only_one').primaryKey().default(true),
  putAsideAt: instant('put_aside_at'),
  mailId: uuid('mail_id'),
  mailAskedAt: instant('mail_asked_at'),
  mailAcceptedAt: instant('mail_accepted_at'),
  mailFailure: text('mail_failure'),
})

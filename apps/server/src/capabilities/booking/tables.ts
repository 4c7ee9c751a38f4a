import type { DraftForm } from '@placard/contract/booking'
import type { Static } from 'typebox'
import { jsonb, pgTable, text } from 'drizzle-orm/pg-core'
import { managed, owned } from '../../platform/database/columns.ts'

/** Bookings that are not finished. */
export const campaignDrafts = pgTable('campaign_drafts', {
  ...managed(),
  ...owned(),
  /** Name of the user or API key who saved it last. */
  savedBy: text('saved_by').notNull(),
  form: jsonb('form').$type<Static<typeof DraftForm>>().notNull(),
})

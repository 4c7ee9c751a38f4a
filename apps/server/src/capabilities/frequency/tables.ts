import { integer, pgTable, text } from 'drizzle-orm/pg-core'
import { managed, owned, rowId } from '../../platform/database/columns.ts'
import type { Window } from './cap.ts'

export const frequencyCaps = pgTable('frequency_caps', {
  ...managed(),
  ...owned(),
  adId: rowId('ad_id'),
  campaignId: rowId('campaign_id'),
  advertiserId: rowId('advertiser_id'),
  maxImpressionsPerUser: integer('max_impressions_per_user').notNull(),
  window: text('window').$type<Window>().notNull().default('Day'),
})

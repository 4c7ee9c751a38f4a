import { date, integer, pgTable, primaryKey, text } from 'drizzle-orm/pg-core'
import { instant, managed, owned, rowId } from '../../platform/database/columns.ts'
import type { Window } from './caps/cap.ts'

export const frequencyCaps = pgTable('frequency_caps', {
  ...managed(),
  ...owned(),
  adId: rowId('ad_id'),
  campaignId: rowId('campaign_id'),
  advertiserId: rowId('advertiser_id'),
  maxImpressionsPerUser: integer('max_impressions_per_user').notNull(),
  window: text('window').$type<Window>().notNull().default('Day'),
})

/** Impressions per user, capped thing and window. */
export const frequencyCounts = pgTable(
  'frequency_counts',
  {
    userKey: text('user_key').notNull(),
    scope: text('scope').notNull(),
    targetId: rowId('target_id').notNull(),
    window: text('window').notNull(),
    windowStart: instant('window_start').notNull(),
    impressions: integer('impressions').notNull(),
  },
  (table) => [
    primaryKey({
      columns: [table.userKey, table.scope, table.targetId, table.window, table.windowStart],
    }),
  ],
)

/** When a publisher saw a reader first. */
export const firstVisits = pgTable('first_visits', {
  userKey: text('user_key').primaryKey(),
  /** The publisher's account. */
  accountId: rowId('account_id').notNull(),
  firstAt: instant('first_at').notNull(),
  /** The UTC day of a late visit, renewed once a week. */
  seenOn: date('seen_on').notNull(),
})

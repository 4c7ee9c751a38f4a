import { sql } from 'drizzle-orm'
import type { ReportExport, SavedQuestion } from '@placard/contract/reports'
import {
  bigint,
  boolean,
  date,
  integer,
  jsonb,
  numeric,
  pgTable,
  primaryKey,
  text,
} from 'drizzle-orm/pg-core'
import {
  bytes,
  count,
  identity,
  instant,
  managed,
  micros,
  owned,
  rowId,
  transactionId,
} from '../../platform/database/columns.ts'
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

/** Started films, and how far they were watched. */
const filmSums = () => ({
  videoStarts: count('video_starts').notNull().default(0),
  firstQuartiles: count('first_quartiles').notNull().default(0),
  midpoints: count('midpoints').notNull().default(0),
  thirdQuartiles: count('third_quartiles').notNull().default(0),
  videoCompletes: count('video_completes').notNull().default(0),
})

/** Sums by day and advertiser. */
export const advertiserStats = pgTable(
  'advertiser_stats',
  {
    label: text('label').notNull(),
    day: date('day').notNull(),
    advertiserId: rowId('advertiser_id').notNull(),
    currency: text('currency').notNull(),
    impressions: count('impressions').notNull().default(0),
    views: count('views').notNull().default(0),
    clicks: count('clicks').notNull().default(0),
    overDelivered: count('over_delivered').notNull().default(0),
    chargedMillis: count('charged_millis').notNull().default(0),
    contentViews: numeric('content_views').notNull().default('0'),
    addToCarts: numeric('add_to_carts').notNull().default('0'),
    checkouts: numeric('checkouts').notNull().default('0'),
    purchases: numeric('purchases').notNull().default('0'),
    revenue: numeric('revenue').notNull().default('0'),
    ...filmSums(),
  },
  (table) => [
    primaryKey({ columns: [table.label, table.day, table.advertiserId, table.currency] }),
  ],
)

/** Sums by day and campaign. */
export const campaignStats = pgTable(
  'campaign_stats',
  {
    label: text('label').notNull(),
    day: date('day').notNull(),
    campaignId: rowId('campaign_id').notNull(),
    advertiserId: rowId('advertiser_id').notNull(),
    currency: text('currency').notNull(),
    impressions: count('impressions').notNull().default(0),
    views: count('views').notNull().default(0),
    clicks: count('clicks').notNull().default(0),
    overDelivered: count('over_delivered').notNull().default(0),
    chargedMillis: count('charged_millis').notNull().default(0),
    contentViews: numeric('content_views').notNull().default('0'),
    addToCarts: numeric('add_to_carts').notNull().default('0'),
    checkouts: numeric('checkouts').notNull().default('0'),
    purchases: numeric('purchases').notNull().default('0'),
    revenue: numeric('revenue').notNull().default('0'),
    ...filmSums(),
  },
  (table) => [
    primaryKey({
      columns: [table.label, table.day, table.campaignId, table.advertiserId, table.currency],
    }),
  ],
)

/** Sums by day and banner, written when the day is over. */
export const bannerStats = pgTable('banner_stats', {
  id: identity(),
  bannerId: rowId('banner_id').notNull(),
  placementId: rowId('placement_id'),
  campaignId: rowId('campaign_id'),
  statDate: date('stat_date').notNull(),
  impressions: count('impressions').notNull().default(0),
  clicks: count('clicks').notNull().default(0),
  spendMicros: micros('spend_micros'),
  createdAt: instant('created_at').notNull(),
  updatedAt: instant('updated_at').notNull(),
})

/** Sums by every dimension of the reports, by quarter-hour and by day. */
export const statsCube = pgTable(
  'stats_cube',
  {
    grain: text('grain').notNull(),
    bucket: instant('bucket').notNull(),
    advertiserId: rowId('advertiser_id').notNull(),
    campaignId: rowId('campaign_id').notNull(),
    adSetId: rowId('ad_set_id').notNull(),
    adId: rowId('ad_id').notNull(),
    bannerId: rowId('banner_id').notNull(),
    placementId: rowId('placement_id').notNull(),
    siteId: rowId('site_id').notNull(),
    country: text('country').notNull(),
    device: text('device').notNull(),
    label: text('label').notNull(),
    budgetDay: date('budget_day').notNull(),
    currency: text('currency').notNull(),
    impressions: count('impressions').notNull().default(0),
    views: count('views').notNull().default(0),
    clicks: count('clicks').notNull().default(0),
    overDelivered: count('over_delivered').notNull().default(0),
    chargedMillis: count('charged_millis').notNull().default(0),
    contentViews: numeric('content_views').notNull().default('0'),
    addToCarts: numeric('add_to_carts').notNull().default('0'),
    checkouts: numeric('checkouts').notNull().default('0'),
    purchases: numeric('purchases').notNull().default('0'),
    revenue: numeric('revenue').notNull().default('0'),
    ...filmSums(),
  },
  (table) => [
    primaryKey({
      columns: [
        table.grain,
        table.bucket,
        table.campaignId,
        table.adId,
        table.bannerId,
        table.placementId,
        table.siteId,
        table.country,
        table.device,
        table.label,
        table.budgetDay,
        table.adSetId,
        table.advertiserId,
        table.currency,
      ],
    }),
  ],
)

/** How far each source has been added to the sums. */
export const statsCursors = pgTable('stats_cursors', {
  source: text('source').primaryKey(),
  xid: transactionId('xid').notNull(),
  id: rowId('id').notNull(),
  movedAt: instant('moved_at')
    .notNull()
    .default(sql`now()`),
})

/** Days to rebuild. */
export const statsRebuilds = pgTable('stats_rebuilds', {
  day: date('day').primaryKey(),
  requestedAt: instant('requested_at').notNull(),
})

/** Readers, as sketches that can be merged. */
export const reachSketches = pgTable(
  'reach_sketches',
  {
    level: text('level').notNull(),
    subjectId: rowId('subject_id').notNull(),
    currency: text('currency').notNull(),
    day: date('day').notNull(),
    sketch: bytes('sketch').notNull(),
  },
  (table) => [primaryKey({ columns: [table.level, table.subjectId, table.currency, table.day] })],
)

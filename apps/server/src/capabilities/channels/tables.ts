import { boolean, date, integer, jsonb, pgTable, text } from 'drizzle-orm/pg-core'
import {
  identity,
  instant,
  managed,
  owned,
  publicId,
  rowId,
  softDeleted,
} from '../../platform/database/columns.ts'
import type { Level, LevelHealth, ProviderName } from './providers/stat.ts'

export const channelConnections = pgTable('channel_connections', {
  ...managed(),
  ...owned(),
  ...softDeleted(),
  advertiserId: rowId('advertiser_id').notNull(),
  name: text('name').notNull(),
  connectionType: text('connection_type').notNull(),
  provider: text('provider').$type<ProviderName>().notNull(),
  externalId: text('external_id'),
  sealedCredentials: text('sealed_credentials'),
  hasCredentials: boolean('has_credentials').notNull().generatedAlwaysAs(true),
  isActive: boolean('is_active').notNull().default(true),
  failingSince: instant('failing_since'),
  failure: text('failure'),
  restsUntil: instant('rests_until'),
  levels: jsonb('levels').$type<Partial<Record<Level, LevelHealth>>>().notNull().default({}),
})

export const channelBackfills = pgTable('channel_backfills', {
  ...managed(),
  ...owned(),
  advertiserId: rowId('advertiser_id').notNull(),
  from: date('date_from').notNull(),
  to: date('date_to').notNull(),
  status: text('status').notNull().default('waiting'),
  daysDone: integer('days_done').notNull().default(0),
  daysTotal: integer('days_total').notNull().generatedAlwaysAs(0),
  /** In a row. */
  failures: integer('failures').notNull().default(0),
  failure: text('failure'),
  stepsDone: integer('steps_done').notNull().default(0),
  waitsUntil: instant('waits_until'),
})

export const channelAlerts = pgTable('channel_alerts', {
  id: identity(),
  publicId: publicId(),
  ...owned(),
  advertiserId: rowId('advertiser_id').notNull(),
  campaignId: rowId('campaign_id'),
  connectionId: rowId('connection_id'),
  kind: text('kind').notNull(),
  reason: text('reason').notNull(),
  openedAt: instant('opened_at').notNull(),
  closedAt: instant('closed_at'),
})

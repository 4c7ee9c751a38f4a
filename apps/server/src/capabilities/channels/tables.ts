import {
  boolean,
  date,
  integer,
  jsonb,
  numeric,
  pgTable,
  primaryKey,
  text,
  uuid,
} from 'drizzle-orm/pg-core'
import {
  count,
  identity,
  instant,
  managed,
  micros,
  owned,
  publicId,
  rowId,
  softDeleted,
} from '../../platform/database/columns.ts'
import type { SealedColumn } from '../../platform/sealing/sealed-column.ts'
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

export const CONNECTION_SECRETS: SealedColumn = {
  table: 'channel_connections',
  column: 'sealed_credentials',
  purpose: 'channels',
}

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

/** A channel's figures of a day, by its last answer. */
export const adStatsDaily = pgTable(
  'ad_stats_daily',
  {
    advertiserId: rowId('advertiser_id').notNull(),
    entityType: text('entity_type').notNull(),
    entityId: rowId('entity_id').notNull(),
    statDate: date('stat_date').notNull(),
    adSource: text('ad_source').notNull(),
    fetchedAt: instant('fetched_at').notNull(),
    spendMicros: micros('spend_micros').notNull(),
    impressions: count('impressions').notNull(),
    linkClicks: count('link_clicks').notNull(),
    contentViews: numeric('content_views', { precision: 20, scale: 4 }).notNull(),
    addToCart: numeric('add_to_cart', { precision: 20, scale: 4 }).notNull(),
    checkoutInitiated: numeric('checkout_initiated', { precision: 20, scale: 4 }).notNull(),
    purchases: numeric('purchases', { precision: 20, scale: 4 }).notNull(),
    purchaseValueMicros: micros('purchase_value_micros').notNull(),
    cpm: numeric('cpm', { precision: 20, scale: 4 }).notNull(),
    ctr: numeric('ctr', { precision: 20, scale: 4 }).notNull(),
    cpc: numeric('cpc', { precision: 20, scale: 4 }).notNull(),
    costPerPurchase: numeric('cost_per_purchase', { precision: 20, scale: 2 }).notNull(),
    roas: numeric('roas', { precision: 20, scale: 4 }).notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.advertiserId, table.entityType, table.entityId, table.statDate] }),
  ],
)

/** All answers of a channel about a day. */
export const adStatsRaw = pgTable('ad_stats_raw', {
  id: identity(),
  advertiserId: rowId('advertiser_id').notNull(),
  entityType: text('entity_type').notNull(),
  entityId: rowId('entity_id').notNull(),
  externalEntityId: text('external_entity_id').notNull(),
  provider: text('provider').notNull(),
  fetchedAt: instant('fetched_at').notNull(),
  dateStart: date('date_start').notNull(),
  dateStop: date('date_stop').notNull(),
  spendMicros: micros('spend_micros').notNull(),
  impressions: count('impressions').notNull(),
  linkClicks: count('link_clicks').notNull(),
  contentViews: numeric('content_views', { precision: 20, scale: 4 }).notNull(),
  addToCart: numeric('add_to_cart', { precision: 20, scale: 4 }).notNull(),
  checkoutInitiated: numeric('checkout_initiated', { precision: 20, scale: 4 }).notNull(),
  purchases: numeric('purchases', { precision: 20, scale: 4 }).notNull(),
  purchaseValueMicros: micros('purchase_value_micros').notNull(),
  cpm: numeric('cpm', { precision: 20, scale: 4 }).notNull(),
  ctr: numeric('ctr', { precision: 20, scale: 4 }).notNull(),
  cpc: numeric('cpc', { precision: 20, scale: 4 }).notNull(),
  costPerPurchase: numeric('cost_per_purchase', { precision: 20, scale: 2 }).notNull(),
  roas: numeric('roas', { precision: 20, scale: 4 }).notNull(),
})

/** The same by sellpage, with orders and revenue. */
export const sellpageStatsDaily = pgTable(
  'sellpage_stats_daily',
  {
    advertiserId: rowId('advertiser_id').notNull(),
    sellpageId: rowId('sellpage_id').notNull(),
    statDate: date('stat_date').notNull(),
    adSource: text('ad_source').notNull(),
    adSpendMicros: micros('ad_spend_micros').notNull(),
    impressions: count('impressions').notNull(),
    linkClicks: count('link_clicks').notNull(),
    contentViews: numeric('content_views', { precision: 20, scale: 4 }).notNull(),
    addToCart: numeric('add_to_cart', { precision: 20, scale: 4 }).notNull(),
    checkoutInitiated: numeric('checkout_initiated', { precision: 20, scale: 4 }).notNull(),
    purchases: numeric('purchases', { precision: 20, scale: 4 }).notNull(),
    purchaseValueMicros: micros('purchase_value_micros').notNull(),
    ordersCount: numeric('orders_count', { precision: 20, scale: 4 }).notNull(),
    revenueMicros: micros('revenue_micros').notNull(),
    cpm: numeric('cpm', { precision: 20, scale: 4 }).notNull(),
    ctr: numeric('ctr', { precision: 20, scale: 4 }).notNull(),
    costPerPurchase: numeric('cost_per_purchase', { precision: 20, scale: 2 }).notNull(),
    roas: numeric('roas', { precision: 20, scale: 4 }).notNull(),
    cr1: numeric('cr1', { precision: 20, scale: 4 }).notNull(),
    cr2: numeric('cr2', { precision: 20, scale: 4 }).notNull(),
    cr3: numeric('cr3', { precision: 20, scale: 4 }).notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.advertiserId, table.sellpageId, table.statDate, table.adSource] }),
  ],
)

/** A sync of one day at one level of one advertiser. */
export const channelSyncs = pgTable('channel_syncs', {
  publicId: uuid('public_id').primaryKey(),
  advertiserId: rowId('advertiser_id').notNull(),
  level: text('level').notNull(),
  day: date('day').notNull(),
  state: text('state').notNull().default('waiting'),
  attempt: integer('attempt').notNull().default(1),
  dueAt: instant('due_at').notNull(),
  requestedAt: instant('requested_at').notNull(),
  startedAt: instant('started_at'),
  finishedAt: instant('finished_at'),
  failure: text('failure'),
  rawInserted: integer('raw_inserted'),
  dailyUpserted: integer('daily_upserted'),
  sellpageUpserted: integer('sellpage_upserted'),
})

/** When syncs were last ordered. One row. */
export const channelTicks = pgTable('channel_ticks', {
  onlyOne: boolean('only_one').primaryKey().default(true),
  tickedAt: instant('ticked_at').notNull(),
})

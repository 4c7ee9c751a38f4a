import { sql } from 'drizzle-orm'
import {
  boolean,
  date,
  integer,
  jsonb,
  pgTable,
  primaryKey,
  smallint,
  text,
  uuid,
} from 'drizzle-orm/pg-core'
import {
  count,
  identity,
  instant,
  micros,
  publicId,
  rowId,
  transactionId,
} from '../../platform/database/columns.ts'

/** Fields of every event: its decision, its owner and its charge. */
const tracked = () => ({
  decisionDay: date('decision_day').notNull(),
  eventId: uuid('event_id').notNull(),
  batchId: rowId('batch_id').notNull(),
  decisionId: uuid('decision_id'),
  position: smallint('position').notNull(),
  budgetDay: date('budget_day').notNull(),
  adId: rowId('ad_id'),
  assignmentId: rowId('assignment_id'),
  bannerId: rowId('banner_id'),
  campaignId: rowId('campaign_id'),
  advertiserId: rowId('advertiser_id'),
  placementId: rowId('placement_id'),
  siteId: rowId('site_id'),
  userKey: text('user_key'),
  sessionId: text('session_id'),
  deviceType: text('device_type'),
  countryCode: text('country_code'),
  pageUrl: text('page_url'),
  occurredAt: instant('occurred_at').notNull(),
  receivedAt: instant('received_at').notNull(),
  clock: text('clock').notNull(),
  label: text('label').notNull(),
  pricing: text('pricing').notNull(),
  chargeMicros: micros('charge_micros').notNull(),
  chargedMillis: count('charged_millis').notNull(),
  billing: text('billing').notNull(),
  pageKey: rowId('page_key'),
})

export const impressions = pgTable(
  'impressions',
  {
    ...tracked(),
    referrerUrl: text('referrer_url'),
  },
  (table) => [primaryKey({ columns: [table.decisionDay, table.eventId] })],
)

export const views = pgTable(
  'views',
  {
    ...tracked(),
    referrerUrl: text('referrer_url'),
  },
  (table) => [primaryKey({ columns: [table.decisionDay, table.eventId] })],
)

export const clicks = pgTable(
  'clicks',
  {
    ...tracked(),
    destinationUrl: text('destination_url'),
  },
  (table) => [primaryKey({ columns: [table.decisionDay, table.eventId] })],
)

/** Steps of films, errors of players and callers' own events. They name no reader. */
export const progressEvents = pgTable(
  'progress_events',
  {
    decisionDay: date('decision_day').notNull(),
    decisionId: uuid('decision_id').notNull(),
    position: smallint('position').notNull(),
    name: text('name').notNull(),
    batchId: rowId('batch_id').notNull(),
    budgetDay: date('budget_day').notNull(),
    adId: rowId('ad_id'),
    assignmentId: rowId('assignment_id'),
    bannerId: rowId('banner_id'),
    campaignId: rowId('campaign_id'),
    advertiserId: rowId('advertiser_id'),
    placementId: rowId('placement_id'),
    siteId: rowId('site_id'),
    deviceType: text('device_type'),
    countryCode: text('country_code'),
    occurredAt: instant('occurred_at').notNull(),
    label: text('label').notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.decisionDay, table.decisionId, table.position, table.name] }),
  ],
)

/** Sums of progress by quarter-hour, campaign, banner and name. */
export const progressStats = pgTable(
  'progress_stats',
  {
    bucket: instant('bucket').notNull(),
    campaignId: rowId('campaign_id').notNull(),
    bannerId: rowId('banner_id').notNull(),
    name: text('name').notNull(),
    label: text('label').notNull(),
    events: count('events').notNull().default(0),
  },
  (table) => [
    primaryKey({
      columns: [table.campaignId, table.bucket, table.bannerId, table.name, table.label],
    }),
  ],
)

export const conversions = pgTable(
  'conversions',
  {
    decisionDay: date('decision_day').notNull(),
    eventId: uuid('event_id').notNull(),
    decisionId: uuid('decision_id'),
    advertiserId: rowId('advertiser_id').notNull(),
    kind: text('kind').notNull(),
    way: text('way').notNull(),
    orderId: text('order_id'),
    valueMicros: micros('value_micros'),
    currency: text('currency'),
    userKey: text('user_key'),
    occurredAt: instant('occurred_at').notNull(),
    receivedAt: instant('received_at').notNull(),
    clock: text('clock').notNull(),
    label: text('label').notNull(),
    model: text('model').notNull(),
    id: rowId('id')
      .notNull()
      .default(sql`nextval('conversion_ids'::regclass)`),
    xid: transactionId('xid')
      .notNull()
      .default(sql`pg_current_xact_id()`),
  },
  (table) => [primaryKey({ columns: [table.decisionDay, table.eventId] })],
)

/** The share of a conversion that a click or an impression earned. */
export const conversionCredits = pgTable(
  'conversion_credits',
  {
    conversionId: uuid('conversion_id').notNull(),
    place: smallint('place').notNull(),
    decisionDay: date('decision_day').notNull(),
    touch: text('touch').notNull(),
    kind: text('kind'),
    touchEventId: uuid('touch_event_id').notNull(),
    touchedAt: instant('touched_at').notNull(),
    adId: rowId('ad_id'),
    assignmentId: rowId('assignment_id'),
    bannerId: rowId('banner_id'),
    campaignId: rowId('campaign_id'),
    placementId: rowId('placement_id'),
    share: smallint('share').notNull(),
    creditedAt: instant('credited_at').notNull(),
  },
  (table) => [primaryKey({ columns: [table.conversionId, table.place] })],
)

/** Counted orders, so that none counts twice. */
export const conversionOrders = pgTable(
  'conversion_orders',
  {
    advertiserId: rowId('advertiser_id').notNull(),
    orderId: text('order_id').notNull(),
    eventId: uuid('event_id').notNull(),
    receivedAt: instant('received_at').notNull(),
  },
  (table) => [primaryKey({ columns: [table.advertiserId, table.orderId] })],
)

/** Conversions whose clicks may not be settled yet. */
export const waitingConversions = pgTable('waiting_conversions', {
  id: identity(),
  noteId: rowId('note_id').notNull(),
  conversion: jsonb('conversion').notNull(),
  shown: jsonb('shown'),
  receivedAt: instant('received_at').notNull(),
})

/** Sums of events by 15 minutes and winner. */
export const deliveryStats = pgTable(
  'delivery_stats',
  {
    bucket: instant('bucket').notNull(),
    source: text('source').notNull(),
    winnerId: rowId('winner_id').notNull(),
    placementId: rowId('placement_id').notNull(),
    label: text('label').notNull(),
    impressions: count('impressions').notNull().default(0),
    views: count('views').notNull().default(0),
    clicks: count('clicks').notNull().default(0),
    overDelivered: count('over_delivered').notNull().default(0),
    chargedMillis: count('charged_millis').notNull().default(0),
  },
  (table) => [
    primaryKey({
      columns: [table.bucket, table.source, table.winnerId, table.placementId, table.label],
    }),
  ],
)

/** Events that are acknowledged and not settled yet. */
export const eventInbox = pgTable('event_inbox', {
  id: identity(),
  notedAt: instant('noted_at')
    .notNull()
    .default(sql`now()`),
  events: text('events').notNull(),
  isEarly: boolean('is_early').notNull().default(false),
})

/** Which events were settled together. */
export const settledBatches = pgTable('settled_batches', {
  id: rowId('id')
    .primaryKey()
    .default(sql`nextval('ledger_entry_ids'::regclass)`),
  xid: transactionId('xid')
    .notNull()
    .default(sql`pg_current_xact_id()`),
  node: text('node').notNull(),
  events: integer('events').notNull(),
  decisionDays: date('decision_days').array().notNull(),
  settledAt: instant('settled_at').notNull(),
  paidDays: date('paid_days').array(),
})

/** Keys of counted events without a tracking link. */
export const seenEvents = pgTable('seen_events', {
  seenKey: uuid('seen_key').primaryKey(),
  seenAt: instant('seen_at').notNull(),
})

/** Events that could not be settled, kept for inspection. */
export const quarantinedEvents = pgTable(
  'quarantined_events',
  {
    eventId: uuid('event_id').notNull(),
    reason: text('reason').notNull(),
    detail: text('detail').notNull(),
    event: text('event').notNull(),
    receivedAt: instant('received_at').notNull(),
    quarantinedAt: instant('quarantined_at').notNull(),
  },
  (table) => [primaryKey({ columns: [table.eventId, table.reason] })],
)

/** Users who asked for erasure. Nothing more is stored about them. */
export const forgottenUsers = pgTable('forgotten_users', {
  userKey: text('user_key').primaryKey(),
  askedAt: instant('asked_at').notNull(),
})

/** Orders to relabel past events. */
export const rescores = pgTable('rescores', {
  id: identity(),
  publicId: publicId(),
  fromAt: instant('from_at').notNull(),
  toAt: instant('to_at').notNull(),
  label: text('label').notNull(),
  rule: jsonb('rule').notNull(),
  filter: jsonb('filter').notNull(),
  note: text('note').notNull(),
  orderedAt: instant('ordered_at').notNull(),
  orderedBy: text('ordered_by').notNull(),
  events: count('events').notNull().default(0),
  creditedMillis: count('credited_millis').notNull().default(0),
  doneAt: instant('done_at'),
  triedAt: instant('tried_at'),
})

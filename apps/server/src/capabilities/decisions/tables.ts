import type { DeliveryCode } from '@placard/contract/delivery'
import { sql } from 'drizzle-orm'
import type { Context, EmptyReason } from '@placard/decision-engine'
import {
  bigint,
  date,
  integer,
  jsonb,
  numeric,
  pgTable,
  primaryKey,
  smallint,
  text,
  uuid,
} from 'drizzle-orm/pg-core'
import { identity, instant, micros, rowId, transactionId } from '../../platform/database/columns.ts'
import type { PackedBid, PackedWinner } from './records/record-line.ts'
import type { DecisionRecord } from './records/recorder.ts'
import type { Asked } from './serving/asked.ts'
import type { DeliveryState } from './delivery/verdict.ts'

/**
 * What is known of a publisher's reader: the segments that its server said, and the last purchase
 * that an ad was credited for. The key is a keyed hash.
 */
export const userSegments = pgTable('user_segments', {
  id: identity(),
  userKey: text('user_key').notNull().unique(),
  /** The publisher's account. Null only in rows of an older release. */
  accountId: rowId('account_id'),
  segments: text('segments').array().notNull(),
  purchasedAt: instant('purchased_at'),
  updatedAt: instant('updated_at').notNull(),
})

/**
 * Every decision, partitioned by UTC day. `bids` and `winners` are packed as in
 * `records/record-line.ts`.
 */
export const auctions = pgTable(
  'auctions',
  {
    id: uuid('id').notNull(),
    decidedOn: date('decided_on').notNull(),
    auctionTime: instant('auction_time').notNull(),
    kind: text('kind').$type<DecisionRecord['kind']>().notNull(),
    placementType: text('placement_type').notNull(),
    placementId: rowId('placement_id'),
    siteId: rowId('site_id'),
    userKey: text('user_key'),
    currency: text('currency').notNull(),
    context: jsonb('context').$type<Context>().notNull(),
    bids: jsonb('bids').$type<readonly PackedBid[]>().notNull(),
    bidCount: integer('bid_count').notNull(),
    winners: jsonb('winners').$type<readonly PackedWinner[]>().notNull(),
    winningAdId: rowId('winning_ad_id'),
    winningCampaignId: rowId('winning_campaign_id'),
    finalPriceMicros: micros('final_price_micros'),
    winningEcpmMicros: micros('winning_ecpm_micros'),
    floorMicros: micros('floor_micros').notNull(),
    emptyReason: text('empty_reason').$type<EmptyReason>(),
    seed: text('seed').notNull(),
    indexVersion: bigint('index_version', { mode: 'number' }).notNull(),
    durationMicros: integer('duration_micros').notNull(),
    batchId: rowId('batch_id'),
    sessionKey: text('session_key'),
    addressKey: text('address_key'),
    asked: jsonb('asked').$type<Asked>(),
  },
  (table) => [primaryKey({ columns: [table.decidedOn, table.id] })],
)

/** Sums of auctions per 15 minutes. */
export const auctionStatistics = pgTable(
  'auction_statistics',
  {
    bucket: instant('bucket').notNull(),
    placementType: text('placement_type').notNull(),
    currency: text('currency').notNull(),
    auctions: bigint('auctions', { mode: 'number' }).notNull(),
    won: bigint('won', { mode: 'number' }).notNull(),
    priced: bigint('priced', { mode: 'number' }).notNull(),
    bids: bigint('bids', { mode: 'number' }).notNull(),
    winningEcpmMicros: numeric('winning_ecpm_micros').notNull(),
  },
  (table) => [primaryKey({ columns: [table.bucket, table.placementType, table.currency] })],
)

/** Which auctions were written together. */
export const auctionBatches = pgTable('auction_batches', {
  id: rowId('id').primaryKey(),
  xid: transactionId('xid')
    .notNull()
    .default(sql`pg_current_xact_id()`),
  auctions: integer('auctions').notNull(),
  decidedDays: date('decided_days').array().notNull(),
  writtenAt: instant('written_at')
    .notNull()
    .default(sql`now()`),
})

/** Whether each running campaign delivers, as a node has checked it last. */
export const campaignDelivery = pgTable('campaign_delivery', {
  campaignId: rowId('campaign_id').primaryKey(),
  state: text('state').$type<DeliveryState>().notNull(),
  code: text('code').$type<DeliveryCode>(),
  text: text('text').notNull(),
  checkedAt: instant('checked_at').notNull(),
})

/** The node that checks the campaigns. */
export const deliveryChecker = pgTable('delivery_checker', {
  id: smallint('id').primaryKey().default(1),
  node: text('node').notNull(),
  until: instant('until').notNull(),
})

import { NO_MONEY } from '@placard/money'
import {
  date,
  integer,
  jsonb,
  numeric,
  pgTable,
  primaryKey,
  smallint,
  text,
} from 'drizzle-orm/pg-core'
import { count, identity, instant, micros, rowId } from '../../platform/database/columns.ts'

/** An owner's limit, leases and spend of a day. */
export const budgetDays = pgTable(
  'budget_days',
  {
    scope: text('scope').notNull(),
    ownerId: rowId('owner_id').notNull(),
    day: date('day').notNull(),
    limitMicros: micros('limit_micros'),
    allowanceMicros: micros('allowance_micros').notNull().default(NO_MONEY),
    spentMicros: micros('spent_micros').notNull().default(NO_MONEY),
    remainderMillis: smallint('remainder_millis').notNull().default(0),
    exhaustedAt: instant('exhausted_at'),
    leasedMicros: micros('leased_micros').notNull().default(NO_MONEY),
  },
  (table) => [primaryKey({ columns: [table.scope, table.ownerId, table.day] })],
)

/** What a node may spend without asking the database. */
export const budgetLeases = pgTable(
  'budget_leases',
  {
    campaignId: rowId('campaign_id').notNull(),
    day: date('day').notNull(),
    node: text('node').notNull(),
    advertiserId: rowId('advertiser_id').notNull(),
    fence: rowId('fence').notNull(),
    amountMicros: micros('amount_micros').notNull(),
  },
  (table) => [primaryKey({ columns: [table.campaignId, table.day, table.node] })],
)

/** When a node's leases expire. */
export const leaseHolders = pgTable('lease_holders', {
  node: text('node').primaryKey(),
  fence: rowId('fence').notNull(),
  expiresAt: instant('expires_at').notNull(),
})

/** Days that a user reset. */
export const budgetResets = pgTable('budget_resets', {
  id: identity(),
  campaignId: rowId('campaign_id').notNull(),
  day: date('day').notNull(),
  allowanceMicros: micros('allowance_micros').notNull(),
  resetAt: instant('reset_at').notNull(),
  resetBy: text('reset_by').notNull(),
})

/** A campaign's lifetime spend and counts. */
export const campaignTotals = pgTable('campaign_totals', {
  campaignId: rowId('campaign_id').primaryKey(),
  limitMicros: micros('limit_micros'),
  spentMicros: micros('spent_micros').notNull().default(NO_MONEY),
  remainderMillis: smallint('remainder_millis').notNull().default(0),
  impressions: count('impressions').notNull().default(0),
  clicks: count('clicks').notNull().default(0),
  exhaustedAt: instant('exhausted_at'),
  leasedMicros: micros('leased_micros').notNull().default(NO_MONEY),
})

/** Every change of a budget day. */
export const ledgerEntries = pgTable(
  'ledger_entries',
  {
    scope: text('scope').notNull(),
    ownerId: rowId('owner_id').notNull(),
    day: date('day').notNull(),
    entryId: rowId('entry_id').notNull(),
    kind: text('kind').notNull(),
    amountMicros: micros('amount_micros').notNull(),
    note: text('note'),
    createdAt: instant('created_at').notNull(),
    leasedMicros: micros('leased_micros').notNull().default(NO_MONEY),
  },
  (table) => [primaryKey({ columns: [table.scope, table.ownerId, table.day, table.entryId] })],
)

/** Results of the hourly ledger proof. */
export const ledgerProofs = pgTable('ledger_proofs', {
  id: identity(),
  provedAt: instant('proved_at').notNull(),
  budgetDays: integer('budget_days').notNull(),
  differenceMicros: numeric('difference_micros').notNull(),
  faults: jsonb('faults').notNull(),
})

import {
  date,
  doublePrecision,
  integer,
  jsonb,
  pgTable,
  primaryKey,
  smallint,
  text,
} from 'drizzle-orm/pg-core'
import {
  bytes,
  count,
  identity,
  instant,
  micros,
  rowId,
  transactionId,
} from '../../platform/database/columns.ts'

/** What an agent saw and spent on a day. */
export const bidAgentDays = pgTable(
  'bid_agent_days',
  {
    campaignId: rowId('campaign_id').notNull(),
    day: date('day').notNull(),
    auctions: integer('auctions').notNull(),
    sampledShare: doublePrecision('sampled_share').notNull(),
    deliveredShare: doublePrecision('delivered_share').notNull(),
    records: bytes('records').notNull(),
    conversionRates: bytes('conversion_rates'),
    spentMicros: micros('spent_micros'),
  },
  (table) => [primaryKey({ columns: [table.campaignId, table.day] })],
)

/** What an agent did in 15 minutes. */
export const bidAgentWindows = pgTable(
  'bid_agent_windows',
  {
    campaignId: rowId('campaign_id').notNull(),
    day: date('day').notNull(),
    window: smallint('window').notNull(),
    startsAt: instant('starts_at').notNull(),
    requests: integer('requests').notNull(),
    wins: integer('wins').notNull(),
    clicks: integer('clicks').notNull(),
    value: doublePrecision('value').notNull(),
    expectedMicros: micros('expected_micros').notNull(),
    chargedMicros: micros('charged_micros').notNull(),
    base: text('base').notNull(),
    trial: text('trial'),
    share: doublePrecision('share').notNull(),
    baseMultiplier: doublePrecision('base_multiplier').notNull(),
    trialMultiplier: doublePrecision('trial_multiplier').notNull(),
    baseLift: doublePrecision('base_lift').notNull().default(1),
    trialLift: doublePrecision('trial_lift').notNull().default(1),
  },
  (table) => [primaryKey({ columns: [table.campaignId, table.day, table.window] })],
)

/** What an agent knows about its campaign. */
export const bidAgents = pgTable('bid_agents', {
  campaignId: rowId('campaign_id').primaryKey(),
  aim: text('aim').notNull(),
  base: text('base').notNull(),
  trial: text('trial'),
  share: doublePrecision('share').notNull(),
  judged: integer('judged').notNull(),
  baseMultiplier: doublePrecision('base_multiplier').notNull(),
  trialMultiplier: doublePrecision('trial_multiplier').notNull(),
  plan: jsonb('plan'),
  skills: jsonb('skills'),
  version: integer('version').notNull(),
  steppedAt: instant('stepped_at'),
  judgedAt: instant('judged_at'),
  updatedAt: instant('updated_at').notNull(),
  baseLift: doublePrecision('base_lift').notNull().default(1),
  trialLift: doublePrecision('trial_lift').notNull().default(1),
  brakeDay: date('brake_day'),
  brakeMicros: micros('brake_micros'),
})

/** Judgements on an agent's trials, and what followed. */
export const bidJudgements = pgTable('bid_judgements', {
  id: identity(),
  campaignId: rowId('campaign_id').notNull(),
  judgedAt: instant('judged_at').notNull(),
  policy: text('policy').notNull(),
  base: text('base').notNull(),
  verdict: text('verdict').notNull(),
  days: integer('days').notNull(),
  gain: doublePrecision('gain'),
  low: doublePrecision('low'),
  high: doublePrecision('high'),
  move: text('move').notNull(),
  shareBefore: doublePrecision('share_before').notNull(),
  shareAfter: doublePrecision('share_after').notNull(),
  words: text('words').notNull(),
  minutes: integer('minutes'),
  liveGain: doublePrecision('live_gain'),
  liveLow: doublePrecision('live_low'),
  liveHigh: doublePrecision('live_high'),
})

/** Weights of the click model, and the cursor up to which it has learned. */
export const ctrModels = pgTable('ctr_models', {
  id: identity(),
  evidence: text('evidence').notNull(),
  version: integer('version').notNull(),
  lessons: count('lessons').notNull(),
  verdict: text('verdict').notNull(),
  figures: jsonb('figures').notNull(),
  state: jsonb('state').notNull(),
  weights: bytes('weights').notNull(),
  xid: transactionId('xid').notNull(),
  batchId: rowId('batch_id').notNull(),
  updatedAt: instant('updated_at').notNull(),
})

import {
  boolean,
  doublePrecision,
  integer,
  jsonb,
  pgTable,
  primaryKey,
  smallint,
  text,
  uuid,
} from 'drizzle-orm/pg-core'
import { bytes, identity, instant, publicId } from '../../platform/database/columns.ts'
import type { ReviewEvidence } from './review/review.ts'
import type { Suspicion } from './profile/suspicion.ts'

export const observationQueue = pgTable('observation_queue', {
  id: identity(),
  userId: text('user_id').notNull(),
  deviceSessionId: text('device_session_id').notNull(),
  ipAddress: bytes('ip_address'),
  state: text('state').notNull().default('accepted'),
  attempts: integer('attempts').notNull().default(0),
  availableAt: instant('available_at').notNull(),
  lastError: text('last_error'),
  createdAt: instant('created_at').notNull(),
  settledAt: instant('settled_at'),
})

export const countryObservation = pgTable(
  'country_observation',
  {
    userId: text('user_id').notNull(),
    deviceSessionId: text('device_session_id').notNull(),
    observedCountry: text('observed_country').notNull(),
    hour: instant('hour').notNull(),
    observations: integer('observations').notNull(),
    windows: smallint('slots').notNull(),
    firstSeenAt: instant('first_seen_at').notNull(),
    lastSeenAt: instant('last_seen_at').notNull(),
  },
  (table) => [
    primaryKey({
      columns: [table.userId, table.deviceSessionId, table.hour, table.observedCountry],
    }),
  ],
)

export const deviceSessionProfile = pgTable(
  'device_session_profile',
  {
    userId: text('user_id').notNull(),
    deviceSessionId: text('device_session_id').notNull(),
    usualConnectionCountry: text('usual_connection_country'),
    firstSeenAt: instant('first_seen_at').notNull(),
    lastSeenAt: instant('last_seen_at').notNull(),
    activeDaysBefore: integer('active_days_before').notNull(),
    activeDays: integer('active_days').notNull(),
  },
  (table) => [primaryKey({ columns: [table.userId, table.deviceSessionId] })],
)

export const deviceSessionCountryScore = pgTable(
  'device_session_country_score',
  {
    userId: text('user_id').notNull(),
    deviceSessionId: text('device_session_id').notNull(),
    observedCountry: text('observed_country').notNull(),
    score: doublePrecision('score').notNull(),
    habit: doublePrecision('habit').notNull(),
    scoredAt: instant('scored_at').notNull(),
    firstSeenAt: instant('first_seen_at').notNull(),
    lastSeenAt: instant('last_seen_at').notNull(),
    recentMs: doublePrecision('recent_ms').array().notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.userId, table.deviceSessionId, table.observedCountry] }),
  ],
)

export const userReviewState = pgTable('user_review_state', {
  userId: text('user_id').primaryKey(),
  countryReviewRecommended: boolean('country_review_recommended').notNull().default(false),
  reasonCode: text('reason_code'),
  since: instant('since'),
  evidence: jsonb('evidence').$type<ReviewEvidence>(),
  snoozedUntil: instant('snoozed_until'),
  transitionSeq: integer('transition_seq').notNull().default(0),
  lastEvaluatedAt: instant('last_evaluated_at'),
  declaredCountry: text('declared_country'),
  declaredCountryKnownAt: instant('declared_country_known_at'),
  declaredCountryAskAt: instant('declared_country_ask_at'),
  firstSeenAt: instant('first_seen_at'),
  lastSeenAt: instant('last_seen_at'),
  activeDays: integer('active_days').notNull().default(0),
  windowsByDay: smallint('slots_by_day').array().notNull().default([]),
})

export const sessionBlockAction = pgTable('session_block_action', {
  id: identity(),
  publicId: publicId(),
  userId: text('user_id').notNull(),
  deviceSessionId: text('device_session_id').notNull(),
  reasonCode: text('reason_code').notNull(),
  evidence: jsonb('evidence').$type<Suspicion>().notNull(),
  state: text('state').$type<BlockState>().notNull(),
  attempts: integer('attempts').notNull().default(0),
  availableAt: instant('available_at').notNull(),
  lastError: text('last_error'),
  actorType: text('actor_type').notNull(),
  actorId: text('actor_id').notNull(),
  createdAt: instant('created_at').notNull(),
  updatedAt: instant('updated_at').notNull(),
})

export type BlockState =
  | 'skipped_shadow'
  | 'awaiting_review'
  | 'requested'
  | 'succeeded'
  | 'failed'
  | 'dismissed'
  | 'unblock_requested'
  | 'unblocked'
  | 'unblock_failed'

export const declaredCountryVersion = pgTable('declared_country_version', {
  id: identity(),
  userId: text('user_id').notNull(),
  versionNo: integer('version_no').notNull(),
  country: text('country'),
  previousCountry: text('previous_country'),
  state: text('state').$type<VersionState>().notNull(),
  actorType: text('actor_type').notNull(),
  actorId: text('actor_id').notNull(),
  reasonCode: text('reason_code').notNull(),
  comment: text('comment'),
  idempotencyKey: text('idempotency_key'),
  recordedAt: instant('recorded_at').notNull(),
  appliedAt: instant('applied_at'),
  lastError: text('last_error'),
})

export type VersionState = 'recorded' | 'applied' | 'sync_failed' | 'abandoned'

export const geoDecision = pgTable('geo_decision', {
  id: identity(),
  userId: text('user_id').notNull(),
  about: text('about').$type<'review' | 'session'>().notNull(),
  blockActionId: uuid('block_action_id'),
  deviceSessionId: uuid('device_session_id'),
  verdict: text('verdict').$type<'block' | 'dismiss' | 'unblock'>().notNull(),
  reasonCode: text('reason_code').notNull(),
  comment: text('comment'),
  actorType: text('actor_type').notNull(),
  actorId: text('actor_id').notNull(),
  decidedAt: instant('decided_at').notNull(),
})

/** The rule by which reviews were last decided. One row. */
export const geoReviewRule = pgTable('geo_review_rule', {
  onlyOne: boolean('only_one').primaryKey().default(true),
  rule: text('rule').notNull(),
  appliedAt: instant('applied_at').notNull(),
})

import { Type } from 'typebox'
import { Country, Instant, nullable, PAGE_QUERY, strict, textOf, Uuid } from '../shared.ts'

/** Routes of the geo profile, in seed 4's snake_case. */

const SubjectId = textOf(128, 'user-1')
const ReasonCode = Type.String({ pattern: '^[a-z0-9_]{1,64}$', examples: ['moved'] })
const Actor = strict({
  type: Type.Enum(['service', 'user', 'system'], { examples: ['service'] }),
  id: textOf(128, 'admin-console'),
})

export const ObservationMessage = Type.Unsafe<unknown>({ description: 'The bytes of one message' })

export const GeoUserParams = Type.Object({ userId: SubjectId })
export const VersionParams = Type.Object({
  userId: SubjectId,
  version: Type.Integer({ minimum: 0, maximum: 2_147_483_647 }),
})
export const BlockActionParams = Type.Object({ blockActionId: Uuid })

export const ReviewCandidatesQuery = strict({
  country_review_recommended: Type.Optional(Type.Enum(['true'], { examples: ['true'] })),
  ...PAGE_QUERY,
})

const Evidence = Type.Object({
  candidate_country: Country,
  declared_share: Type.Number(),
  candidate_share: Type.Number(),
  evidence_days: Type.Integer(),
  evidence_slots: Type.Integer(),
})

/** The evidence of now; `evidence` beside it is the evidence at the time of the recommendation. */
const EvidenceNow = Type.Object({
  ...Evidence.properties,
  candidate_country: nullable(
    Country,
    'Most used country other than the declared one; null if there is none',
  ),
})

export const ReviewState = Type.Object({
  country_review_recommended: Type.Boolean(),
  reason_code: nullable(Type.String()),
  since: nullable(Instant),
  evidence: nullable(Evidence),
  snoozed_until: nullable(Instant),
  last_evaluated_at: nullable(Instant),
  transition_seq: Type.Integer(),
})

export const PresentReview = Type.Object({
  ...ReviewState.properties,
  evidence_now: nullable(EvidenceNow),
})

const ReviewCandidate = Type.Object({
  user_id: Type.String(),
  declared_country: nullable(Country),
  ...ReviewState.properties,
})
export const ReviewCandidates = Type.Object({
  items: Type.Array(ReviewCandidate),
  next_cursor: Type.Optional(Type.String()),
})

const ObservedCountry = Type.Object({
  observed_country: Country,
  score: Type.Number(),
  share: Type.Number(),
  first_seen_at: Instant,
  last_seen_at: Instant,
})
const ObservationSummary = Type.Object({
  observed_country: Country,
  observations: Type.Integer(),
  active_hours: Type.Integer(),
  first_seen_at: Instant,
  last_seen_at: Instant,
})
const SeenDay = Type.Object({
  day: Type.String({ examples: ['2030-01-01'] }),
  observed_country: Country,
  observations: Type.Integer(),
})
const SessionProfile = Type.Object({
  device_session_id: Type.String(),
  usual_connection_country: nullable(Country),
  first_seen_at: Instant,
  last_seen_at: Instant,
  ranked_countries: Type.Array(ObservedCountry),
  observations_30_days: Type.Array(ObservationSummary),
  days: Type.Array(SeenDay, { description: 'The last 30 UTC days, newest first' }),
})

export const DeclaredCountryVersion = Type.Object({
  version: Type.Integer(),
  country: nullable(Country),
  previous_country: nullable(Country),
  state: Type.Enum(['recorded', 'applied', 'sync_failed', 'abandoned']),
  actor: Type.Object({ type: Type.String(), id: Type.String() }),
  reason_code: Type.String(),
  comment: nullable(Type.String()),
  recorded_at: Instant,
  applied_at: nullable(Instant),
  last_error: nullable(Type.String()),
})

const Sighting = Type.Object({
  device_session_id: Type.String(),
  observed_country: Country,
  first_seen_at: Instant,
  observations: Type.Integer(),
})
const Ground = Type.Object({
  name: Type.String({ examples: ['active_days'] }),
  found: Type.Number(),
  limit: Type.Number(),
})
const BLOCK_STATES = [
  'skipped_shadow',
  'awaiting_review',
  'requested',
  'succeeded',
  'failed',
  'dismissed',
  'unblock_requested',
  'unblocked',
  'unblock_failed',
] as const

export const BlockAction = Type.Object({
  id: Uuid,
  device_session_id: Type.String(),
  reason_code: Type.String(),
  state: Type.Enum([...BLOCK_STATES]),
  evidence: Type.Object({
    target: Sighting,
    against: Sighting,
    seen_at: Instant,
    grounds: Type.Array(Ground, { description: 'The criteria that the session was judged by' }),
  }),
  actor: Type.Object({ type: Type.String(), id: Type.String() }),
  attempts: Type.Integer(),
  last_error: nullable(Type.String()),
  created_at: Instant,
  updated_at: Instant,
})

export const BlockActionsQuery = strict({
  state: Type.Optional(
    Type.Enum([...BLOCK_STATES], {
      description: '`skipped_shadow`: recorded only, would have been blocked',
      examples: ['awaiting_review'],
    }),
  ),
  ...PAGE_QUERY,
})
export const BlockActions = Type.Object({
  items: Type.Array(Type.Object({ user_id: Type.String(), ...BlockAction.properties })),
  next_cursor: Type.Optional(Type.String()),
})

export const GeoDecision = Type.Object({
  about: Type.Enum(['review', 'session']),
  block_action_id: nullable(Uuid),
  device_session_id: nullable(Uuid, 'Of a session that was blocked or unblocked by hand'),
  verdict: Type.Enum(['block', 'dismiss', 'unblock']),
  reason_code: Type.String(),
  comment: nullable(Type.String()),
  actor: Type.Object({ type: Type.String(), id: Type.String() }),
  decided_at: Instant,
})

export const GeoProfile = Type.Object({
  user_id: Type.String(),
  declared_country: nullable(Country),
  review: PresentReview,
  sessions: Type.Array(SessionProfile),
  declared_country_versions: Type.Array(DeclaredCountryVersion),
  block_actions: Type.Array(BlockAction),
  decisions: Type.Array(GeoDecision, {
    description: 'Decisions of people on the review and on sessions, newest first',
  }),
})

export const ApplyDeclaredCountry = strict({
  country: Country,
  reason_code: ReasonCode,
  actor: Type.Optional(Actor),
  comment: Type.Optional(textOf(1_000, 'Lives in Lyon since May')),
  idempotency_key: Type.Optional(textOf(128, 'ticket-4711')),
})

/** A user declares their own country. */
export const DeclareOwnCountry = strict({ country: Country })

/** The reason for a decision. */
export const DecisionGrounds = strict({
  reason_code: Type.Unsafe<string>({ ...ReasonCode, examples: ['known_traveller'] }),
  comment: Type.Optional(textOf(1_000, 'Works in Lyon until June')),
  actor: Type.Optional(Actor),
})

const DeadLetter = Type.Object({
  id: Type.String(),
  user_id: Type.String(),
  device_session_id: Type.String(),
  attempts: Type.Integer(),
  reason: nullable(Type.String()),
  accepted_at: Instant,
  failed_at: Instant,
})
export const DeadLetters = Type.Object({ items: Type.Array(DeadLetter) })
export const Requeued = Type.Object({ requeued: Type.Integer() })

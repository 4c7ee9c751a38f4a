import { Type } from 'typebox'
import { Country, Instant, nullable, strict, textOf, Uuid } from './shared.ts'

/**
 * What a User Service and an Auth/Session Service offer to the geo profile, in seed 4's snake_case. The
 * built-in accounts implement it; an external service may take their place.
 */

const Actor = strict({
  type: Type.Enum(['service', 'user', 'system'], { examples: ['service'] }),
  id: textOf(128, 'geoprofile'),
})
const ReasonCode = Type.String({
  pattern: '^[a-z0-9_]{1,64}$',
  examples: ['multi_country_window'],
})

/** Opaque: external services use ids of their own. */
const SubjectId = textOf(128, '01890000-0000-7000-8000-000000000001')
export const SessionParams = Type.Object({ sessionId: SubjectId })
export const UserParams = Type.Object({ userId: SubjectId })

export const InternalSession = Type.Object({
  device_session_id: Uuid,
  user_id: Uuid,
  status: Type.Enum(['active', 'revoked', 'blocked', 'expired']),
  created_at: Instant,
  last_seen_at: Instant,
  ended_at: nullable(Instant),
  reason_code: nullable(Type.String()),
})
export const InternalSessions = Type.Object({ items: Type.Array(InternalSession) })
export const EndSession = strict({ reason_code: ReasonCode, actor: Actor })

export const InternalUser = Type.Object({
  user_id: Uuid,
  declared_country: nullable(Country),
  is_active: Type.Boolean(),
})
export const SyncDeclaredCountry = strict({
  declared_country: nullable(Country),
  reason_code: ReasonCode,
  actor: Actor,
})

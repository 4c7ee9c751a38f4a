import type * as contract from '@placard/contract/geo-profile'
import type { Static } from 'typebox'
import { sayStored } from '../../../platform/database/failure.ts'
import { NOWHERE, rankCountries } from '../profile/country-score.ts'
import type { PresentEvidence } from '../review/review.ts'
import type {
  listDaysSeen,
  listScores,
  listSessionProfiles,
  ReviewRow,
  summariseObservations,
} from './reads.ts'
import type { BlockAction } from '../guard/store-blocks.ts'
import type { Decision } from '../review/store-decisions.ts'
import type { Version } from '../declared/store-versions.ts'
import type { Sighting } from '../profile/suspicion.ts'

const instant = (at: Date | null) => at?.toISOString() ?? null

export const presentReview = (row: ReviewRow | undefined): Static<typeof contract.ReviewState> => ({
  country_review_recommended: row?.countryReviewRecommended ?? false,
  reason_code: row?.reasonCode ?? null,
  since: instant(row?.since ?? null),
  evidence: row?.evidence
    ? {
        candidate_country: row.evidence.candidateCountry,
        declared_share: row.evidence.declaredShare,
        candidate_share: row.evidence.candidateShare,
        evidence_days: row.evidence.evidenceDays,
        evidence_slots: row.evidence.evidenceSlots,
      }
    : null,
  snoozed_until: instant(row?.snoozedUntil ?? null),
  last_evaluated_at: instant(row?.lastEvaluatedAt ?? null),
  transition_seq: row?.transitionSeq ?? 0,
})

export const presentEvidenceNow = (
  evidence: PresentEvidence | undefined,
): Static<typeof contract.PresentReview>['evidence_now'] =>
  evidence
    ? {
        candidate_country: evidence.candidateCountry,
        declared_share: evidence.declaredShare,
        candidate_share: evidence.candidateShare,
        evidence_days: evidence.evidenceDays,
        evidence_slots: evidence.evidenceSlots,
      }
    : null

export const presentVersion = (
  version: Version,
): Static<typeof contract.DeclaredCountryVersion> => ({
  version: version.versionNo,
  country: version.country,
  previous_country: version.previousCountry,
  state: version.state,
  actor: { type: version.actorType, id: version.actorId },
  reason_code: version.reasonCode,
  comment: version.comment,
  recorded_at: version.recordedAt.toISOString(),
  applied_at: instant(version.appliedAt),
  last_error: sayStored(version.lastError),
})

export const presentBlock = (action: BlockAction): Static<typeof contract.BlockAction> => ({
  id: action.publicId,
  device_session_id: action.deviceSessionId,
  reason_code: action.reasonCode,
  state: action.state,
  evidence: {
    target: presentSighting(action.evidence.target),
    against: presentSighting(action.evidence.against),
    seen_at: new Date(action.evidence.atMs).toISOString(),
    grounds: [...(action.evidence.grounds ?? [])],
  },
  actor: { type: action.actorType, id: action.actorId },
  attempts: action.attempts,
  last_error: sayStored(action.lastError),
  created_at: action.createdAt.toISOString(),
  updated_at: action.updatedAt.toISOString(),
})

export const presentDecision = (decision: Decision): Static<typeof contract.GeoDecision> => ({
  about: decision.about,
  block_action_id: decision.blockActionId,
  device_session_id: decision.deviceSessionId,
  verdict: decision.verdict,
  reason_code: decision.reasonCode,
  comment: decision.comment,
  actor: { type: decision.actorType, id: decision.actorId },
  decided_at: decision.decidedAt.toISOString(),
})

const presentSighting = ({ deviceSessionId, country, firstSeenMs, observations }: Sighting) => ({
  device_session_id: deviceSessionId,
  observed_country: country,
  first_seen_at: new Date(firstSeenMs).toISOString(),
  observations,
})

type SessionRow = Awaited<ReturnType<typeof listSessionProfiles>>[number]
type ScoreRow = Awaited<ReturnType<typeof listScores>>[number]
type SummaryRow = Awaited<ReturnType<typeof summariseObservations>>[number]
type DayRow = Awaited<ReturnType<typeof listDaysSeen>>[number]

/** Sessions without any known country: they have no scores, and are listed nevertheless. */
export function seenNowhere(
  known: readonly SessionRow[],
  summaries: readonly SummaryRow[],
): SessionRow[] {
  const ranked = new Set(known.map(({ deviceSessionId }) => deviceSessionId))
  return summaries
    .filter(
      ({ deviceSessionId, observedCountry }) =>
        observedCountry === NOWHERE && !ranked.has(deviceSessionId),
    )
    .map(({ deviceSessionId, firstSeenAt, lastSeenAt }) => ({
      deviceSessionId,
      usualConnectionCountry: null,
      firstSeenAt: firstSeenAt!,
      lastSeenAt: lastSeenAt!,
    }))
}

interface SessionDetails {
  readonly scores: readonly ScoreRow[]
  readonly summaries: readonly SummaryRow[]
  readonly days: readonly DayRow[]
  readonly now: Date
}

/** One device session for a reviewer: its usual country, its history, its last days. */
export function presentSession(
  session: SessionRow,
  { scores, summaries, days, now }: SessionDetails,
): Static<typeof contract.GeoProfile>['sessions'][number] {
  const own = scores.filter(({ deviceSessionId }) => deviceSessionId === session.deviceSessionId)
  const ranked = rankCountries(
    own.map(({ scoredAt, firstSeenAt, lastSeenAt, ...score }) => ({
      ...score,
      scoredAtMs: scoredAt.getTime(),
      firstSeenMs: firstSeenAt.getTime(),
      lastSeenMs: lastSeenAt.getTime(),
      recentMs: [],
    })),
    now.getTime(),
  )
  const total = ranked.reduce((sum, { score }) => sum + score, 0)
  return {
    device_session_id: session.deviceSessionId,
    usual_connection_country: session.usualConnectionCountry,
    first_seen_at: session.firstSeenAt.toISOString(),
    last_seen_at: session.lastSeenAt.toISOString(),
    ranked_countries: ranked.map(({ country, score, lastSeenMs }) => ({
      observed_country: country,
      score,
      share: total > 0 ? score / total : 0,
      first_seen_at: own.find((one) => one.country === country)!.firstSeenAt.toISOString(),
      last_seen_at: new Date(lastSeenMs).toISOString(),
    })),
    observations_30_days: summaries
      .filter(({ deviceSessionId }) => deviceSessionId === session.deviceSessionId)
      .map(presentSummary),
    days: days
      .filter(({ deviceSessionId }) => deviceSessionId === session.deviceSessionId)
      .map(({ day, observedCountry, observations }) => ({
        day,
        observed_country: observedCountry,
        observations,
      })),
  }
}

const presentSummary = (summary: SummaryRow) => ({
  observed_country: summary.observedCountry,
  observations: summary.observations,
  active_hours: summary.activeHours,
  first_seen_at: summary.firstSeenAt!.toISOString(),
  last_seen_at: summary.lastSeenAt!.toISOString(),
})

import { and, asc, desc, eq, gte, lt, max, min, or, sql, sum } from 'drizzle-orm'
import type { Database } from '../../../platform/database/connect.ts'
import {
  countryObservation,
  deviceSessionCountryScore,
  deviceSessionProfile,
  userReviewState,
} from '../tables.ts'

const reviewColumns = {
  userId: userReviewState.userId,
  declaredCountry: userReviewState.declaredCountry,
  countryReviewRecommended: userReviewState.countryReviewRecommended,
  reasonCode: userReviewState.reasonCode,
  since: userReviewState.since,
  evidence: userReviewState.evidence,
  snoozedUntil: userReviewState.snoozedUntil,
  lastEvaluatedAt: userReviewState.lastEvaluatedAt,
  transitionSeq: userReviewState.transitionSeq,
}

export type ReviewRow = Pick<typeof userReviewState.$inferSelect, keyof typeof reviewColumns>

export interface CandidatePlace {
  readonly since: Date
  readonly userId: string
}

/** Newest recommendation first, then by user, so that the order is stable while the list grows. */
export function listCandidates(
  db: Database,
  { limit, after }: { limit: number; after: CandidatePlace | undefined },
): Promise<ReviewRow[]> {
  const { since, userId } = userReviewState
  return db
    .select(reviewColumns)
    .from(userReviewState)
    .where(
      and(
        eq(userReviewState.countryReviewRecommended, true),
        after &&
          or(lt(since, after.since), and(eq(since, after.since), sql`${userId} > ${after.userId}`)),
      ),
    )
    .orderBy(desc(since), asc(userId))
    .limit(limit)
}

export async function findReview(db: Database, userId: string): Promise<ReviewRow | undefined> {
  const [found] = await db
    .select(reviewColumns)
    .from(userReviewState)
    .where(eq(userReviewState.userId, userId))
  return found
}

const SESSIONS_MAX = 50
const SCORES_MAX = SESSIONS_MAX * 10

export function listSessionProfiles(db: Database, userId: string) {
  return db
    .select({
      deviceSessionId: deviceSessionProfile.deviceSessionId,
      usualConnectionCountry: deviceSessionProfile.usualConnectionCountry,
      firstSeenAt: deviceSessionProfile.firstSeenAt,
      lastSeenAt: deviceSessionProfile.lastSeenAt,
    })
    .from(deviceSessionProfile)
    .where(eq(deviceSessionProfile.userId, userId))
    .orderBy(desc(deviceSessionProfile.lastSeenAt), asc(deviceSessionProfile.deviceSessionId))
    .limit(SESSIONS_MAX)
}

export function listScores(db: Database, userId: string) {
  return db
    .select({
      deviceSessionId: deviceSessionCountryScore.deviceSessionId,
      country: deviceSessionCountryScore.observedCountry,
      score: deviceSessionCountryScore.score,
      habit: deviceSessionCountryScore.habit,
      scoredAt: deviceSessionCountryScore.scoredAt,
      firstSeenAt: deviceSessionCountryScore.firstSeenAt,
      lastSeenAt: deviceSessionCountryScore.lastSeenAt,
    })
    .from(deviceSessionCountryScore)
    .where(eq(deviceSessionCountryScore.userId, userId))
    .limit(SCORES_MAX)
}

/** Observations since the instant, by session and country, including ZZ. */
export function summariseObservations(db: Database, userId: string, since: Date) {
  return db
    .select({
      deviceSessionId: countryObservation.deviceSessionId,
      observedCountry: countryObservation.observedCountry,
      observations: sum(countryObservation.observations).mapWith(Number),
      activeHours: sql<number>`count(*)::int`,
      firstSeenAt: min(countryObservation.firstSeenAt),
      lastSeenAt: max(countryObservation.lastSeenAt),
    })
    .from(countryObservation)
    .where(and(eq(countryObservation.userId, userId), gte(countryObservation.hour, since)))
    .groupBy(countryObservation.deviceSessionId, countryObservation.observedCountry)
    .orderBy(desc(sum(countryObservation.observations)))
    .limit(SCORES_MAX)
}

const DAYS_MAX = 5_000

/** The UTC days on which a session was seen, by country, newest first. */
export async function listDaysSeen(db: Database, userId: string, since: Date) {
  const { hour, deviceSessionId, observedCountry, observations } = countryObservation
  const day = sql<string>`to_char(${hour} at time zone 'UTC', 'YYYY-MM-DD')`
  return db
    .select({
      deviceSessionId,
      observedCountry,
      day,
      observations: sum(observations).mapWith(Number),
    })
    .from(countryObservation)
    .where(and(eq(countryObservation.userId, userId), gte(hour, since)))
    .groupBy(deviceSessionId, observedCountry, sql`3`)
    .orderBy(sql`3 desc`, desc(sum(observations)))
    .limit(DAYS_MAX)
}

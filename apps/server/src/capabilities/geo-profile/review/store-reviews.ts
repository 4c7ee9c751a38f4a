import { DAY_MS } from '@placard/calendar'
import { and, eq, isNull, lte, or, sql } from 'drizzle-orm'
import type { Database } from '../../../platform/database/connect.ts'
import type { ReviewEvidence } from './review.ts'
import { userReviewState } from '../tables.ts'

export interface ReviewTransition {
  readonly userId: string
  readonly isRecommended: boolean
  readonly reasonCode: string
  readonly evidence: ReviewEvidence | null
  readonly now: Date
}

/** Changes the flag and returns the transition's number. Undefined if nothing changed. */
export async function saveTransition(
  db: Database,
  { userId, isRecommended, reasonCode, evidence, now }: ReviewTransition,
): Promise<number | undefined> {
  const [saved] = await db
    .update(userReviewState)
    .set({
      countryReviewRecommended: isRecommended,
      reasonCode,
      evidence,
      since: isRecommended ? now : null,
      lastEvaluatedAt: now,
      transitionSeq: sql`${userReviewState.transitionSeq} + 1`,
    })
    .where(
      and(
        eq(userReviewState.userId, userId),
        eq(userReviewState.countryReviewRecommended, !isRecommended),
      ),
    )
    .returning({ transitionSeq: userReviewState.transitionSeq })
  return saved?.transitionSeq
}

export async function snoozeReview(db: Database, userId: string, until: Date): Promise<void> {
  await db
    .update(userReviewState)
    .set({ snoozedUntil: until })
    .where(eq(userReviewState.userId, userId))
}

export async function saveEvaluations(
  db: Database,
  userIds: readonly string[],
  now: Date,
): Promise<void> {
  if (userIds.length === 0) return
  await db
    .update(userReviewState)
    .set({ lastEvaluatedAt: now })
    .where(sql`${userReviewState.userId} = any(${sql.param([...userIds])}::text[])`)
}

/** Users without a known country who are due to be asked for, those never asked for first. */
export async function listUsersToAdopt(
  db: Database,
  { now, limit }: { now: Date; limit: number },
): Promise<string[]> {
  const { userId, declaredCountry, declaredCountryAskAt: askAt } = userReviewState
  const rows = await db
    .select({ userId })
    .from(userReviewState)
    .where(and(isNull(declaredCountry), or(isNull(askAt), lte(askAt, now))))
    .orderBy(sql`${askAt} nulls first`, userId)
    .limit(limit)
  return rows.map(({ userId }) => userId)
}

export async function scheduleNextAsk(db: Database, userId: string, at: Date): Promise<void> {
  await db
    .update(userReviewState)
    .set({ declaredCountryAskAt: at })
    .where(eq(userReviewState.userId, userId))
}

/** A user without a declaration may make one, so the User Service is asked again a day later. */
const ASK_AGAIN_MS = DAY_MS

export async function saveDeclaredCountry(
  db: Database,
  { userId, country, now }: { userId: string; country: string | null; now: Date },
): Promise<void> {
  const values = {
    declaredCountry: country,
    declaredCountryKnownAt: now,
    declaredCountryAskAt: country === null ? new Date(now.getTime() + ASK_AGAIN_MS) : null,
  }
  await db
    .insert(userReviewState)
    .values({ userId, ...values })
    .onConflictDoUpdate({ target: userReviewState.userId, set: values })
}

/** The users after this one by id, for work that goes through all of them. */
export async function listUserIdsAfter(
  db: Database,
  after: string,
  limit: number,
): Promise<string[]> {
  const rows = await db
    .select({ userId: userReviewState.userId })
    .from(userReviewState)
    .where(sql`${userReviewState.userId} > ${after}`)
    .orderBy(userReviewState.userId)
    .limit(limit)
  return rows.map(({ userId }) => userId)
}

export async function findAppliedRule(db: Database): Promise<string | undefined> {
  const { rows } = await db.execute<{ rule: string }>(sql`select rule from geo_review_rule`)
  return rows[0]?.rule
}

export async function saveAppliedRule(db: Database, rule: string, now: Date): Promise<void> {
  await db.execute(sql`
    insert into geo_review_rule (rule, applied_at) values (${rule}, ${now.toISOString()}::timestamptz)
    on conflict (only_one) do update set rule = excluded.rule, applied_at = excluded.applied_at`)
}

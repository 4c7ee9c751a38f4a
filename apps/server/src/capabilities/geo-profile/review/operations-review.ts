import { DAY_MS } from '@placard/calendar'
import type { Clock } from '../../../platform/clock.ts'
import type { Database } from '../../../platform/database/connect.ts'
import type { Ids } from '../../../platform/ids.ts'
import { appendEvent } from '../../../platform/outbox/store.ts'
import { notifyInterested } from '../../notices/index.ts'
import type { GeoObserver } from '../ingest/observer.ts'
import { type DecisionDeps, type Grounds, recordDecision } from './operations-decisions.ts'
import { judgeReview, REVIEW_RULE, type ReviewEvidence, type ReviewRule } from './review.ts'
import { lockProfiles, type StoredProfile } from '../profile/store-profiles.ts'
import { saveEvaluations, saveTransition, snoozeReview } from './store-reviews.ts'

export interface ReviewDeps {
  readonly db: Database
  readonly clock: Clock
  readonly ids: Ids
  readonly observer: GeoObserver
  readonly reviewRule?: ReviewRule
  /** Public address of the console, for links in notices. */
  readonly consoleUrl?: string | undefined
}

/** Runs the rule for locked users. A transition and its notice commit together. */
export async function reviewProfiles(
  deps: ReviewDeps,
  profiles: readonly StoredProfile[],
  { notify }: { notify: boolean },
): Promise<void> {
  const { db, clock, reviewRule = REVIEW_RULE } = deps
  const now = clock.now()
  for (const profile of profiles) {
    const verdict = judgeReview(profile, profile, { atMs: profile.lastSeenMs, rule: reviewRule })
    if (verdict.kind === 'keep') continue
    const isRecommended = verdict.kind === 'recommend'
    const evidence = isRecommended ? verdict.evidence : null
    const { userId } = profile
    const { reasonCode } = verdict
    const seq = await saveTransition(db, { userId, isRecommended, reasonCode, evidence, now })
    if (seq === undefined) continue
    deps.observer.reviewed(isRecommended ? 'recommended' : 'cleared')
    if (evidence && notify) await notifyAdministrators(deps, profile, { seq, evidence, now })
  }
}

/** An event for programs and a notice for people. Recipients get a key once. */
async function notifyAdministrators(
  deps: ReviewDeps,
  profile: StoredProfile,
  { seq, evidence, now }: { seq: number; evidence: ReviewEvidence; now: Date },
): Promise<void> {
  const { userId } = profile
  const key = `geo:review:${userId}:${seq}`
  const payload = payloadOf(profile, evidence)
  await appendEvent(deps.db, {
    id: deps.ids.next(),
    type: 'geo.review-recommended.v1',
    subject: userId,
    time: now,
    data: {
      notification_type: 'geo.review_recommended',
      producer: 'geoprofile',
      audience_kind: 'administrators',
      idempotency_key: key,
      payload,
    },
  })
  await notifyInterested(deps, {
    topic: 'geo-review',
    key,
    subject: 'A declared country needs a review',
    words: `${wordsFor(profile, evidence)} ${personLink(deps, userId)}`,
    data: { idempotency_key: key, link: personLink(deps, userId), ...payload },
  })
}

/** The console's page of a user. */
export const personLink = (
  { consoleUrl = '' }: Pick<ReviewDeps, 'consoleUrl'>,
  userId: string,
): string => `${consoleUrl.replace(/\/+$/, '')}/trust/${encodeURIComponent(userId)}`

const payloadOf = (
  { userId, declaredCountry, firstSeenMs, lastSeenMs }: StoredProfile,
  evidence: ReviewEvidence,
) => ({
  user_id: userId,
  declared_country: declaredCountry,
  candidate_country: evidence.candidateCountry,
  declared_share: evidence.declaredShare,
  candidate_share: evidence.candidateShare,
  evidence_days: evidence.evidenceDays,
  evidence_slots: evidence.evidenceSlots,
  first_seen_at: new Date(firstSeenMs ?? lastSeenMs).toISOString(),
  last_seen_at: new Date(lastSeenMs).toISOString(),
})

const percent = (share: number) => `${Math.round(share * 100)} %`

const wordsFor = ({ userId, declaredCountry }: StoredProfile, evidence: ReviewEvidence) =>
  `User ${userId} declares ${declaredCountry} and connects from ${evidence.candidateCountry}: ` +
  `${percent(evidence.candidateShare)} of the activity of ${evidence.evidenceDays} days is there, ` +
  `${percent(evidence.declaredShare)} in the declared country.`

const SNOOZE_MS = 30 * DAY_MS

/** A person confirms the declared country: no review is recommended for thirty days. */
export async function dismissReview(
  deps: ReviewDeps & DecisionDeps,
  userId: string,
  grounds: Grounds,
): Promise<void> {
  const { clock, observer } = deps
  const now = clock.now()
  await deps.db.transaction(async (db) => {
    const reasonCode = 'dismissed'
    const dismissed = { userId, isRecommended: false, reasonCode, evidence: null, now }
    if ((await saveTransition(db, dismissed)) !== undefined) observer.reviewed('dismissed')
    await snoozeReview(db, userId, new Date(now.getTime() + SNOOZE_MS))
    const subject = { userId, about: 'review', blockActionId: null, verdict: 'dismiss' } as const
    await recordDecision({ ...deps, db }, subject, grounds)
  })
}

/** Runs the rule for some users, after a change of its thresholds or of their declarations. */
export async function reviewUsers(
  deps: ReviewDeps,
  userIds: readonly string[],
  modes: { notify: boolean },
): Promise<void> {
  await deps.db.transaction(async (db) => {
    const profiles = await lockProfiles(db, userIds)
    await saveEvaluations(db, userIds, deps.clock.now())
    await reviewProfiles({ ...deps, db }, [...profiles.values()], modes)
  })
}

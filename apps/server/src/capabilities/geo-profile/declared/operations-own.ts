import type { Database } from '../../../platform/database/connect.ts'
import { Problem } from '../../../platform/problem.ts'
import type { Actor as Caller } from '../../../platform/resources/index.ts'
import { findReview } from '../admin/reads.ts'
import { geoProblems } from '../problems.ts'
import { applyDeclaredCountry, type ChangeDeps } from './operations-declared.ts'
import { judgeOwnChange } from './own-country.ts'
import { listVersions, type Version } from './store-versions.ts'

const REASON_CODE = 'declared_by_user'

/** People declare their own country through the same path as every change. */
export function declareOwnCountry(
  deps: ChangeDeps,
  { caller, country }: { caller: Caller; country: string },
): Promise<Version> {
  const userId = caller.principal.id
  return applyDeclaredCountry(deps, {
    userId,
    country,
    caller,
    actor: { type: 'user', id: userId },
    reasonCode: REASON_CODE,
    comment: null,
    idempotencyKey: null,
    refuse: (db) => refuseOwn({ ...deps, db }, userId),
  })
}

async function refuseOwn(
  { db, clock }: { db: Database; clock: ChangeDeps['clock'] },
  userId: string,
): Promise<void> {
  const review = await findReview(db, userId)
  const versions = await listVersions(db, userId)
  const own = versions.find(
    ({ reasonCode, state, previousCountry }) =>
      reasonCode === REASON_CODE && state === 'applied' && previousCountry !== null,
  )
  const verdict = judgeOwnChange(
    {
      declaredCountry: review?.declaredCountry ?? null,
      isUnderReview: review?.countryReviewRecommended ?? false,
      lastOwnChangeMs: own?.recordedAt.getTime() ?? null,
    },
    clock.now().getTime(),
  )
  if (verdict.kind === 'under-review') throw new Problem(geoProblems.underReview, userId)
  if (verdict.kind === 'too-soon') {
    const until = new Date(verdict.untilMs).toISOString()
    throw new Problem(geoProblems.changedLately, `Again from ${until} on.`)
  }
}

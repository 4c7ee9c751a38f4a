import { listSwitches } from '../../../platform/switches/store.ts'
import { WINDOW_MS } from '../profile/country-score.ts'
import { failureOf } from '../../../platform/database/failure.ts'
import { type DeclaredDeps, takeOver } from '../declared/operations-declared.ts'
import { findOpenVersion, lockUser } from '../declared/store-versions.ts'
import { type ReviewDeps, reviewUsers } from '../review/operations-review.ts'
import { newUserProfile, observe, type UserProfile } from '../profile/profile.ts'
import { REVIEW_RULE } from '../review/review.ts'
import { findAppliedRule, listUserIdsAfter, saveAppliedRule } from '../review/store-reviews.ts'
import {
  deleteProfilesOf,
  listFactsOf,
  lockProfiles,
  saveScores,
  saveSessions,
  saveUsers,
} from '../profile/store-profiles.ts'
import type { Fact } from '../profile/facts.ts'
import { GEO_SWITCHES, modesOf } from '../guard/switches.ts'

interface WalkDeps extends ReviewDeps {
  progress(message: string): void
}

export interface RepairDeps extends DeclaredDeps, WalkDeps {}

const PAGE = 200

/** Goes through all users by id, page by page. Can be stopped and restarted at any time. */
async function throughUsers(
  deps: WalkDeps,
  work: (userIds: readonly string[]) => Promise<void>,
  signal?: AbortSignal,
): Promise<number> {
  let users = 0
  for (let after = ''; ;) {
    signal?.throwIfAborted()
    const userIds = await listUserIdsAfter(deps.db, after, PAGE)
    const last = userIds.at(-1)
    if (last === undefined) return users
    await work(userIds)
    users += userIds.length
    after = last
    deps.progress(`${users} users`)
  }
}

/** Rebuilds ranks and usual countries from the facts, after a change of the score or a gap. */
export async function rankAnew(deps: RepairDeps): Promise<{ users: number }> {
  const users = await throughUsers(deps, async (userIds) => {
    for (const userId of userIds) await rankUser(deps, userId)
  })
  return { users }
}

async function rankUser({ db }: RepairDeps, userId: string): Promise<void> {
  await db.transaction(async (db) => {
    await lockProfiles(db, [userId])
    const profile = profileFrom(userId, await listFactsOf(db, userId))
    await deleteProfilesOf(db, userId)
    if (profile.firstSeenMs === null) return
    await saveUsers(db, [profile])
    const sessions = [...profile.sessions.values()]
    await saveSessions(
      db,
      sessions.map((session) => ({ userId, session })),
    )
    await saveScores(
      db,
      sessions.flatMap(({ deviceSessionId, scores }) =>
        scores.map((score) => ({ userId, deviceSessionId, score })),
      ),
    )
  })
}

/** Replays every counted window once, in order of time. Only the minute within the window is lost. */
export function profileFrom(userId: string, facts: readonly Fact[]): UserProfile {
  const profile = newUserProfile(userId)
  const observations = facts.flatMap(({ deviceSessionId, observedCountry, hourMs, windows }) =>
    [0, 1, 2, 3, 4, 5]
      .filter((window) => (windows & (1 << window)) !== 0)
      .map((window) => ({ deviceSessionId, observedCountry, atMs: hourMs + window * WINDOW_MS })),
  )
  for (const observation of observations.toSorted((a, b) => a.atMs - b.atMs)) {
    observe(profile, { ...observation, isNewWindow: true })
  }
  return profile
}

/** Runs the review rule for all users, after a change of its thresholds. */
export async function reviewEverybody(deps: RepairDeps): Promise<{ users: number }> {
  const { notify } = modesOf(await listSwitches(deps.db, GEO_SWITCHES))
  const users = await throughUsers(deps, (userIds) => reviewUsers(deps, userIds, { notify }))
  return { users }
}

const OFF = 'off'

/** Runs the review rule for all users if it changed. Undefined if there was nothing to do. */
export async function reviewIfChanged(
  deps: WalkDeps,
  signal: AbortSignal,
): Promise<{ users: number } | undefined> {
  const { db, clock, reviewRule = REVIEW_RULE } = deps
  const { review, notify } = modesOf(await listSwitches(db, GEO_SWITCHES))
  const rule = review ? JSON.stringify(reviewRule) : OFF
  if ((await findAppliedRule(db)) === rule) return undefined
  const ask = (userIds: readonly string[]) => reviewUsers(deps, userIds, { notify })
  const users = review ? await throughUsers(deps, ask, signal) : 0
  await saveAppliedRule(db, rule, clock.now())
  return { users }
}

const REPAIR = {
  actor: { type: 'system', id: 'repair-geo' },
  reasonCode: 'user_service_differs',
} as const

interface Comparison {
  readonly users: number
  readonly differed: number
  /** Users for whom the User Service gave no usable answer. */
  readonly unanswered: number
}

/**
 * Copies countries that differ from the User Service, each as a version. Writes nothing to the User
 * Service. A user with an open change is skipped until that change is retried or abandoned.
 */
export async function compareCountries(deps: RepairDeps): Promise<Comparison> {
  let differed = 0
  let unanswered = 0
  const users = await throughUsers(deps, async (userIds) => {
    for (const userId of userIds) {
      const user = await deps.users.findUser(userId).catch((error: unknown) => {
        if (failureOf(error)) throw error
        unanswered++
        return undefined
      })
      if (user && (await compareOne(deps, userId, user.declaredCountry))) differed++
    }
  })
  return { users, differed, unanswered }
}

function compareOne(deps: RepairDeps, userId: string, country: string | null): Promise<boolean> {
  return deps.db.transaction(async (db) => {
    const copy = await lockUser(db, userId)
    if (copy === country || (await findOpenVersion(db, userId))) return false
    await takeOver({ ...deps, db }, { userId, country, ...REPAIR })
    return true
  })
}

import {
  NOWHERE,
  windowOf,
} from '../../apps/server/src/capabilities/geo-profile/profile/country-score.ts'
import {
  newUserProfile,
  observe,
  type UserProfile,
} from '../../apps/server/src/capabilities/geo-profile/profile/profile.ts'
import { judgeReview } from '../../apps/server/src/capabilities/geo-profile/review/review.ts'
import {
  judgeSuspicion,
  type SuspicionRule,
} from '../../apps/server/src/capabilities/geo-profile/profile/suspicion.ts'
import { type Kind, type SimulatedUser, simulateUser } from './world.ts'

/** The verdicts on one user. */
export interface Outcome {
  readonly kind: Kind
  readonly wasReviewed: boolean
  readonly blocked: readonly { readonly isThief: boolean }[]
  readonly isThiefCatchable: boolean
}

export interface Figures {
  readonly reviewPrecision: number
  readonly reviewRecall: number
  readonly blockPrecision: number
  readonly blockRecall: number
  readonly travellersBlocked: number
}

/** Replays the observations of a world through the rules, like the worker. */
export function runWorld(
  seed: number,
  { users, rule }: { users: number; rule: SuspicionRule },
): Outcome[] {
  return Array.from({ length: users }, (_, number) => liveThrough(simulateUser(seed, number), rule))
}

function liveThrough(user: SimulatedUser, rule: SuspicionRule): Outcome {
  const profile = newUserProfile(user.id, user.declaredCountry)
  const windows = new Map<string, number>()
  const blocked = new Set<number>()
  let state = { isRecommended: false, snoozedUntilMs: null }
  let wasReviewed = false

  for (const { atMs, session, country } of user.observations) {
    if (blocked.has(session) || country === NOWHERE) continue
    const deviceSessionId = user.sessions[session]!.id
    const isNewWindow = isFirstInWindow(windows, `${deviceSessionId} ${country}`, atMs)
    observe(profile, { deviceSessionId, observedCountry: country, atMs, isNewWindow })
    if (isNewWindow) {
      state = { ...state, isRecommended: reviewed(profile, state, atMs) }
      wasReviewed ||= state.isRecommended
    }
    const suspicion = judgeSuspicion(profile, { deviceSessionId, atMs, rule })
    if (suspicion) {
      const target = suspicion.target.deviceSessionId
      blocked.add(user.sessions.findIndex(({ id }) => id === target))
    }
  }
  return {
    kind: user.kind,
    wasReviewed,
    isThiefCatchable: user.isThiefCatchable,
    blocked: [...blocked].map((session) => user.sessions[session]!),
  }
}

function isFirstInWindow(windows: Map<string, number>, key: string, atMs: number): boolean {
  const window = windowOf(atMs)
  if (windows.get(key) === window) return false
  windows.set(key, window)
  return true
}

function reviewed(
  profile: UserProfile,
  state: { isRecommended: boolean; snoozedUntilMs: number | null },
  atMs: number,
): boolean {
  const { kind } = judgeReview(profile, state, { atMs })
  return kind === 'keep' ? state.isRecommended : kind === 'recommend'
}

export function sumUp(outcomes: readonly Outcome[]): Figures {
  const movers = outcomes.filter(({ kind }) => kind === 'mover')
  const reviewed = outcomes.filter(({ wasReviewed }) => wasReviewed)
  const foundMovers = movers.filter(({ wasReviewed }) => wasReviewed).length
  const blocks = outcomes.flatMap(({ blocked }) => blocked)
  const catchable = outcomes.filter(({ isThiefCatchable }) => isThiefCatchable)
  const caught = catchable.filter(({ blocked }) => blocked.some(({ isThief }) => isThief))
  return {
    reviewPrecision: foundMovers / reviewed.length,
    reviewRecall: foundMovers / movers.length,
    blockPrecision: blocks.filter(({ isThief }) => isThief).length / blocks.length,
    blockRecall: caught.length / catchable.length,
    travellersBlocked: outcomes.filter(
      ({ kind, blocked }) => kind === 'traveller' && blocked.length > 0,
    ).length,
  }
}

import { DAY_MS, HOUR_MS } from '@placard/calendar'
import type { CountryScore } from './country-score.ts'
import { habitAt } from './country-score.ts'
import { type SessionProfile, sumScores, topOf, totalOf, type UserProfile } from './profile.ts'

/** Thresholds for two sessions of one user in two countries. */
export interface SuspicionRule {
  readonly windowMs: number
  /** Each of the two sessions needs this many observations of its country in the window. */
  readonly observationsMin: number
  /** Active days until an account's use is known. Sessions of that time belong to the account. */
  readonly acquaintanceDays: number
  readonly acquaintanceMs: number
  /** A country is habitual with this share, or if one session has kept to it for `habitMs`. */
  readonly habitualShareMin: number
  readonly habitMs: number
  /** A session with this share of its use at home travels with its owner. */
  readonly homeShareMax: number
  /** A wrong address lasts a day, so a session must keep to its country this long to be judged. */
  readonly activeDaysMin: number
  /** A thief comes often, a guest now and then. */
  readonly activeShareMin: number
  readonly mainShareMin: number
  /** How long a session known from home vouches for others in a country where it was seen. */
  readonly vouchMs: number
  readonly vouchWindowsMin: number
}

const STANDARD: SuspicionRule = {
  windowMs: 8 * HOUR_MS,
  observationsMin: 2,
  acquaintanceDays: 6,
  acquaintanceMs: 11 * DAY_MS,
  habitualShareMin: 0.05,
  habitMs: 25 * DAY_MS,
  homeShareMax: 0.1,
  activeDaysMin: 4,
  activeShareMin: 0.5,
  mainShareMin: 0.5,
  vouchMs: 14 * DAY_MS,
  vouchWindowsMin: 1,
}

export const SUSPICION_PROFILES = {
  permissive: { ...STANDARD, windowMs: HOUR_MS / 4, observationsMin: 4 },
  standard: STANDARD,
  strict: { ...STANDARD, windowMs: 12 * HOUR_MS, activeDaysMin: 1 },
} satisfies Record<string, SuspicionRule>

/** One of two contradicting sessions, and its observations. */
export interface Sighting {
  readonly deviceSessionId: string
  readonly country: string
  readonly firstSeenMs: number
  readonly observations: number
}

/** A ground of ADR 0017: the figure found, and the rule's limit. */
export interface Ground {
  readonly name: GroundName
  readonly found: number
  readonly limit: number
}

export type GroundName =
  | 'seen_in_window'
  | 'window_hours'
  | 'share_at_home'
  | 'account_active_days_before'
  | 'account_days_before'
  | 'active_days'
  | 'active_share'
  | 'share_in_country'
  | 'days_in_country'
  | 'share_of_other_sessions'

export interface Suspicion {
  readonly target: Sighting
  readonly against: Sighting
  readonly atMs: number
  /** Missing in rows that an older release wrote. */
  readonly grounds?: readonly Ground[]
}

interface Seen {
  readonly session: SessionProfile
  readonly score: CountryScore
}

/**
 * Whether the session just seen contradicts another of the same user. Names one suspicious session,
 * never all of them. A session that changed its country alone is travelling.
 */
export function judgeSuspicion(
  profile: UserProfile,
  { deviceSessionId, atMs, rule }: { deviceSessionId: string; atMs: number; rule: SuspicionRule },
): Suspicion | undefined {
  if (profile.sessions.size < 2) return undefined
  const here = profile.sessions.get(deviceSessionId)
  const seenHere = here && inWindow(here, atMs, rule)
  if (!seenHere || seenHere.length === 0) return undefined

  for (const session of profile.sessions.values()) {
    if (session === here || atMs - session.lastSeenMs > rule.windowMs) continue
    for (const there of inWindow(session, atMs, rule)) {
      const opposed = seenHere.find(({ score }) => score.country !== there.score.country)
      const suspicion = opposed && judgePair(profile, [opposed, there], { atMs, rule })
      if (suspicion) return suspicion
    }
  }
  return undefined
}

function inWindow(session: SessionProfile, atMs: number, rule: SuspicionRule): Seen[] {
  return session.scores
    .filter((score) => observationsIn(score, atMs, rule) >= rule.observationsMin)
    .map((score) => ({ session, score }))
}

const observationsIn = ({ recentMs }: CountryScore, atMs: number, { windowMs }: SuspicionRule) =>
  recentMs.filter((seenMs) => Math.abs(atMs - seenMs) <= windowMs).length

function judgePair(
  profile: UserProfile,
  pair: readonly [Seen, Seen],
  { atMs, rule }: { atMs: number; rule: SuspicionRule },
): Suspicion | undefined {
  const habits = sumScores(profile, { atMs, by: 'habit' })
  const home = new Set([profile.declaredCountry, topOf(habits)])
  const [target, against] = pickTarget(pair, home)
  if (!home.has(against.score.country)) return undefined
  const known = { profile, habits, home, atMs, rule }
  if (isOfOld(target, known) || isHabitual(target, known)) return undefined
  if (isTransit(target, known) || !isStranger(target.session, known)) return undefined
  if (isVouchedFor(target, known)) return undefined
  const grounds = groundsOf(target, against, known)
  return {
    target: sightingOf(target, atMs, rule),
    against: sightingOf(against, atMs, rule),
    atMs,
    grounds,
  }
}

/** Everything a target is judged by. */
interface Acquaintance {
  readonly profile: UserProfile
  readonly habits: ReadonlyMap<string, number>
  readonly home: ReadonlySet<string | null | undefined>
  readonly atMs: number
  readonly rule: SuspicionRule
}

/** The session is as old as the account's first observations. */
const isOfOld = ({ session }: Seen, { profile, rule }: Acquaintance): boolean =>
  session.activeDaysBefore < rule.acquaintanceDays ||
  session.firstSeenMs - (profile.firstSeenMs ?? 0) < rule.acquaintanceMs

/** Other sessions of the user use the country too, or this one has for weeks. */
function isHabitual({ score }: Seen, known: Acquaintance): boolean {
  const { atMs, rule } = known
  if (atMs - score.firstSeenMs >= rule.habitMs) return true
  return shareOfOthers(score, known) >= rule.habitualShareMin
}

/** The share of the other sessions' use in that country. */
function shareOfOthers(score: CountryScore, { habits, atMs }: Acquaintance): number {
  const own = habitAt(score, atMs)
  const total = totalOf(habits) - own
  return ((habits.get(score.country) ?? 0) - own) / total
}

/** A country seen only in passing: a wrong address, or a stop on a journey. */
function isTransit({ session, score }: Seen, { atMs, rule }: Acquaintance): boolean {
  if (session.activeDays < rule.activeDaysMin) return true
  const days = 1 + (atMs - session.firstSeenMs) / DAY_MS
  if (session.activeDays < rule.activeShareMin * days) return true
  const all = session.scores.reduce((sum, score) => sum + habitAt(score, atMs), 0)
  return habitAt(score, atMs) < rule.mainShareMin * all
}

/** The session away from home. If both or neither are, the one that came later. */
function pickTarget(
  [one, other]: readonly [Seen, Seen],
  home: ReadonlySet<string | null | undefined>,
): readonly [target: Seen, against: Seen] {
  const isAbroad = ({ score }: Seen) => !home.has(score.country)
  if (isAbroad(one) !== isAbroad(other)) return isAbroad(one) ? [one, other] : [other, one]
  return one.session.firstSeenMs >= other.session.firstSeenMs ? [one, other] : [other, one]
}

/** Rarely or never seen at home. */
function isStranger(session: SessionProfile, known: Acquaintance): boolean {
  const { atHome, all } = useAtHome(session, known)
  return atHome < known.rule.homeShareMax * all
}

function useAtHome(session: SessionProfile, { home, atMs }: Acquaintance) {
  let atHome = 0
  let all = 0
  for (const score of session.scores) {
    const habit = habitAt(score, atMs)
    all += habit
    if (home.has(score.country)) atHome += habit
  }
  return { atHome, all }
}

function isVouchedFor(target: Seen, known: Acquaintance): boolean {
  const { profile, atMs, rule } = known
  return [...profile.sessions.values()].some(
    (session) =>
      session !== target.session &&
      !isStranger(session, known) &&
      session.scores.some(
        (score) =>
          score.country === target.score.country &&
          atMs - score.lastSeenMs <= rule.vouchMs &&
          habitAt(score, atMs) >= rule.vouchWindowsMin,
      ),
  )
}

const sightingOf = ({ session, score }: Seen, atMs: number, rule: SuspicionRule): Sighting => ({
  deviceSessionId: session.deviceSessionId,
  country: score.country,
  firstSeenMs: score.firstSeenMs,
  observations: observationsIn(score, atMs, rule),
})

const round = (figure: number) => Math.round(figure * 1_000) / 1_000

const ground = (name: GroundName, found: number, limit: number): Ground => ({
  name,
  found: round(found),
  limit: round(limit),
})

/** Every figure the target was judged by, for the person who reviews it. */
function groundsOf({ session, score }: Seen, against: Seen, known: Acquaintance): Ground[] {
  const { profile, atMs, rule } = known
  const { atHome, all } = useAtHome(session, known)
  const sinceUserMs = session.firstSeenMs - (profile.firstSeenMs ?? session.firstSeenMs)
  const days = 1 + (atMs - session.firstSeenMs) / DAY_MS
  const apartMs = Math.abs(session.lastSeenMs - against.session.lastSeenMs)
  return [
    ground('window_hours', apartMs / HOUR_MS, rule.windowMs / HOUR_MS),
    ground('seen_in_window', observationsIn(score, atMs, rule), rule.observationsMin),
    ground('share_at_home', atHome / all, rule.homeShareMax),
    ground('account_active_days_before', session.activeDaysBefore, rule.acquaintanceDays),
    ground('account_days_before', sinceUserMs / DAY_MS, rule.acquaintanceMs / DAY_MS),
    ground('active_days', session.activeDays, rule.activeDaysMin),
    ground('active_share', Math.min(1, session.activeDays / days), rule.activeShareMin),
    ground('share_in_country', habitAt(score, atMs) / all, rule.mainShareMin),
    ground('days_in_country', (atMs - score.firstSeenMs) / DAY_MS, rule.habitMs / DAY_MS),
    ground('share_of_other_sessions', shareOfOthers(score, known), rule.habitualShareMin),
  ]
}

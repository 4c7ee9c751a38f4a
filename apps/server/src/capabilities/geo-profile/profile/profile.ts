import { DAY_MS } from '@placard/calendar'
import {
  addToScore,
  type CountryScore,
  fadedCountries,
  habitAt,
  newCountryScore,
  NOWHERE,
  rankCountries,
  scoreAt,
} from './country-score.ts'
import { judgeUsualCountry } from './usual-country.ts'

/** The state of one device session. */
export interface SessionProfile {
  readonly deviceSessionId: string
  firstSeenMs: number
  lastSeenMs: number
  /** Days the user had been active when this session first appeared. */
  readonly activeDaysBefore: number
  /** UTC days with an observation. */
  activeDays: number
  usualConnectionCountry: string | null
  scores: CountryScore[]
  /** Rows to delete when the profile is saved. */
  readonly dropped: Set<string>
}

/** Everything the rules know about a user, updated one observation at a time. */
export interface UserProfile {
  readonly userId: string
  declaredCountry: string | null
  firstSeenMs: number | null
  lastSeenMs: number
  /** Counted windows of the last thirty UTC days, today first. */
  windowsByDay: number[]
  /** UTC days with a counted window, ever. */
  activeDays: number
  sessions: Map<string, SessionProfile>
}

export interface Observation {
  readonly deviceSessionId: string
  readonly observedCountry: string
  readonly atMs: number
  readonly isNewWindow: boolean
}

export const EVIDENCE_DAYS = 30
const SESSION_ACTIVE_MS = 30 * DAY_MS

export const newUserProfile = (
  userId: string,
  declaredCountry: string | null = null,
): UserProfile => ({
  userId,
  declaredCountry,
  firstSeenMs: null,
  lastSeenMs: 0,
  windowsByDay: [],
  activeDays: 0,
  sessions: new Map(),
})

/** Adds one observation. One without a country leaves a fact elsewhere and nothing here. */
export function observe(profile: UserProfile, observation: Observation): void {
  const { observedCountry, atMs, isNewWindow } = observation
  if (observedCountry === NOWHERE) return

  const session = sessionOf(profile, observation)
  if (utcDay(atMs) > utcDay(session.lastSeenMs)) session.activeDays++
  session.firstSeenMs = Math.min(session.firstSeenMs, atMs)
  session.lastSeenMs = Math.max(session.lastSeenMs, atMs)
  addToScore(scoreOf(session, observation), observation)
  if (isNewWindow) {
    countDay(profile, atMs)
    compact(session)
    const ranked = rankCountries(session.scores, session.lastSeenMs)
    session.usualConnectionCountry = judgeUsualCountry(ranked, session.usualConnectionCountry)
  }
  profile.firstSeenMs = Math.min(profile.firstSeenMs ?? atMs, atMs)
  profile.lastSeenMs = Math.max(profile.lastSeenMs, atMs)
}

function sessionOf(profile: UserProfile, { deviceSessionId, atMs }: Observation): SessionProfile {
  const known = profile.sessions.get(deviceSessionId)
  if (known) return known
  const session = {
    deviceSessionId,
    firstSeenMs: atMs,
    lastSeenMs: atMs,
    activeDaysBefore: profile.activeDays,
    activeDays: 1,
    usualConnectionCountry: null,
    scores: [],
    dropped: new Set<string>(),
  }
  profile.sessions.set(deviceSessionId, session)
  return session
}

function scoreOf(session: SessionProfile, { observedCountry, atMs }: Observation): CountryScore {
  const known = session.scores.find(({ country }) => country === observedCountry)
  if (known) return known
  const score = newCountryScore(observedCountry, atMs)
  session.scores.push(score)
  session.dropped.delete(observedCountry)
  return score
}

function compact(session: SessionProfile): void {
  const faded = fadedCountries(session.scores, session.lastSeenMs)
  if (faded.size === 0) return
  session.scores = session.scores.filter(({ country }) => !faded.has(country))
  for (const country of faded) session.dropped.add(country)
}

/** A late observation counts on its own day, if that day is still within the window. */
function countDay(profile: UserProfile, atMs: number): void {
  const { windowsByDay } = profile
  const today = utcDay(profile.lastSeenMs)
  const ahead = Math.min(utcDay(atMs) - today, EVIDENCE_DAYS)
  if (profile.lastSeenMs > 0 && ahead > 0) windowsByDay.unshift(...Array<number>(ahead).fill(0))
  const place = profile.lastSeenMs === 0 ? 0 : Math.max(0, -ahead)
  if (place >= EVIDENCE_DAYS) return
  while (windowsByDay.length <= place) windowsByDay.push(0)
  if (windowsByDay[place] === 0) profile.activeDays++
  windowsByDay[place]!++
  windowsByDay.length = Math.min(windowsByDay.length, EVIDENCE_DAYS)
}

const utcDay = (atMs: number) => Math.floor(atMs / DAY_MS)

/** A user's scores by country, summed over the sessions of the last thirty days. */
export function sumScores(
  profile: UserProfile,
  { atMs, by }: { atMs: number; by: 'score' | 'habit' },
): Map<string, number> {
  const valueAt = by === 'score' ? scoreAt : habitAt
  const sums = new Map<string, number>()
  for (const session of profile.sessions.values()) {
    if (atMs - session.lastSeenMs > SESSION_ACTIVE_MS) continue
    if (by === 'score' && session.usualConnectionCountry === null) continue
    for (const score of session.scores) {
      sums.set(score.country, (sums.get(score.country) ?? 0) + valueAt(score, atMs))
    }
  }
  return sums
}

/** The country with the largest sum, among equals the first by code. */
export function topOf(sums: ReadonlyMap<string, number>): string | undefined {
  let top: string | undefined
  let most = 0
  for (const [country, sum] of sums) {
    if (sum < most || (sum === most && top !== undefined && country > top)) continue
    top = country
    most = sum
  }
  return top
}

export function totalOf(sums: ReadonlyMap<string, number>): number {
  let total = 0
  for (const sum of sums.values()) total += sum
  return total
}

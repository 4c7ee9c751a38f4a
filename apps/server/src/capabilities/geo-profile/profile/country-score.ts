import { DAY_MS } from '@placard/calendar'
/** One device session's recent use of a country. */
export interface CountryScore {
  readonly country: string
  /** The value at `scoredAtMs`. It halves every seven days. */
  score: number
  /** The same with a long memory: it halves every thirty days and shows what is habitual. */
  habit: number
  scoredAtMs: number
  firstSeenMs: number
  lastSeenMs: number
  /** The newest observations, oldest first, as many as a suspicion needs. */
  recentMs: number[]
}

/** Unknown, private and reserved addresses. Never ranked. */
export const NOWHERE = 'ZZ'

export const SCORE_HALF_LIFE_MS = 7 * DAY_MS
export const HABIT_HALF_LIFE_MS = 30 * DAY_MS
export const WINDOW_MS = 600_000
export const RECENT_MAX = 4
const SCORE_MIN = 0.01
const COUNTRIES_MAX = 10

export const newCountryScore = (country: string, atMs: number): CountryScore => ({
  country,
  score: 0,
  habit: 0,
  scoredAtMs: atMs,
  firstSeenMs: atMs,
  lastSeenMs: atMs,
  recentMs: [],
})

export interface ScoredObservation {
  readonly atMs: number
  /** True for the first of its session and country in ten minutes. Only that one counts. */
  readonly isNewWindow: boolean
}

/** Counts one observation. A late one adds its current worth: the score's time never goes back. */
export function addToScore(score: CountryScore, { atMs, isNewWindow }: ScoredObservation): void {
  if (isNewWindow) {
    const nowMs = Math.max(score.scoredAtMs, atMs)
    score.habit = habitAt(score, nowMs) + 2 ** ((atMs - nowMs) / HABIT_HALF_LIFE_MS)
    score.score = scoreAt(score, nowMs) + 2 ** ((atMs - nowMs) / SCORE_HALF_LIFE_MS)
    score.scoredAtMs = nowMs
  }
  score.firstSeenMs = Math.min(score.firstSeenMs, atMs)
  score.lastSeenMs = Math.max(score.lastSeenMs, atMs)
  rememberRecent(score.recentMs, atMs)
}

function rememberRecent(recentMs: number[], atMs: number): void {
  let place = recentMs.length
  while (place > 0 && recentMs[place - 1]! > atMs) place--
  recentMs.splice(place, 0, atMs)
  if (recentMs.length > RECENT_MAX) recentMs.shift()
}

/** The score at a later instant. At an earlier one, it is the stored value. */
export const scoreAt = ({ score, scoredAtMs }: CountryScore, atMs: number): number =>
  atMs <= scoredAtMs ? score : score * 2 ** ((scoredAtMs - atMs) / SCORE_HALF_LIFE_MS)

export const habitAt = ({ habit, scoredAtMs }: CountryScore, atMs: number): number =>
  atMs <= scoredAtMs ? habit : habit * 2 ** ((scoredAtMs - atMs) / HABIT_HALF_LIFE_MS)

export interface RankedCountry {
  readonly country: string
  readonly score: number
  readonly lastSeenMs: number
}

/** Highest score first, then last seen, then by code, so that every node orders alike. */
export function rankCountries(scores: readonly CountryScore[], atMs: number): RankedCountry[] {
  return scores
    .map((score) => ({ ...score, score: scoreAt(score, atMs) }))
    .toSorted(
      (a, b) =>
        b.score - a.score || b.lastSeenMs - a.lastSeenMs || (a.country < b.country ? -1 : 1),
    )
}

/** The scores to drop: faded ones, and all but the ten highest. */
export function fadedCountries(scores: readonly CountryScore[], atMs: number): Set<string> {
  if (scores.length === 1 && scoreAt(scores[0]!, atMs) >= SCORE_MIN) return new Set()
  const ranked = rankCountries(scores, atMs)
  return new Set(
    ranked
      .filter(({ score }, place) => score < SCORE_MIN || place >= COUNTRIES_MAX)
      .map(({ country }) => country),
  )
}

export const windowOf = (atMs: number): number => Math.floor(atMs / WINDOW_MS)

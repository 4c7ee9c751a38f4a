import { DAY_MS } from '@placard/calendar'
/** How much a country has been used lately by one device session. */
export interface CountryScore {
  readonly country: string
  /** As it stood at `scoredAtMs`; it halves every seven days. */
  score: number
  /** The same with a long memory: it halves every thirty days, and tells what is habitual. */
  habit: number
  scoredAtMs: number
  firstSeenMs: number
  lastSeenMs: number
  /** The newest observations, oldest first; as many as a suspicion asks for. */
  recentMs: number[]
}

/** Unknown, private and reserved addresses; never ranked. */
export const NOWHERE = 'ZZ'

export const SCORE_HALF_LIFE_MS = 7 * DAY_MS
export const HABIT_HALF_LIFE_MS = 30 * DAY_MS
export const SLOT_MS = 600_000
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
  /** The first of this session and country in its ten minutes; only such a one weighs. */
  readonly isNewSlot: boolean
}

/** Counts one observation. A late one adds what it would be worth by now: time is never rewound. */
export function addToScore(score: CountryScore, { atMs, isNewSlot }: ScoredObservation): void {
  if (isNewSlot) {
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

/** What the score has come down to. Asked about a moment before, it says what it knows: no more. */
export const scoreAt = ({ score, scoredAtMs }: CountryScore, atMs: number): number =>
  atMs <= scoredAtMs ? score : score * 2 ** ((scoredAtMs - atMs) / SCORE_HALF_LIFE_MS)

export const habitAt = ({ habit, scoredAtMs }: CountryScore, atMs: number): number =>
  atMs <= scoredAtMs ? habit : habit * 2 ** ((scoredAtMs - atMs) / HABIT_HALF_LIFE_MS)

export interface RankedCountry {
  readonly country: string
  readonly score: number
  readonly lastSeenMs: number
}

/** Highest score first; of equals the one seen last, then by code, so that the order is the same everywhere. */
export function rankCountries(scores: readonly CountryScore[], atMs: number): RankedCountry[] {
  return scores
    .map((score) => ({ ...score, score: scoreAt(score, atMs) }))
    .toSorted(
      (a, b) =>
        b.score - a.score || b.lastSeenMs - a.lastSeenMs || (a.country < b.country ? -1 : 1),
    )
}

/** What is not worth keeping: faded scores, and all but the ten highest. */
export function fadedCountries(scores: readonly CountryScore[], atMs: number): Set<string> {
  if (scores.length === 1 && scoreAt(scores[0]!, atMs) >= SCORE_MIN) return new Set()
  const ranked = rankCountries(scores, atMs)
  return new Set(
    ranked
      .filter(({ score }, place) => score < SCORE_MIN || place >= COUNTRIES_MAX)
      .map(({ country }) => country),
  )
}

export const slotOf = (atMs: number): number => Math.floor(atMs / SLOT_MS)

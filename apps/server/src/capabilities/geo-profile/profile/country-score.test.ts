import { DAY_MS } from '@placard/calendar'
import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  addToScore,
  type CountryScore,
  fadedCountries,
  newCountryScore,
  rankCountries,
  scoreAt,
  SCORE_HALF_LIFE_MS,
  WINDOW_MS,
  windowOf,
} from './country-score.ts'
import { FactBook } from './facts.ts'

const START = Date.UTC(2030, 0, 1)

/** The score by the whole history: each ten minutes weigh one, halved every week. */
const slowScore = (times: readonly number[], nowMs: number): number =>
  [...new Set(times.map(windowOf))].reduce(
    (sum, window) => sum + 2 ** ((window * WINDOW_MS - nowMs) / SCORE_HALF_LIFE_MS),
    0,
  )

/** Lets observations arrive in this order, through the facts, as in the worker. */
function arrive(times: readonly number[]): CountryScore {
  const facts = new FactBook(new Map())
  const score = newCountryScore('DE', times[0]!)
  for (const atMs of times) {
    const key = { userId: 'u', deviceSessionId: 's', observedCountry: 'DE', atMs }
    addToScore(score, { atMs, isNewWindow: facts.note(key) })
  }
  return score
}

const times = fc.array(fc.integer({ min: START, max: START + 40 * DAY_MS }), { minLength: 1 })

describe('stage 08: the score of a country', () => {
  test('a country’s score equals that of the whole history, in any order of arrival', () => {
    fc.assert(
      fc.property(times, (times) => {
        const nowMs = Math.max(...times)
        const expected = slowScore(times, nowMs)

        // Either observation of a window may be the counted one: up to ten minutes of decay apart.
        expect(scoreAt(arrive(times), nowMs) / expected).toBeCloseTo(1, 2)
        expect(scoreAt(arrive(times.toReversed()), nowMs) / expected).toBeCloseTo(1, 2)
      }),
    )
  })

  test('a score does not grow with a chatty client: ten minutes count once', () => {
    const chatty = Array.from({ length: 600 }, (_, second) => START + second * 1_000)

    expect(scoreAt(arrive(chatty), START)).toBe(1)
  })

  test('a score halves in seven days', () => {
    expect(scoreAt(arrive([START]), START + 7 * DAY_MS)).toBeCloseTo(0.5)
  })

  test('a late observation adds its current worth, and the score’s time never goes back', () => {
    const score = arrive([START + 7 * DAY_MS, START])

    expect(score.scoredAtMs).toBe(START + 7 * DAY_MS)
    expect(score.score).toBeCloseTo(1.5)
    expect(score.firstSeenMs).toBe(START)
  })
})

const scoreOf = (country: string, score: number, lastSeenMs = START): CountryScore => ({
  ...newCountryScore(country, START),
  score,
  lastSeenMs,
})

describe('stage 08: ranked countries', () => {
  test('equal countries are ordered by last observation, then by code', () => {
    const scores = [scoreOf('FR', 1), scoreOf('DE', 1), scoreOf('VN', 1, START + 1)]

    const ranked = rankCountries(scores, START).map(({ country }) => country)

    expect(ranked).toEqual(['VN', 'DE', 'FR'])
    expect(rankCountries(scores.toReversed(), START).map(({ country }) => country)).toEqual(ranked)
  })

  test('a country below a hundredth is removed, and at most ten stay', () => {
    const many = Array.from({ length: 13 }, (_, i) => scoreOf(`A${String.fromCharCode(65 + i)}`, i))

    expect(fadedCountries([scoreOf('DE', 5), scoreOf('FR', 0.009)], START)).toEqual(new Set(['FR']))
    expect(many.length - fadedCountries(many, START).size).toBe(10)
    expect(fadedCountries([scoreOf('DE', 1)], START + 47 * DAY_MS)).toEqual(new Set(['DE']))
  })
})

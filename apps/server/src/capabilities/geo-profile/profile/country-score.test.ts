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
  SLOT_MS,
  slotOf,
} from './country-score.ts'
import { FactBook } from './facts.ts'

const START = Date.UTC(2030, 0, 1)

/** What a score should be, from the whole history: each ten minutes weigh one, halved every week. */
const slowScore = (times: readonly number[], nowMs: number): number =>
  [...new Set(times.map(slotOf))].reduce(
    (sum, slot) => sum + 2 ** ((slot * SLOT_MS - nowMs) / SCORE_HALF_LIFE_MS),
    0,
  )

/** Lets observations arrive in this order, through the facts, as the worker does. */
function arrive(times: readonly number[]): CountryScore {
  const facts = new FactBook(new Map())
  const score = newCountryScore('DE', times[0]!)
  for (const atMs of times) {
    const key = { userId: 'u', deviceSessionId: 's', observedCountry: 'DE', atMs }
    addToScore(score, { atMs, isNewSlot: facts.note(key) })
  }
  return score
}

const times = fc.array(fc.integer({ min: START, max: START + 40 * DAY_MS }), { minLength: 1 })

describe('stage 08: the score of a country', () => {
  test('is what the whole history says, in whatever order it arrives', () => {
    fc.assert(
      fc.property(times, (times) => {
        const nowMs = Math.max(...times)
        const expected = slowScore(times, nowMs)

        // Within a slot either observation may be the one that counts: ten minutes of decay.
        expect(scoreAt(arrive(times), nowMs) / expected).toBeCloseTo(1, 2)
        expect(scoreAt(arrive(times.toReversed()), nowMs) / expected).toBeCloseTo(1, 2)
      }),
    )
  })

  test('does not grow with a chatty client: ten minutes count once', () => {
    const chatty = Array.from({ length: 600 }, (_, second) => START + second * 1_000)

    expect(scoreAt(arrive(chatty), START)).toBe(1)
  })

  test('halves in seven days', () => {
    expect(scoreAt(arrive([START]), START + 7 * DAY_MS)).toBeCloseTo(0.5)
  })

  test('a late observation adds what it is worth by now, and time is not rewound', () => {
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
  test('equals are ordered by who was seen last, then by code', () => {
    const scores = [scoreOf('FR', 1), scoreOf('DE', 1), scoreOf('VN', 1, START + 1)]

    const ranked = rankCountries(scores, START).map(({ country }) => country)

    expect(ranked).toEqual(['VN', 'DE', 'FR'])
    expect(rankCountries(scores.toReversed(), START).map(({ country }) => country)).toEqual(ranked)
  })

  test('what has faded below a hundredth goes, and never more than ten stay', () => {
    const many = Array.from({ length: 13 }, (_, i) => scoreOf(`A${String.fromCharCode(65 + i)}`, i))

    expect(fadedCountries([scoreOf('DE', 5), scoreOf('FR', 0.009)], START)).toEqual(new Set(['FR']))
    expect(many.length - fadedCountries(many, START).size).toBe(10)
    expect(fadedCountries([scoreOf('DE', 1)], START + 47 * DAY_MS)).toEqual(new Set(['DE']))
  })
})

import { DAY_MS } from '@placard/calendar'
import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { SCORE_HALF_LIFE_MS, WINDOW_MS, windowOf } from './country-score.ts'
import { newUserProfile, observe } from './profile.ts'
import { judgeUsualCountry } from './usual-country.ts'

const START = Date.UTC(2030, 0, 1)

interface Seen {
  readonly country: string
  readonly atMs: number
}

/** The usual country after each observation, as in the worker. */
function follow(history: readonly Seen[]): (string | null)[] {
  const profile = newUserProfile('user-1')
  const counted = new Set<string>()
  return history.map(({ country, atMs }) => {
    const window = `${country} ${windowOf(atMs)}`
    observe(profile, {
      deviceSessionId: 's',
      observedCountry: country,
      atMs,
      isNewWindow: !counted.has(window),
    })
    counted.add(window)
    return profile.sessions.get('s')!.usualConnectionCountry
  })
}

/** The same, computed from the whole history each time. */
function followSlowly(history: readonly Seen[]): (string | null)[] {
  let usual: string | null = null
  return history.map(({ atMs }, place) => {
    const past = history.slice(0, place + 1)
    const isRepeat = past.slice(0, -1).some((seen) => isSameWindow(seen, past.at(-1)!))
    if (isRepeat) return usual
    const weights = new Map<string, number>()
    const counted: Seen[] = []
    for (const seen of past) {
      if (counted.some((other) => isSameWindow(other, seen))) continue
      counted.push(seen)
      const weight = 2 ** ((seen.atMs - atMs) / SCORE_HALF_LIFE_MS)
      weights.set(seen.country, (weights.get(seen.country) ?? 0) + weight)
    }
    const ranked = [...weights]
      .map(([country, score]) => ({ country, score, lastSeenMs: 0 }))
      .toSorted((a, b) => b.score - a.score)
    usual = judgeUsualCountry(ranked, usual)
    return usual
  })
}

const isSameWindow = (a: Seen, b: Seen) =>
  a.country === b.country && windowOf(a.atMs) === windowOf(b.atMs)

const daily = (country: string, from: number, days: number): Seen[] =>
  Array.from({ length: days }, (_, day) => ({ country, atMs: START + (from + day) * DAY_MS }))

describe('stage 09: usual_connection_country', () => {
  test('one stable country is set once there is enough, and then stays', () => {
    const usual = follow(daily('DE', 0, 30))

    expect(usual.indexOf('DE')).toBe(3)
    expect(usual.slice(3)).toEqual(usual.slice(3).map(() => 'DE'))
  })

  test('a gradual shift changes it once', () => {
    const usual = follow([...daily('DE', 0, 20), ...daily('FR', 20, 30)])

    const changes = usual.filter((country, place) => place > 0 && country !== usual[place - 1])
    expect(changes).toEqual(['DE', 'FR'])
  })

  test('alternating countries keep the current one', () => {
    const alternating = Array.from({ length: 40 }, (_, i) => ({
      country: i % 2 === 0 ? 'FR' : 'DE',
      atMs: START + (10 + i / 2) * DAY_MS,
    }))

    const usual = follow([...daily('DE', 0, 10), ...alternating])

    expect(new Set(usual.slice(10))).toEqual(new Set(['DE']))
  })

  test('sparse activity sets nothing', () => {
    const sparse = Array.from({ length: 10 }, (_, i) => ({
      country: 'DE',
      atMs: START + i * 10 * DAY_MS,
    }))

    expect(new Set(follow(sparse))).toEqual(new Set([null]))
  })

  test('a lead of exactly 20 % is enough, and anything less is not', () => {
    const ranked = (second: number) => [
      { country: 'DE', score: 5, lastSeenMs: START },
      { country: 'FR', score: second, lastSeenMs: START },
    ]

    expect(judgeUsualCountry(ranked(4), null)).toBe('DE')
    expect(judgeUsualCountry(ranked(4.01), null)).toBeNull()
  })

  test('a random walk gives the same result as the whole history', () => {
    const step = fc.record({
      country: fc.constantFrom('DE', 'FR', 'VN'),
      waitMs: fc.integer({ min: 1, max: 2 * DAY_MS }),
    })
    fc.assert(
      fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
        let atMs = START
        const history = steps.map(({ country, waitMs }) => ({ country, atMs: (atMs += waitMs) }))

        expect(follow(history)).toEqual(followSlowly(history))
      }),
    )
  })
})

test('a window is ten minutes', () => {
  expect(windowOf(START + WINDOW_MS) - windowOf(START)).toBe(1)
})

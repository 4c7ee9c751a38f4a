import { DAY_MS } from '@placard/calendar'
import { describe, expect, test } from 'vitest'
import { seededDraws } from '../random.ts'
import { betaDraw, betaMean, gammaDraw } from './beta.ts'
import { addFeedback, blendedPosterior, decayed, RANKER_DEFAULTS, rankerWeight } from './ranker.ts'
import { type Arm, pickArm } from './thompson.ts'

function moments(draw: () => number, count = 40_000) {
  let sum = 0
  let squares = 0
  for (let one = 0; one < count; one++) {
    const value = draw()
    sum += value
    squares += value * value
  }
  const mean = sum / count
  return { mean, variance: squares / count - mean * mean }
}

test.each([0.3, 1, 4, 50])('a gamma of shape %d has that mean and that variance', (shape) => {
  const draws = seededDraws(7)
  const { mean, variance } = moments(() => gammaDraw(shape, draws))

  expect(mean / shape).toBeCloseTo(1, 1)
  expect(variance / shape).toBeGreaterThan(0.94)
  expect(variance / shape).toBeLessThan(1.06)
})

test.each([
  { a: 1, b: 1 },
  { a: 3, b: 40 },
  { a: 0.5, b: 0.5 },
])('a beta of $a and $b has its mean and variance, inside 0 and 1', ({ a, b }) => {
  const draws = seededDraws(9)
  const { mean, variance } = moments(() => {
    const rate = betaDraw({ a, b }, draws)
    expect(rate > 0 && rate < 1).toBe(true)
    return rate
  })
  const expected = (a * b) / ((a + b) ** 2 * (a + b + 1))

  expect(mean / betaMean({ a, b })).toBeCloseTo(1, 1)
  expect(variance / expected).toBeGreaterThan(0.94)
  expect(variance / expected).toBeLessThan(1.06)
})

const site = (impressions: number) => ({ impressions, clicks: 0, revenue: 0, atMs: 0 })

describe('the ranker', () => {
  const score = { impressions: 400, clicks: 20, revenue: 8, atMs: 0 }

  test('evidence counts half after a half-life, and reading does not change it', () => {
    const later = decayed(score, 7 * DAY_MS)

    expect(later).toEqual({ impressions: 200, clicks: 10, revenue: 4, atMs: 0 })
    expect(decayed(score, 7 * DAY_MS)).toEqual(later)
    expect(decayed(score, 15 * DAY_MS).impressions).toBe(0)
  })

  test('feedback is added to the decayed evidence, as of now', () => {
    const batch = { impressions: 10, clicks: 1, revenue: 0, atMs: 7 * DAY_MS }

    expect(addFeedback(score, batch)).toEqual({
      impressions: 210,
      clicks: 11,
      revenue: 4,
      atMs: 7 * DAY_MS,
    })
    expect(addFeedback(undefined, batch)).toEqual(batch)
  })

  test('a late batch does not turn back the time of a score', () => {
    const early = { impressions: 1, clicks: 0, revenue: 0, atMs: -5_000 }

    expect(addFeedback(score, early).atMs).toBe(0)
  })

  test('evidence of all sites supplements a site until it has 100 impressions', () => {
    const everywhere = { impressions: 1_000, clicks: 100, revenue: 0, atMs: 0 }
    const at = (impressions: number) =>
      betaMean(blendedPosterior(site(impressions), everywhere, { nowMs: 0 }))

    expect(at(0)).toBeCloseTo(101 / 1_002, 12)
    expect(blendedPosterior(site(20), everywhere, { nowMs: 0 })).toEqual({ a: 51, b: 461 })
    expect(at(99)).toBeGreaterThan(0.05)
    expect(at(100)).toBeCloseTo(1 / 102, 12)
    expect(blendedPosterior(undefined, undefined, { nowMs: 0 })).toEqual(RANKER_DEFAULTS.prior)
  })

  test('the ranker finds the better category and recovers when the two swap', () => {
    const draws = seededDraws(12)
    const settings = { ...RANKER_DEFAULTS, halfLifeMs: 2_000, ageMaxMs: 1e9 }
    const scores = [undefined, undefined] as (typeof score | undefined)[]
    const shares = [0, 0, 0]
    for (let now = 0; now < 18_000; now++) {
      const weights = scores.map((one) =>
        rankerWeight(blendedPosterior(one, one, { nowMs: now, settings }), draws),
      )
      const pick = weights[0]! > weights[1]! ? 0 : 1
      const rates = now < 6_000 ? [0.1, 0.02] : [0.02, 0.1]
      const clicks = draws.next() < rates[pick]! ? 1 : 0
      const batch = { impressions: 1, clicks, revenue: 0, atMs: now }
      scores[pick] = addFeedback(scores[pick], batch, settings)
      if (rates[pick] === 0.1) shares[Math.floor(now / 6_000)]!++
    }

    expect(shares[0]! / 6_000).toBeGreaterThan(0.85)
    expect(shares[2]! / 6_000).toBeGreaterThan(0.85)
  })
})

const arm = (change: Partial<Arm>): Arm => ({
  impressions: 100,
  clicks: 5,
  cpm: 2,
  categoryScore: 0.5,
  ...change,
})
const shares = (arms: Arm[], rounds = 4_000) => {
  const draws = seededDraws(4)
  const picks = arms.map(() => 0)
  for (let round = 0; round < rounds; round++) picks[pickArm(arms, draws)]!++
  return picks.map((count) => count / rounds)
}

describe('choosing an arm', () => {
  test('without arms there is no choice', () => {
    expect(pickArm([], seededDraws(1))).toBe(-1)
  })

  test('arms that were never shown are chosen by category', () => {
    const [good, bad] = shares([
      arm({ impressions: 0, clicks: 0, categoryScore: 0.9 }),
      arm({ impressions: 0, clicks: 0, categoryScore: 0.2 }),
    ])
    expect([good, bad]).toEqual([1, 0])
  })

  test('among arms with little evidence, the least shown is chosen', () => {
    expect(shares([arm({ impressions: 4 }), arm({ impressions: 3 })])).toEqual([0, 1])
  })

  test('a new arm among known ones gets at least its share of trials', () => {
    const [newcomer] = shares([
      arm({ impressions: 0, clicks: 0, categoryScore: 0 }),
      arm({ impressions: 5_000, clicks: 500 }),
    ])
    expect(newcomer).toBeGreaterThan(0.27)
    expect(newcomer).toBeLessThan(0.45)
  })

  test('among known arms the better one is nearly always chosen, and among equals the higher CPM', () => {
    const [better] = shares([
      arm({ impressions: 2_000, clicks: 100 }),
      arm({ impressions: 2_000, clicks: 40 }),
    ])
    expect(better).toBeGreaterThan(0.99)
    const [dear] = shares([
      arm({ cpm: 9, impressions: 2_000 }),
      arm({ cpm: 1, impressions: 2_000 }),
    ])
    expect(dear).toBeGreaterThan(0.8)
  })
})

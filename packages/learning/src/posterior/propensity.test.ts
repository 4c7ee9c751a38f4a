import { describe, expect, test } from 'vitest'
import { seededDraws } from '../random.ts'
import { propensityOf } from './propensity.ts'
import { type Arm, pickArm } from './thompson.ts'

const arm = (impressions: number, clicks: number, given: Partial<Arm> = {}): Arm => ({
  impressions,
  clicks,
  cpm: 2,
  categoryScore: 0.5,
  ...given,
})

const ROUNDS = 20_000

/** Share of each arm in many choices. */
function sharesOf(arms: readonly Arm[]): readonly number[] {
  const draws = seededDraws(5)
  const picks = arms.map(() => 0)
  for (let round = 0; round < ROUNDS; round++) picks[pickArm(arms, draws)]!++
  return picks.map((count) => count / ROUNDS)
}

describe('the propensity of a choice', () => {
  test('is 1 for a single arm and for the least shown of arms with little evidence', () => {
    expect(propensityOf([arm(100, 3)], 0)).toBe(1)
    expect(propensityOf([arm(4, 0), arm(3, 0)], 1)).toBe(1)
  })

  test.each([
    ['all known', [arm(400, 12), arm(500, 10), arm(300, 9)]],
    ['some dearer', [arm(400, 12, { cpm: 6 }), arm(500, 20, { cpm: 1 })]],
    ['never shown', [arm(0, 0), arm(0, 0, { categoryScore: 0.45 })]],
    ['one newcomer', [arm(0, 0, { categoryScore: 0.02 }), arm(900, 30), arm(800, 20)]],
  ])('%s: is close to the share of choices', (_, arms) => {
    const shares = sharesOf(arms)

    for (const [at, share] of shares.entries()) {
      expect(Math.abs(propensityOf(arms, at) - share)).toBeLessThan(0.12)
    }
  })

  test('is never 0', () => {
    expect(propensityOf([arm(5_000, 500), arm(5_000, 1)], 1)).toBeGreaterThan(0)
  })

  test('adds up to about 1 over all arms', () => {
    const arms = [arm(400, 12), arm(0, 0), arm(300, 9)]
    const sum = arms.reduce((sum, _, at) => sum + propensityOf(arms, at), 0)

    expect(sum).toBeGreaterThan(0.9)
    expect(sum).toBeLessThan(1.1)
  })
})

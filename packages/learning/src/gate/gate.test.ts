import { describe, expect, test } from 'vitest'
import { joinAuctions, requestsPerWindow } from '../bidding/auctions.ts'
import type { Policy } from '../bidding/policy.ts'
import { replayDay } from '../bidding/replay.ts'
import { ResidualAgent } from '../bidding/residual-agent.ts'
import { ReSolve } from '../bidding/re-solve.ts'
import { curveOf } from '../bidding/spend-curve.ts'
import { forecastTraffic } from '../bidding/traffic-forecast.ts'
import { seededDraws } from '../random.ts'
import { BID_MAX, marketDay } from '../testing/market.ts'
import { judgeGate, type ReplayedDay, sayJudgement, studentQuantile } from './gate.ts'
import { moveOn } from './ramp.ts'

const days = [1, 2, 3, 4, 5, 6, 7].map((seed) => marketDay({ count: 4_000, seed }))

/** Replays each recent day with both policies and the history of the other days. */
function replayBoth(policyOn: (base: ReSolve) => Policy): ReplayedDay[] {
  return days.map((day) => {
    const others = days.filter((one) => one !== day)
    const curve = curveOf(joinAuctions(others), BID_MAX)
    const traffic = forecastTraffic(others.map((one) => requestsPerWindow(one)))
    const rules = { budget: 20_000, bidMax: BID_MAX, traffic }
    return {
      base: replayDay(day, new ReSolve(curve), rules).value,
      policy: replayDay(day, policyOn(new ReSolve(curve)), rules).value,
    }
  })
}

describe('the gate', () => {
  test('refuses a policy that is worse on purpose', () => {
    let window = 0
    const swings = (base: ReSolve) => new ResidualAgent(base, () => (window++ % 20 < 10 ? 0 : 4))

    const judgement = judgeGate(replayBoth(swings))

    expect(judgement.verdict).toBe('worse')
    expect(judgement.high).toBeLessThan(-0.005)
    expect(sayJudgement(judgement)).toMatch(/^Worse: -\d/)
  })

  test('accepts a policy that bids like the base policy', () => {
    const judgement = judgeGate(replayBoth((base) => base))

    expect(judgement).toEqual({ verdict: 'as-good', days: 7, gain: 0, low: 0, high: 0 })
    expect(sayJudgement(judgement)).toBe(
      'At least as good: +0.0 % against the base on 7 days (+0.0 % to +0.0 %).',
    )
  })

  test('leaves a noisy difference undecided', () => {
    const noisy = [0.8, 1.3, 0.9, 1.2, 0.85, 1.1].map((policy) => ({ base: 1, policy }))

    expect(judgeGate(noisy).verdict).toBe('undecided')
  })

  test('does not judge few days, or days without value', () => {
    expect(judgeGate([{ base: 1, policy: 2 }]).verdict).toBe('too-few-days')
    const empty = Array.from({ length: 9 }, () => ({ base: 0, policy: 0 }))
    expect(judgeGate(empty).verdict).toBe('too-few-days')
  })

  test('accepts a policy that is worse than tolerated in at most 5 % of the cases', () => {
    const draws = seededDraws(3)
    let passed = 0
    for (let round = 0; round < 2_000; round++) {
      const log = Array.from({ length: 6 }, () => ({
        base: 1,
        policy: 1 - 0.005 + 0.02 * (draws.next() + draws.next() + draws.next() - 1.5),
      }))
      if (judgeGate(log).verdict === 'as-good') passed++
    }
    expect(passed / 2_000).toBeLessThan(0.065)
    expect(passed / 2_000).toBeGreaterThan(0.03)
  })
})

test.each([
  [0.95, 4, 2.132],
  [0.95, 9, 1.833],
  [0.975, 30, 2.042],
  [0.995, 8, 3.355],
])("Student's t at %d with %d degrees is %d", (probability, degrees, quantile) => {
  expect(studentQuantile(probability, degrees)).toBeCloseTo(quantile, 1.7)
})

describe('the ramp', () => {
  test('goes from 1 to 5, 25 and 100 %, one verdict at a time', () => {
    let state = { share: 0, judged: 0 }
    const shares = [0, 1, 2, 3, 4].map(() => {
      state = moveOn(state, 'as-good').state
      return state.share
    })

    expect(shares).toEqual([0.01, 0.05, 0.25, 1, 1])
  })

  test('waits for the required number of verdicts', () => {
    const first = moveOn({ share: 0.05, judged: 0 }, 'as-good', 2)
    expect(first).toEqual({ move: 'stay', state: { share: 0.05, judged: 1 } })
    expect(moveOn(first.state, 'as-good', 2).move).toBe('up')
  })

  test('rolls back from any share, and stays at 0 until the gate accepts the policy', () => {
    const out = { move: 'roll-back', state: { share: 0, judged: 0 } }
    for (const share of [0.01, 0.05, 0.25, 1]) {
      expect(moveOn({ share, judged: 3 }, 'worse')).toEqual(out)
    }
    expect(moveOn(out.state, 'worse').move).toBe('stay')
    expect(moveOn(out.state, 'undecided').state.share).toBe(0)
    expect(moveOn(out.state, 'too-few-days').move).toBe('stay')
  })
})

import { describe, expect, test } from 'vitest'
import { seededDraws } from '../random.ts'
import { BID_MAX, marketDay } from '../testing/market.ts'
import { joinAuctions, requestsPerWindow } from './auctions.ts'
import { Dual, Pid } from './controllers.ts'
import { hindsight } from './hindsight.ts'
import { Fixed, Throttle } from './plain-policies.ts'
import type { Policy } from './policy.ts'
import { replayDay } from './replay.ts'
import { NO_RESIDUAL, ResidualAgent, RESIDUALS } from './residual-agent.ts'
import { ReSolve } from './re-solve.ts'
import { curveOf, lnMultiplierFor, scaleCurve } from './spend-curve.ts'
import { forecastTraffic } from './traffic-forecast.ts'

const past = [1, 2].map((seed) => marketDay({ count: 12_000, seed }))
const today = marketDay({ count: 12_000, seed: 3, priceScale: 1.15 })
const curve = curveOf(joinAuctions(past), BID_MAX)
const traffic = forecastTraffic(past.map((day) => requestsPerWindow(day)))
const budget = 60_000
const start = Math.exp(lnMultiplierFor(curve, budget / 12_000))

function judge(policy: Policy) {
  const outcome = replayDay(today, policy, { budget, bidMax: BID_MAX, traffic })
  return { ...outcome, R: outcome.value / hindsight(today, budget).whole }
}

describe('re-solve', () => {
  test('wins nearly as much as hindsight, and spends the budget in step with the traffic', () => {
    const { R, spend, maxDeviation, lost } = judge(new ReSolve(curve))

    expect(R).toBeGreaterThan(0.97)
    expect(spend / budget).toBeGreaterThan(0.97)
    expect(maxDeviation).toBeLessThan(0.08)
    expect(lost).toBeLessThan(0.05)
  })

  test.each([1 / 4, 4])(
    'corrects a history that is wrong by a factor of %d within the day',
    (factor) => {
      const { R } = judge(new ReSolve(scaleCurve(curve, factor)))

      expect(R).toBeGreaterThan(0.93)
      expect(R).toBeGreaterThan(judge(new Fixed(start * factor)).R + 0.2)
    },
  )

  test('follows a market that halves its prices at noon', () => {
    const half = marketDay({ count: 12_000, seed: 3 })
    for (let at = 0; at < half.count; at++) {
      if (half.window[at]! >= 48) half.price[at] = Math.round(half.price[at]! / 2)
    }
    const rules = { budget, bidMax: BID_MAX, traffic }
    const { spend, lost } = replayDay(half, new ReSolve(curve), rules)

    expect(spend / budget).toBeGreaterThan(0.95)
    expect(lost).toBeLessThan(0.08)
  })

  test('keeps to its budget if traffic stops at noon or comes in one burst', () => {
    for (const shape of [(w: number) => (w < 48 ? 1 : 0), (w: number) => (w === 70 ? 1 : 0.001)]) {
      const day = marketDay({ count: 12_000, seed: 5, shape })
      const { spend } = replayDay(day, new ReSolve(curve), { budget, bidMax: BID_MAX, traffic })

      expect(spend).toBeGreaterThan(0)
      expect(spend).toBeLessThanOrEqual(budget)
    }
  })
})

test('no policy spends more than the budget', () => {
  const policies: Policy[] = [
    new Fixed(Infinity),
    new Throttle(2 * start, seededDraws(1)),
    new Dual({ start, rate: 0.1 }),
    new Pid(start),
    new ReSolve(curve),
    new ResidualAgent(new ReSolve(curve), () => RESIDUALS.length - 1),
  ]
  for (const policy of policies) expect(judge(policy).spend).toBeLessThanOrEqual(budget)
})

test('changing the bid wins more than throttling, and feedback wins more than none', () => {
  const reSolve = judge(new ReSolve(curve)).R

  expect(reSolve).toBeGreaterThan(judge(new Throttle(2 * start, seededDraws(1))).R + 0.1)
  expect(reSolve).toBeGreaterThan(judge(new Fixed(start)).R)
  expect(judge(new Dual({ start, rate: 0.1 })).R).toBeGreaterThan(0.9)
  expect(judge(new Pid(start)).R).toBeGreaterThan(0.9)
})

describe('the residual', () => {
  test('without a residual, the agent makes the same bids as the base policy', () => {
    expect(judge(new ResidualAgent(new ReSolve(curve), () => NO_RESIDUAL)).value).toBe(
      judge(new ReSolve(curve)).value,
    )
  })

  test('keeps the bid within about a third of the base policy, whatever the network says', () => {
    const draws = seededDraws(2)
    const base = new ReSolve(curve)
    const agent = new ResidualAgent(base, () => Math.floor(draws.next() * RESIDUALS.length))
    agent.begin({ budget, windows: 96, traffic })
    for (let window = 0; window < 96; window++) {
      const own = Math.log(agent.multiplier)
      const kept = base.residual
      base.residual = 0
      expect(Math.abs(own - Math.log(base.multiplier))).toBeLessThanOrEqual(0.35 + 1e-12)
      base.residual = kept
      agent.observe({ requests: 120, wins: 10, spend: 500, value: 0.1, clicks: 0 })
    }
  })

  test('all inputs are small ratios', () => {
    const seen: number[] = []
    const agent = new ResidualAgent(new ReSolve(curve), (state) => {
      seen.push(...state)
      return NO_RESIDUAL
    })
    judge(agent)

    expect(seen.every((input) => Math.abs(input) <= 3)).toBe(true)
  })

  test('the base policy takes the agent’s bids into account', () => {
    const low = judge(new ResidualAgent(new ReSolve(curve), () => 0))

    expect(low.spend / budget).toBeGreaterThan(0.93)
  })
})

import { describe, expect, test } from 'vitest'
import { WINDOWS_PER_DAY } from './auctions.ts'
import { Fixed } from './plain-policies.ts'
import { forecastTraffic } from './traffic-forecast.ts'
import { LimitedPolicy } from './limited-policy.ts'

const BUDGET = 9_600
const even = new Float64Array(WINDOWS_PER_DAY).fill(100)

/** An agent that wants to bid ten times its maximum, from the first window. */
function greedy({ usualSpend = 0, requests = even } = {}): LimitedPolicy {
  const agent = new LimitedPolicy(new Fixed(10), { min: 0.1, max: 1, usualSpend })
  agent.begin({
    budget: BUDGET,
    windows: WINDOWS_PER_DAY,
    traffic: forecastTraffic([requests, requests]),
  })
  return agent
}

const windowOf = (spend: number, requests = 100) => ({
  requests,
  wins: spend,
  spend,
  value: 0,
  clicks: 0,
})

describe('the brake', () => {
  test('lets a window spend twice its planned share of the remaining budget', () => {
    const agent = greedy()
    expect(agent.spendMax).toBeCloseTo(200)

    for (let window = 0; window < 48; window++) agent.observe(windowOf(0))
    expect(agent.spendMax).toBeCloseTo(400)
  })

  test('stops a replayed window at its limit, and the next window continues', () => {
    const agent = greedy()
    expect(agent.bid(0.5)).toBe(0.5)
    agent.paid(201)
    expect(agent.bid(0.5)).toBe(-1)

    agent.observe(windowOf(201))
    expect(agent.bid(0.5)).toBe(0.5)
  })

  test('allows some spend where no traffic is planned, so that a quiet night still serves', () => {
    const requests = even.map((count, window) => (window < 24 ? 0 : count))
    const agent = greedy({ requests })

    expect(agent.spendMax).toBeGreaterThanOrEqual(BUDGET / 100)
  })

  test('never allows more than the remaining budget', () => {
    const agent = greedy()
    for (let window = 0; window < WINDOWS_PER_DAY; window++) {
      expect(agent.spendMax).toBeLessThanOrEqual(BUDGET)
      agent.observe(windowOf(agent.spendMax))
    }
    expect(agent.spendMax).toBe(0)
  })
})

describe('the lift', () => {
  const spendOf = (agent: LimitedPolicy, perWindow: number) => {
    for (let window = 0; window < 24; window++) agent.observe(windowOf(perWindow))
    return agent
  }

  test('grows with how far a campaign is behind its usual day', () => {
    const usualSpend = BUDGET
    expect(spendOf(greedy({ usualSpend }), 100).lift).toBe(1)
    const little = spendOf(greedy({ usualSpend }), 90).lift
    const much = spendOf(greedy({ usualSpend }), 0).lift

    expect(little).toBeGreaterThan(1.2)
    expect(much).toBeGreaterThan(little)
    expect(much).toBeCloseTo(3)
  })

  test('never raises the price above the maximum bid', () => {
    expect(spendOf(greedy({ usualSpend: BUDGET }), 0).multiplier).toBe(1)
  })

  test('is 1 for campaigns without a known usual day', () => {
    expect(spendOf(greedy(), 0).lift).toBe(1)
  })
})

test('the multiplier moves in steps of at most 15 %, and stays within the limits of the campaign', () => {
  const wanted = new Fixed(0.5)
  const moving = {
    wanted: 0.5,
    get multiplier() {
      return this.wanted
    },
    begin: () => wanted.begin(),
    bid: (pctr: number) => wanted.bid(pctr),
    observe: () => wanted.observe(),
  }
  const agent = new LimitedPolicy(moving, { min: 0.1, max: 1, usualSpend: 0 })
  agent.begin({ budget: BUDGET, windows: WINDOWS_PER_DAY, traffic: forecastTraffic([even]) })
  expect(agent.multiplier).toBe(0.5)

  moving.wanted = 9
  agent.observe(windowOf(0))
  expect(agent.multiplier).toBeCloseTo(0.5 * Math.exp(0.15))
  for (let window = 0; window < 20; window++) agent.observe(windowOf(0))
  expect(agent.multiplier).toBe(1)

  moving.wanted = 0
  for (let window = 0; window < 40; window++) agent.observe(windowOf(0))
  expect(agent.multiplier).toBeCloseTo(0.1)
})

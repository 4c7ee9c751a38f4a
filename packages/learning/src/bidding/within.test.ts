import { describe, expect, test } from 'vitest'
import { WINDOWS_PER_DAY } from './auctions.ts'
import { Fixed } from './plain-policies.ts'
import { forecastTraffic } from './traffic-forecast.ts'
import { Within } from './within.ts'

const BUDGET = 9_600
const even = new Float64Array(WINDOWS_PER_DAY).fill(100)

/** Wants ten times what it may bid, from the first window on. */
function greedy({ usualSpend = 0, requests = even } = {}): Within {
  const agent = new Within(new Fixed(10), { min: 0.1, max: 1, usualSpend })
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
  test('lets a window spend twice what is planned for it, of what is left', () => {
    const agent = greedy()
    expect(agent.spendMax).toBeCloseTo(200)

    for (let window = 0; window < 48; window++) agent.observe(windowOf(0))
    expect(agent.spendMax).toBeCloseTo(400)
  })

  test('stops a replayed window there, and the next one goes on', () => {
    const agent = greedy()
    expect(agent.bid(0.5)).toBe(0.5)
    agent.paid(201)
    expect(agent.bid(0.5)).toBe(-1)

    agent.observe(windowOf(201))
    expect(agent.bid(0.5)).toBe(0.5)
  })

  test('leaves room where no traffic is planned: a quiet night is no blackout', () => {
    const requests = even.map((count, window) => (window < 24 ? 0 : count))
    const agent = greedy({ requests })

    expect(agent.spendMax).toBeGreaterThanOrEqual(BUDGET / 100)
  })

  test('never lets through more than is left', () => {
    const agent = greedy()
    for (let window = 0; window < WINDOWS_PER_DAY; window++) {
      expect(agent.spendMax).toBeLessThanOrEqual(BUDGET)
      agent.observe(windowOf(agent.spendMax))
    }
    expect(agent.spendMax).toBe(0)
  })
})

describe('the lift', () => {
  const spendOf = (agent: Within, perWindow: number) => {
    for (let window = 0; window < 24; window++) agent.observe(windowOf(perWindow))
    return agent
  }

  test('is for campaigns that are behind their usual day, the further the higher', () => {
    const usualSpend = BUDGET
    expect(spendOf(greedy({ usualSpend }), 100).lift).toBe(1)
    const little = spendOf(greedy({ usualSpend }), 90).lift
    const much = spendOf(greedy({ usualSpend }), 0).lift

    expect(little).toBeGreaterThan(1.2)
    expect(much).toBeGreaterThan(little)
    expect(much).toBeCloseTo(3)
  })

  test('never moves what is paid beyond the maximum', () => {
    expect(spendOf(greedy({ usualSpend: BUDGET }), 0).multiplier).toBe(1)
  })

  test('is not for campaigns that nobody knows a usual day of', () => {
    expect(spendOf(greedy(), 0).lift).toBe(1)
  })
})

test('the multiplier moves in steps of at most 15 percent, and stays within what the campaign allows', () => {
  const wish = new Fixed(0.5)
  const moving = {
    wish: 0.5,
    get multiplier() {
      return this.wish
    },
    begin: () => wish.begin(),
    bid: (pctr: number) => wish.bid(pctr),
    observe: () => wish.observe(),
  }
  const agent = new Within(moving, { min: 0.1, max: 1, usualSpend: 0 })
  agent.begin({ budget: BUDGET, windows: WINDOWS_PER_DAY, traffic: forecastTraffic([even]) })
  expect(agent.multiplier).toBe(0.5)

  moving.wish = 9
  agent.observe(windowOf(0))
  expect(agent.multiplier).toBeCloseTo(0.5 * Math.exp(0.15))
  for (let window = 0; window < 20; window++) agent.observe(windowOf(0))
  expect(agent.multiplier).toBe(1)

  moving.wish = 0
  for (let window = 0; window < 40; window++) agent.observe(windowOf(0))
  expect(agent.multiplier).toBeCloseTo(0.1)
})

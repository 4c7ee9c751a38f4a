import { describe, expect, test } from 'vitest'
import { seededDraws } from '../random.ts'
import { BID_MAX, marketDay } from '../testing/market.ts'
import { requestsPerWindow } from './auctions.ts'
import { replayDay } from './replay.ts'
import { SeedAgent, type SeedFacts, seedReward, seedState } from './seed-agent.ts'
import { SeedPolicy } from './seed-policy.ts'
import { forecastTraffic } from './traffic-forecast.ts'

const facts: SeedFacts = {
  impressions: 50,
  clicks: 2,
  auctions: 200,
  spend: 300,
  budgetLeft: 0.4,
  timeLeft: 0.5,
  cpmMax: 100,
}
const noon = { ...facts, impressions: 0, clicks: 0, auctions: 0, spend: 0 }

describe('the state', () => {
  test('has the eight inputs of the specification', () => {
    expect([...seedState(facts, 1.2)]).toEqual([1.2, 0.04, 0.25, 0.4, 0.5, 1.2, 0.5, 1.5])
  })

  test('an empty window has no rate, half a win rate and no cost', () => {
    expect([...seedState(noon, 1)]).toEqual([1, 0, 0.5, 0.4, 0.5, 1.2, 0, 0])
  })

  test('every input is capped, and the day starts on plan', () => {
    const wild = { ...facts, impressions: 900, spend: 1e6, budgetLeft: -2, timeLeft: 0.9 }
    expect(seedState(wild, 7)[0]).toBe(2)
    expect(seedState(wild, 7)[5]).toBe(3)
    expect(seedState(wild, 7)[6]).toBe(2)
    expect(seedState(wild, 7)[7]).toBe(2)
    expect(seedState({ ...noon, budgetLeft: 1, timeLeft: 1 }, 1)[5]).toBe(1)
  })
})

describe('the reward', () => {
  const fast = { ...facts, budgetLeft: 0, timeLeft: 0.5 }

  test('A punishes spending at more than 1.5 times the planned rate', () => {
    expect(seedReward(facts, 'A')).toBe(2)
    expect(seedReward(fast, 'A')).toBe(2 - 2 * 0.5)
  })

  test('B also punishes spending the budget early', () => {
    expect(seedReward(fast, 'B')).toBe(seedReward(fast, 'A') - 5)
    expect(seedReward({ ...fast, timeLeft: 0.05 }, 'B')).toBe(
      seedReward({ ...fast, timeLeft: 0.05 }, 'A'),
    )
  })

  test('C reduces the reward of clicks won off the plan', () => {
    expect(seedReward(facts, 'C')).toBeCloseTo(2 * 0.8, 12)
    expect(seedReward(fast, 'C')).toBeCloseTo(2 * 0.1 - 5 * 0.5, 12)
  })
})

describe('the agent', () => {
  test('moves in the specified steps and stays between 0.5 and 2', () => {
    const agent = new SeedAgent(seededDraws(3))
    for (let window = 0; window < 100; window++) {
      agent.step(facts)
      expect(agent.multiplier).toBeGreaterThanOrEqual(0.5)
      expect(agent.multiplier).toBeLessThanOrEqual(2)
    }
  })

  test('explores less with each training step, and never in less than 5 % of its choices', () => {
    const agent = new SeedAgent(seededDraws(3))
    for (let window = 0; window < 32; window++) agent.step(facts)
    expect(agent.epsilon).toBe(1)

    agent.step(facts)
    expect(agent.epsilon).toBeCloseTo(0.995, 12)
    agent.epsilon = 0.0502
    agent.step(facts)
    expect(agent.epsilon).toBe(0.05)
  })

  test('a day ends once: the multiplier returns to 1 and the learned weights stay', () => {
    const agent = new SeedAgent(seededDraws(3))
    for (let window = 0; window < 95; window++) agent.step(facts)
    const { dqn, epsilon } = agent.snapshot()

    expect(agent.rollDay(20_000, 3)).toBe(true)
    expect(agent.multiplier).toBe(1)
    agent.multiplier = 1.4
    expect(agent.rollDay(20_000, 3)).toBe(false)
    expect(agent.multiplier).toBe(1.4)
    expect(agent.snapshot()).toMatchObject({ dqn, epsilon })
  })

  test('inference draws no random numbers and learns nothing', () => {
    const agent = new SeedAgent(seededDraws(3))
    for (let window = 0; window < 50; window++) agent.step(facts)
    const before = agent.snapshot()

    const again = new SeedAgent(seededDraws(77))
    again.restore(JSON.parse(JSON.stringify(before)))

    expect(again.infer(facts)).toBe(agent.infer(facts))
    expect(agent.snapshot().dqn).toEqual(before.dqn)
  })

  test('bids through a replayed day', () => {
    const day = marketDay({ count: 3_000, seed: 1 })
    const agent = new SeedAgent(seededDraws(3))
    const policy = new SeedPolicy(agent, { base: 15_000, bidMax: BID_MAX })
    const traffic = forecastTraffic([requestsPerWindow(day)])

    const { spend } = replayDay(day, policy, { budget: 20_000, bidMax: BID_MAX, traffic })

    expect(spend).toBeGreaterThan(0)
    expect(agent.multiplier).toBe(1)
  })
})

import { DAY_MS } from '@placard/calendar'
import { describe, expect, test } from 'vitest'
import { micros } from '@placard/money'
import { turnSwitch } from '../../../platform/switches/store.ts'
import { SWITCHES } from '../../../compose/switches.ts'
import { aServingWorld, startServing } from '../../../testing/worlds/serving-world.ts'
import { actingAt } from './bid-agents.ts'
import { aTargetWorld } from '../../../testing/worlds/target-world.ts'
import { type AgentRow, listAgents, newAgentRow, saveAgent } from './store-agents.ts'

const NOW_MS = Date.parse('2026-06-15T12:00:00Z')
const TODAY = Math.floor(NOW_MS / DAY_MS)

const anAgent = (fields: Partial<AgentRow['state']> = {}): AgentRow => ({
  ...newAgentRow(7),
  state: { aim: 'dqn', base: 're-solve', trial: 'dqn', share: 0.25, judged: 0, ...fields },
  baseMultiplier: 0.8,
  trialMultiplier: 0.6,
  steppedAt: new Date(NOW_MS),
})

const minutesOf = (agent: AgentRow, count = 4_000) =>
  Array.from({ length: count }, (_, minute) =>
    actingAt({ ...agent, steppedAt: new Date(NOW_MS + minute * 60_000) }, NOW_MS + minute * 60_000),
  )

describe('who acts in a minute', () => {
  test('a trial acts in its share of the minutes, the base in the others', () => {
    const minutes = minutesOf(anAgent())
    const trial = minutes.filter(({ multiplier }) => multiplier === 0.6)

    expect(trial.length / minutes.length).toBeCloseTo(0.25, 1)
    expect(minutes.every(({ multiplier }) => multiplier === 0.6 || multiplier === 0.8)).toBe(true)
  })

  test('two campaigns are not on trial in the same minutes', () => {
    const [one, other] = [7, 8].map((campaignKey) =>
      minutesOf({ ...anAgent(), campaignKey }).map(({ multiplier }) => multiplier === 0.6),
    )
    const both = one!.filter((isTrial, minute) => isTrial && other![minute]).length

    expect(both / one!.length).toBeCloseTo(0.25 * 0.25, 1)
  })

  test('a trial at share 0 never acts, at share 1 always', () => {
    expect(minutesOf(anAgent({ share: 0 })).every(({ multiplier }) => multiplier === 0.8)).toBe(
      true,
    )
    expect(minutesOf(anAgent({ share: 1 })).every(({ multiplier }) => multiplier === 0.6)).toBe(
      true,
    )
  })

  test('bids count as booked for a fixed base, and if the agent made no step for an hour', () => {
    const booked = { isLearned: false, multiplier: 1, lift: 1, byTarget: false }

    expect(actingAt(anAgent({ base: 'fixed', share: 0 }), NOW_MS)).toEqual(booked)
    expect(actingAt(anAgent(), NOW_MS + 61 * 60_000)).toEqual(booked)
    expect(actingAt({ ...anAgent(), steppedAt: undefined }, NOW_MS)).toEqual(booked)
  })
})

/** A campaign whose agent halves its bid. */
async function underAgent() {
  const world = await aServingWorld()
  const placement = await world.addPlacement({ mode: 'auction', type: 'feed' })
  const { campaign } = await world.addBidder(placement, 1_000_000n, {
    pricing: 'cpc',
    budgetDailyMicros: micros(9_000_000n),
  })
  const campaignKey = Number(campaign.id)
  const state = { ...anAgent().state, trial: undefined, share: 0 }
  const brake = { day: '2026-06-15', micros: 4_000_000 }
  const agent = { ...anAgent(), campaignKey, state, baseMultiplier: 0.5, brake }
  await saveAgent(world.db, agent, world.deps.clock.now())
  const serving = await startServing(world)
  return {
    ...world,
    serving,
    campaignKey,
    brake: () => serving.budgets.terms.get(campaignKey)!.brake,
    async bid() {
      await serving.untilApplied()
      await serving.serveSlug()
      return serving.recorder.records.at(-1)!.decision.winners[0]!.effectiveBidMicros
    },
  }
}

test('decisions read the multiplier, and the brake replaces Smooth pacing', async () => {
  const world = await underAgent()

  expect(await world.bid()).toBe(500_000)
  expect(world.brake()).toEqual({ day: TODAY, micros: 4_000_000 })
})

test('a lift ranks a bid higher and does not raise its price', async () => {
  const world = await underAgent()
  const agent = (await listAgents(world.db, [world.campaignKey])).get(world.campaignKey)!
  await world.bid()
  const before = world.serving.recorder.records.at(-1)!.decision.winners[0]!

  await saveAgent(world.db, { ...agent, baseLift: 2 }, world.deps.clock.now())

  expect(await world.bid()).toBe(500_000)
  const after = world.serving.recorder.records.at(-1)!.decision.winners[0]!
  expect(after.score).toBeCloseTo(2 * before.score, 6)
  expect(after.chargeMicros).toBe(before.chargeMicros)
})

test('a new multiplier applies to the next decisions, whatever else of the campaign changes', async () => {
  const world = await underAgent()
  const agent = (await listAgents(world.db, [world.campaignKey])).get(world.campaignKey)!

  await saveAgent(world.db, { ...agent, baseMultiplier: 0.75 }, world.deps.clock.now())
  await world.pool.query('update campaigns set priority = 3, version = version + 1')

  expect(await world.bid()).toBe(750_000)
  expect(world.brake()).toEqual({ day: TODAY, micros: 4_000_000 })
})

test('switching learning off restores booked bids and Smooth pacing at once, and on again', async () => {
  const world = await underAgent()
  const setSwitch = (isOn: boolean) =>
    turnSwitch(
      world.db,
      { definitions: SWITCHES, audit: async () => {} },
      { name: 'learning.acting', isOn, note: 'a test', at: world.deps.clock.now(), by: undefined },
    )

  await setSwitch(false)
  expect(await world.bid()).toBe(1_000_000)
  expect(world.brake()).toBeUndefined()

  await setSwitch(true)
  expect(await world.bid()).toBe(500_000)
  expect(world.brake()).toEqual({ day: TODAY, micros: 4_000_000 })
})

test('bids by target follow the predicted conversion rate, and are as booked until it can be predicted', async () => {
  const world = await aTargetWorld()
  const state = { ...anAgent().state, base: 'tcpa', trial: undefined, share: 0 } as const
  const agent = {
    ...anAgent(),
    campaignKey: world.campaignKey,
    state,
    baseMultiplier: 1.2,
    baseLift: 1,
  }
  await saveAgent(world.db, agent, world.deps.clock.now())
  const serving = await startServing(world)
  const winner = async () => {
    await serving.untilApplied()
    await serving.serveSlug()
    return serving.recorder.records.at(-1)!.decision.winners[0]!
  }
  expect((await winner()).effectiveBidMicros).toBe(1_000_000)

  await world.learnConversions()

  const { effectiveBidMicros, conversionRate } = await winner()
  expect(conversionRate).toBeGreaterThan(0.02)
  expect(conversionRate).toBeLessThan(0.11)
  expect(effectiveBidMicros).toBe(Math.floor(1.2 * world.targetMicros * conversionRate!))
})

import { DAY_MS, DAY_SECONDS } from '@placard/calendar'
import { describe, expect, test } from 'vitest'
import { aTargetWorld, type TargetWorld } from '../../../testing/worlds/target-world.ts'
import { budgetDayAt } from './budget-day.ts'
import { judgeAgents } from './operations-judge.ts'
import { stepAgents } from './operations-step.ts'
import { type AgentRow, listAgents, newAgentRow, saveAgent } from './store-agents.ts'
import { listJudgements } from './store-judgements.ts'
import { addWindows, listPastDays } from './store-windows.ts'
import { correctionOf, listTargetFacts } from './target-facts.ts'
import { findAgentCampaign } from './reads-agents.ts'

const agentOf = async ({ db, campaignKey }: TargetWorld): Promise<AgentRow> =>
  (await listAgents(db, [campaignKey])).get(campaignKey)!

const judgementsOf = ({ db, campaignKey }: TargetWorld) => listJudgements(db, campaignKey, 10)

async function judgeNextDay(world: TargetWorld) {
  await world.recordDay(world.deps.clock.now().getTime())
  world.deps.clock.advance(DAY_SECONDS)
  await judgeAgents(world.deps)
}

describe('a campaign with a target cost per action', () => {
  test('is not on trial before purchases can be predicted', async () => {
    const world = await aTargetWorld()
    await world.recordPast(7)

    await judgeAgents(world.deps)

    expect((await agentOf(world)).state).toMatchObject({
      base: 'fixed',
      trial: undefined,
      share: 0,
    })
    expect(await judgementsOf(world)).toEqual([])
  })

  test('bids by target in growing shares of the time, once replayed days say that it meets the target better', async () => {
    const world = await aTargetWorld()
    await world.recordPast(7)
    await world.learnConversions()
    await judgeAgents(world.deps)
    for (let day = 0; day < 4; day++) await judgeNextDay(world)

    const judgements = await judgementsOf(world)
    expect(
      judgements.map(({ policy, move, shareAfter }) => `${policy} ${move} ${shareAfter}`),
    ).toEqual(['tcpa promote 1', 'tcpa up 1', 'tcpa up 0.25', 'tcpa up 0.05', 'tcpa start 0.01'])
    expect((await agentOf(world)).state).toMatchObject({ aim: 'dqn', base: 'tcpa', share: 0 })
  })

  test('keeps past auctions with a predicted conversion rate each, also those of before the model', async () => {
    const world = await aTargetWorld()
    await world.recordPast(7)
    await judgeAgents(world.deps)
    await world.learnConversions()

    await judgeNextDay(world)

    const days = await listPastDays(world.db, { campaignKey: world.campaignKey, day: '2026-06-01' })
    expect(days.filter(({ conversionRates }) => conversionRates !== undefined)).toHaveLength(7)
    const rates = days.at(-1)!.conversionRates!
    expect(rates).toHaveLength(days.at(-1)!.auctions.count)
    expect(Math.max(...rates)).toBeCloseTo(0.1, 1)
    expect(Math.min(...rates)).toBeLessThan(0.04)
  })

  test('gets a multiplier of its target, which its bids follow from the next step on', async () => {
    const world = await aTargetWorld()
    await world.recordPast(7)
    await world.learnConversions()
    await judgeAgents(world.deps)
    await world.recordDay(world.deps.clock.now().getTime(), { until: 8 })

    await stepAgents(world.deps)

    const { trialMultiplier, baseMultiplier, trialLift } = await agentOf(world)
    expect(trialMultiplier).toBeGreaterThan(0.8)
    expect(trialMultiplier).toBeLessThan(3)
    expect([baseMultiplier, trialLift]).toEqual([1, 1])
  })
})

/** It has bid by target for a week. */
async function bidByTarget(world: TargetWorld) {
  await world.recordPast(8)
  await world.learnConversions()
  const nowMs = world.deps.clock.now().getTime()
  for (let back = 8; back > 0; back--) {
    const { day, startMs } = budgetDayAt('UTC', nowMs - back * DAY_MS)
    await addWindows(
      world.db,
      { campaignKey: world.campaignKey, day },
      Array.from({ length: 96 }, (_, window) => ({
        window,
        startsAt: new Date(startMs + window * 900_000),
        requests: 20,
        wins: 10,
        clicks: 0,
        value: 0.02,
        expectedMicros: 0,
        chargedMicros: 0,
        base: 'tcpa' as const,
        trial: undefined,
        share: 0,
        baseMultiplier: 1,
        trialMultiplier: 1,
        baseLift: 1,
        trialLift: 1,
      })),
    )
  }
  const state = { aim: 'dqn', base: 'tcpa', trial: undefined, share: 0, judged: 0 } as const
  await saveAgent(world.db, { ...newAgentRow(world.campaignKey), state }, world.deps.clock.now())
  return new Date(nowMs - 6 * DAY_MS)
}

describe('the safety belt of bids by target', () => {
  test('purchases that do not come take them back to booked bids, in words', async () => {
    const world = await aTargetWorld()
    const since = await bidByTarget(world)
    await world.click({ since, count: 200, purchases: 3, chargeMicros: 400_000 })

    await judgeAgents(world.deps)

    expect((await agentOf(world)).state).toMatchObject({ base: 'fixed', trial: 'tcpa', share: 0 })
    const [judgement] = await judgementsOf(world)
    expect(judgement).toMatchObject({ policy: 'tcpa', move: 'roll-back', shareAfter: 0 })
    expect(judgement!.words).toMatch(
      /Costs too much: -81\.\d % purchases per spend.*\(3 purchases;/,
    )
  })

  test('purchases at about their target let them stay', async () => {
    const world = await aTargetWorld()
    const since = await bidByTarget(world)
    await world.click({ since, count: 200, purchases: 15, chargeMicros: 400_000 })

    await judgeAgents(world.deps)

    expect((await agentOf(world)).state).toMatchObject({ base: 'tcpa', trial: undefined })
  })

  test('bids aim lower where fewer purchases came than were predicted', async () => {
    const world = await aTargetWorld()
    const since = await bidByTarget(world)
    await world.click({ since, count: 400, purchases: 12, chargeMicros: 400_000 })
    const campaign = (await findAgentCampaign(world.db, world.campaignKey))!

    const facts = await listTargetFacts(world.db, [campaign], world.deps.clock.now().getTime())

    const { all, own, correction } = facts.get(world.campaignKey)!
    expect(all).toEqual({ spend: 160_000_000, purchases: 12 })
    expect(own).toMatchObject({ spend: 160_000_000, purchases: 12, targetMicros: 5_000_000 })
    expect(correction).toBeGreaterThan(0.4)
    expect(correction).toBeLessThan(0.95)
  })

  test('a handful of purchases corrects little, and own minutes count before all others', () => {
    const minute = (purchases: number, predicted: number) => ({
      campaignKey: 1,
      minute: 1,
      spend: 1,
      purchases,
      predicted,
    })

    expect(correctionOf([], [])).toBe(1)
    expect(correctionOf([minute(0, 1)], [])).toBeGreaterThan(0.8)
    expect(correctionOf([minute(100, 100)], [minute(60, 100)])).toBeLessThan(0.7)
    expect(correctionOf([minute(1_000, 1)], [minute(1_000, 1)])).toBe(2.5)
  })
})

test('without its target a campaign is back on the way to what was chosen for it', async () => {
  const world = await aTargetWorld()
  await bidByTarget(world)
  await world.pool.query('update campaigns set target_cpa_micros = null')

  await judgeAgents(world.deps)

  expect((await agentOf(world)).state).toMatchObject({
    aim: 'dqn',
    base: 'fixed',
    trial: 're-solve',
  })
})

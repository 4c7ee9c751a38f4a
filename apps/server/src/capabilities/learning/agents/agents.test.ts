import { DAY_SECONDS } from '@placard/calendar'
import { SeedAgent, seededDraws } from '@placard/learning'
import { describe, expect, test } from 'vitest'
import { type AgentWorld, anAgentWorld } from '../../../testing/worlds/agent-world.ts'
import { actsInMinute } from './bid-agents.ts'
import { budgetDayAt } from './budget-day.ts'
import { judgeAgents } from './operations-judge.ts'
import { stepAgents } from './operations-step.ts'
import { sampleAuctions } from './reads-past.ts'
import { type AgentRow, listAgents, newAgentRow, saveAgent } from './store-agents.ts'
import { listJudgements } from './store-judgements.ts'
import { addWindows, listWindows } from './store-windows.ts'

const agentOf = async ({ db, campaignKey }: AgentWorld): Promise<AgentRow> =>
  (await listAgents(db, [campaignKey])).get(campaignKey)!

/** Passes a day: records yesterday and judges it. */
async function judgeNextDay(world: AgentWorld) {
  const { deps } = world
  await world.recordDay(deps.clock.now().getTime())
  deps.clock.advance(DAY_SECONDS)
  await judgeAgents(deps)
}

describe('the gate', () => {
  test('the gate gives a learned policy no traffic before it has seen enough days', async () => {
    const world = await anAgentWorld()
    await world.recordPast(2)

    await judgeAgents(world.deps)

    expect((await agentOf(world)).state).toMatchObject({ base: 'fixed', share: 0 })
    const [judgement] = await listJudgements(world.db, world.campaignKey, 5)
    expect(judgement).toMatchObject({ verdict: 'too-few-days', move: 'stay' })
    expect(judgement!.words).toMatch(/too few to judge\. re-solve gets no traffic yet\.$/)
  })

  test('the gate lets re-solve climb from 1 to 100 percent of the time, one step a day, in words', async () => {
    const world = await anAgentWorld()
    await world.recordPast(7)
    await judgeAgents(world.deps)
    for (let day = 0; day < 4; day++) await judgeNextDay(world)

    const judgements = await listJudgements(world.db, world.campaignKey, 10)
    expect(judgements.map(({ move, shareAfter }) => `${move} ${shareAfter}`)).toEqual([
      'promote 1',
      'up 1',
      'up 0.25',
      'up 0.05',
      'start 0.01',
    ])
    expect(judgements[2]!.words).toMatch(
      /^At least as good: \+\d+\.\d % against the base on 7 days .* re-solve goes from 5 % to 25 % of the time\.$/,
    )
    expect((await agentOf(world)).state).toMatchObject({
      base: 're-solve',
      trial: undefined,
      share: 0,
    })
    expect(world.deps.audited.map(({ action }) => action)).toEqual(
      Array.from({ length: 5 }, () => 'move-bid-policy'),
    )
  })

  test('a promoted trial keeps its bids instead of jumping to booked bids', async () => {
    const world = await anAgentWorld()
    await world.recordPast(7)
    await judgeAgents(world.deps)
    for (let day = 0; day < 3; day++) await judgeNextDay(world)
    const agent = await agentOf(world)
    expect(agent.state).toMatchObject({ trial: 're-solve', share: 1 })
    const bids = { trialMultiplier: 0.7, trialLift: 1.4 }
    await saveAgent(world.db, { ...agent, ...bids }, world.deps.clock.now())

    await judgeNextDay(world)

    expect(await agentOf(world)).toMatchObject({
      state: { base: 're-solve' },
      baseMultiplier: 0.7,
      baseLift: 1.4,
    })
  })

  test('the gate judges a campaign once a day, however often it is asked', async () => {
    const world = await anAgentWorld()
    await world.recordPast(7)

    expect(await judgeAgents(world.deps)).toBe(1)
    expect(await judgeAgents(world.deps)).toBe(0)
  })

  test('the gate takes back a policy that is worse on purpose, and the audit log says why', async () => {
    const world = await anAgentWorld()
    await world.recordPast(7)
    const state = {
      aim: 'dqn-seed',
      base: 'fixed',
      trial: 'dqn-seed',
      share: 0.25,
      judged: 0,
    } as const
    const skills = { seed: { snapshot: spendthrift(), memory: [] } }
    const row = { ...newAgentRow(world.campaignKey), state, skills }
    await saveAgent(world.db, row, world.deps.clock.now())

    await judgeAgents(world.deps)

    expect((await agentOf(world)).state).toMatchObject({ base: 'fixed', share: 0 })
    const [judgement] = await listJudgements(world.db, world.campaignKey, 1)
    expect(judgement).toMatchObject({ verdict: 'worse', move: 'roll-back', shareBefore: 0.25 })
    expect(world.deps.audited).toMatchObject([
      {
        action: 'move-bid-policy',
        entityId: world.campaign.publicId,
        before: { policy: 'dqn-seed', share: 0.25 },
        after: { share: 0, why: expect.stringMatching(/^Worse: -\d+.* taken back from 25 %/) },
      },
    ])
  })
})

const aWindow = {
  requests: 20,
  wins: 10,
  clicks: 0,
  value: 0.2,
  expectedMicros: 0,
  chargedMicros: 0,
  base: 'fixed',
  trial: 're-solve',
  baseMultiplier: 1,
  trialMultiplier: 1,
  baseLift: 1,
  trialLift: 1,
} as const

/** Yesterday the trial had half of the minutes and paid three times as much in them. */
async function spendDearly({ db, pool, campaignKey, deps }: AgentWorld) {
  const startMs = deps.clock.now().getTime() - DAY_SECONDS * 1_000
  const { day, startMs: dayStart } = budgetDayAt('UTC', startMs)
  const share = 0.5
  const windows = Array.from({ length: 96 }, (_, window) => ({
    ...aWindow,
    window,
    startsAt: new Date(dayStart + window * 900_000),
    share,
  }))
  await addWindows(db, { campaignKey, day }, windows)
  const minutes = Array.from({ length: 1_440 }, (_, at) => dayStart / 60_000 + at)
  await pool.query(
    `update auctions set winners = jsonb_set(winners, '{0,7}', to_jsonb((winners -> 0 ->> 7)::float8 * 3))
      where jsonb_array_length(winners) > 0 and floor(extract(epoch from auction_time) / 60) = any ($1)`,
    [minutes.filter((minute) => actsInMinute(campaignKey, minute, share))],
  )
  const state = { aim: 'dqn', base: 'fixed', trial: 're-solve', share, judged: 0 } as const
  await saveAgent(db, { ...newAgentRow(campaignKey), state }, deps.clock.now())
}

test('a policy that fell behind in its own minutes is taken back, whatever the replay says', async () => {
  const world = await anAgentWorld()
  await world.recordPast(7)
  await spendDearly(world)

  await judgeAgents(world.deps)

  expect((await agentOf(world)).state).toMatchObject({ base: 'fixed', share: 0 })
  const [judgement] = await listJudgements(world.db, world.campaignKey, 1)
  expect(judgement).toMatchObject({ verdict: 'as-good', move: 'roll-back', shareBefore: 0.5 })
  expect(judgement!.minutes).toBeGreaterThan(20)
  expect(judgement!.liveHigh).toBeLessThan(-0.4)
  expect(world.deps.audited).toMatchObject([
    { after: { share: 0, why: expect.stringMatching(/Fell behind: -\d+.* taken back from 50 %/) } },
  ])
})

test('past auctions are read for all campaigns at once, and each gets its own share', async () => {
  const world = await anAgentWorld()
  const other = await world.addBidder(world.placement, 500_000n, { pricing: 'cpc' })
  await world.recordPast(1)
  const { day } = budgetDayAt('UTC', world.deps.clock.now().getTime() - DAY_SECONDS * 1_000)
  const span = {
    from: new Date(`${day}T00:00:00Z`),
    to: new Date(Date.parse(`${day}T00:00:00Z`) + DAY_SECONDS * 1_000),
  }

  const campaignKeys = [world.campaignKey, Number(other.campaign.id), 999]
  const sampled = await sampleAuctions(world.db, { ...span, campaignKeys, limit: 480 })

  expect([...sampled.values()].map(({ count }) => count)).toEqual([1_920, 1_920, 0])
  const [own, others] = [...sampled.values()].map(({ seen }) => seen)
  expect(own!.length).toBeGreaterThan(380)
  expect(own!.length).toBeLessThan(580)
  expect(others).toEqual(own)
})

/** Weights that raise the bid by 40 %, whatever the input. */
function spendthrift() {
  const { dqn, ...rest } = new SeedAgent(seededDraws(1)).snapshot()
  const always = (network: typeof dqn.online) => ({
    ...network,
    parameters: network.parameters.map((_, at) => (at === network.parameters.length - 1 ? 1 : 0)),
  })
  return {
    ...rest,
    epsilon: 0,
    dqn: { ...dqn, online: always(dqn.online), target: always(dqn.target) },
  }
}

describe('an agent at work', () => {
  async function working(world: AgentWorld) {
    await world.recordPast(7)
    await judgeAgents(world.deps)
    const agent = await agentOf(world)
    const state = { ...agent.state, base: 're-solve', trial: undefined, share: 0 } as const
    await saveAgent(world.db, { ...agent, state }, world.deps.clock.now())
    await world.recordDay(world.deps.clock.now().getTime(), { until: 48 })
  }

  test('an agent records each quarter-hour and sets a multiplier that fits the budget', async () => {
    const world = await anAgentWorld({ daily: 9_000_000n })
    await working(world)

    expect(await stepAgents(world.deps)).toBe(1)

    const windows = await listWindows(world.db, {
      campaignKey: world.campaignKey,
      day: '2026-06-15',
    })
    expect(windows).toHaveLength(48)
    expect(windows[7]).toMatchObject({ window: 7, requests: 20, baseMultiplier: 1 })
    expect(windows[7]!.wins).toBeGreaterThan(3)
    const agent = await agentOf(world)
    expect(agent.baseMultiplier).toBeLessThan(1)
    expect(agent.baseMultiplier).toBeGreaterThan(0.2)
    expect(agent.steppedAt).toEqual(world.deps.clock.now())
  })

  test('an agent that runs twice counts once', async () => {
    const world = await anAgentWorld()
    await working(world)
    await stepAgents(world.deps)
    const before = await agentOf(world)

    await stepAgents(world.deps)

    const after = await agentOf(world)
    expect(after).toEqual({ ...before, version: before.version + 1 })
  })

  test('an agent bids above the maximum of the campaign only if it opted in', async () => {
    const world = await anAgentWorld({ daily: 900_000_000n, max: 1_500_000n })
    await working(world)

    await stepAgents(world.deps)
    expect((await agentOf(world)).baseMultiplier).toBeCloseTo(1.5, 6)

    await world.pool.query('update campaigns set may_exceed_max_bid = true')
    await stepAgents(world.deps)
    expect((await agentOf(world)).baseMultiplier).toBeCloseTo(3, 6)
  })

  test('an agent does not overwrite a concurrent change', async () => {
    const world = await anAgentWorld()
    await working(world)
    const seen = await agentOf(world)
    await saveAgent(world.db, { ...seen, baseMultiplier: 0.7 }, world.deps.clock.now())

    const saved = await saveAgent(
      world.db,
      { ...seen, baseMultiplier: 0.5 },
      world.deps.clock.now(),
    )

    expect(saved).toBe(false)
    expect((await agentOf(world)).baseMultiplier).toBe(0.7)
  })

  test('the dqn-seed agent learns one step per quarter-hour, and resumes after a restart', async () => {
    const world = await anAgentWorld()
    await working(world)
    const agent = await agentOf(world)
    const state = { ...agent.state, aim: 'dqn-seed', base: 'dqn-seed' } as const
    await saveAgent(world.db, { ...agent, state }, world.deps.clock.now())

    for (let quarter = 0; quarter < 3; quarter++) {
      await stepAgents(world.deps)
      world.deps.clock.advance(15 * 60)
    }

    const { seed } = (await agentOf(world)).skills
    expect(seed!.memory).toHaveLength(2)
    expect((await agentOf(world)).baseMultiplier).toBe(Math.min(2, seed!.snapshot.multiplier))
  })
})

import { DAY_MS } from '@placard/calendar'
import { expect, test } from 'vitest'
import { pino } from 'pino'
import { createHttp, type Http } from '../../platform/http/server.ts'
import { actorOf } from '../../testing/world.ts'
import { onTestFinished } from 'vitest'
import { type AgentWorld, anAgentWorld } from '../../testing/worlds/agent-world.ts'
import { aLearningWorld, learnAll } from '../../testing/worlds/learning-world.ts'
import { aTargetWorld } from '../../testing/worlds/target-world.ts'
import { judgeAgents } from './agents/operations-judge.ts'
import { stepAgents } from './agents/operations-step.ts'
import type { LearningDeps } from './operations.ts'
import { learningRoutes } from './routes.ts'

async function serve(deps: LearningDeps): Promise<Http> {
  const http = await createHttp({
    log: pino({ level: 'silent' }),
    ids: deps.ids,
    trustedProxies: [],
    permitsPerMinute: 100,
    identify: async () =>
      actorOf({ id: 1n, kind: 'platform' }, ['campaigns:read', 'campaigns:write', 'decisions:read'])
        .principal,
  })
  await http.register(async (scoped) => learningRoutes(scoped as Http, deps))
  onTestFinished(() => http.close())
  return http
}

const depsOf = ({ deps, campaign }: AgentWorld): LearningDeps => ({
  ...deps,
  getCampaign: async () => ({ id: campaign.id, accountId: 1n, publicId: campaign.publicId }),
})

test('a campaign’s day, its multipliers and the gate’s decisions can be read', async () => {
  const world = await anAgentWorld()
  await world.recordPast(7)
  await judgeAgents(world.deps)
  await world.recordDay(world.deps.clock.now().getTime(), { until: 48 })
  await stepAgents(world.deps)
  const http = await serve(depsOf(world))

  const answer = await http.inject({
    url: `/learning/campaigns/${world.campaign.publicId}`,
    headers: { 'x-api-key': 'a' },
  })

  expect(answer.statusCode).toBe(200)
  expect(answer.json()).toMatchObject({
    policy: 'dqn',
    isActing: true,
    base: 'fixed',
    trial: 're-solve',
    share: 0.01,
    multiplierMax: 2,
    day: '2026-06-15',
    judgements: [{ verdict: 'as-good', move: 'start', shareAfter: 0.01 }],
  })
  const { why, windows, judgements } = answer.json()
  expect(windows).toHaveLength(48)
  expect(windows[3]).toMatchObject({
    window: 3,
    startsAt: '2026-06-15T00:45:00.000Z',
    multiplier: 1,
  })
  const acting = 're-solve bids in 1 % of the minutes, booked bids in the others.'
  expect(why).toBe(`${acting} ${judgements[0].words}`)

  world.deps.clock.advance(3_601)
  const later = await http.inject({
    url: `/learning/campaigns/${world.campaign.publicId}`,
    headers: { 'x-api-key': 'a' },
  })
  expect(later.json()).toMatchObject({
    isActing: false,
    why: 'Bids count as booked: the agent has made no step for an hour.',
  })
})

test('a lower policy acts at once, a higher one waits for the gate, and both are audited', async () => {
  const world = await anAgentWorld()
  await world.recordPast(7)
  await judgeAgents(world.deps)
  const http = await serve(depsOf(world))
  const set = (policy: string) =>
    http.inject({
      method: 'PUT',
      url: `/learning/campaigns/${world.campaign.publicId}`,
      headers: { 'x-api-key': 'a' },
      payload: { policy },
    })

  expect((await set('fixed')).json()).toMatchObject({
    policy: 'fixed',
    base: 'fixed',
    trial: null,
    isActing: false,
    why: 'Bids count as booked, as somebody has decided.',
  })
  expect((await set('dqn-seed')).json()).toMatchObject({
    base: 'fixed',
    trial: 'dqn-seed',
    share: 0,
  })
  expect((await set('greedy')).statusCode).toBe(400)
  expect(world.deps.audited.map(({ action }) => action)).toEqual([
    'move-bid-policy',
    'set-bid-policy',
    'set-bid-policy',
  ])
})

test('a campaign with a target shows what a purchase costs against it, and its bids follow nothing else', async () => {
  const world = await aTargetWorld()
  const http = await serve(depsOf(world))
  const headers = { 'x-api-key': 'a' }
  const url = `/learning/campaigns/${world.campaign.publicId}`
  const read = async () => (await http.inject({ url, headers })).json()
  const set = async (policy: string) =>
    (await http.inject({ method: 'PUT', url, headers, payload: { policy } })).json()

  expect(await read()).toMatchObject({
    policy: 'tcpa',
    isActing: false,
    why: expect.stringMatching(
      /^Bids count as booked\. A bid by target needs predicted conversions/,
    ),
    target: { targetMicros: '5000000', costMicros: null, purchases: 0, correction: 1 },
  })
  expect(await set('re-solve')).toMatchObject({ status: 409, code: 'BID_POLICY_HAS_TARGET' })
  expect(await set('fixed')).toMatchObject({ policy: 'fixed', base: 'fixed', trial: null })
  expect(await set('tcpa')).toMatchObject({ policy: 'tcpa', base: 'fixed' })

  await world.recordPast(7)
  await world.learnConversions()
  const since = new Date(world.deps.clock.now().getTime() - 5 * DAY_MS)
  await world.click({ since, count: 50, purchases: 4, chargeMicros: 500_000 })
  await judgeAgents(world.deps)
  await stepAgents(world.deps)
  const { why, target, judgements } = await read()
  expect(target).toMatchObject({ costMicros: '6250000', spentMicros: '25000000', purchases: 4 })
  expect(judgements).toMatchObject([{ policy: 'tcpa', move: 'start', shareAfter: 0.01 }])
  expect(why).toMatch(/^tcpa bids in 1 % of the minutes, booked bids in the others\./)

  await world.pool.query('update campaigns set target_cpa_micros = null')
  expect(await read()).toMatchObject({ policy: 'dqn', target: null })
  expect(await set('tcpa')).toMatchObject({ status: 409, code: 'BID_POLICY_NEEDS_TARGET' })
})

test('the state of the click model can be read, by placement type too', async () => {
  const world = await aLearningWorld()
  const http = await serve({ ...world.deps, getCampaign: () => Promise.reject(new Error('none')) })
  const read = () => http.inject({ url: '/learning/models', headers: { 'x-api-key': 'a' } })
  expect((await read()).json()).toEqual({ items: [] })

  const { campaign, ad } = world.loved
  const keys = { campaignKey: Number(campaign.id), adKey: Number(ad.id) }
  await world.show({ ...keys, count: 100, clicks: 5 })
  await learnAll(world, world.newLearner(), 100)

  expect((await read()).json()).toMatchObject({
    items: [
      {
        evidence: 'click',
        version: 1,
        lessons: 100,
        isActing: true,
        figures: { verdict: 'too-early' },
        placementTypes: [{ placementType: 'feed', verdict: 'too-early' }],
      },
    ],
  })
})

import { DAY_SECONDS } from '@placard/calendar'
import { expect, test, vi } from 'vitest'
import { startServing } from '../../../testing/worlds/serving-world.ts'
import { turnSwitch } from '../../../platform/switches/store.ts'
import { SWITCHES } from '../../../compose/switches.ts'
import { CONVERSIONS, negativeShareOf } from './evidence.ts'
import { unpackLearned } from './learned.ts'
import { findModel } from './store-models.ts'
import { aLearningWorld, learnAll } from '../../../testing/worlds/learning-world.ts'

type World = Awaited<ReturnType<typeof aLearningWorld>>

const keysOf = ({ campaign, ad }: World['plain']) => ({
  campaignKey: Number(campaign.id),
  adKey: Number(ad.id),
})

/** Readers click the cheaper bidder's ad twenty times as often. */
async function readersChoose(world: World) {
  for (let round = 0; round < 4; round++) {
    await world.show({ ...keysOf(world.plain), count: 500, clicks: 2 })
    await world.show({ ...keysOf(world.loved), count: 500, clicks: 40 })
  }
}

const winnerOf = async (serving: Awaited<ReturnType<typeof startServing>>) => {
  await serving.serveAd({ placementType: 'feed', placement: 'home-top' })
  return serving.recorder.records.at(-1)!.decision.winners[0]!
}

async function switchLearning({ db, deps }: World, isOn: boolean) {
  const how = { definitions: SWITCHES, audit: async () => {} }
  await turnSwitch(db, how, {
    name: 'learning.acting',
    isOn,
    note: 'a test',
    at: deps.clock.now(),
    by: undefined,
  })
}

test('an ad that readers click wins over a higher bid once the model has learned', async () => {
  const world = await aLearningWorld()
  const serving = await startServing(world)
  expect(await winnerOf(serving)).toMatchObject({ key: Number(world.plain.ad.id), ctr: 0.02 })

  await readersChoose(world)
  await learnAll(world, world.newLearner(), 4_000)
  await serving.untilApplied()

  const winner = await winnerOf(serving)
  expect(winner.key).toBe(Number(world.loved.ad.id))
  expect(winner.ctr).toBeGreaterThan(0.03)
  expect(await findModel(world.db, 'click')).toMatchObject({ verdict: 'sound', lessons: 4_000 })
})

test('switched off, the table of rates answers at once; switched on, the model is back', async () => {
  const world = await aLearningWorld()
  const serving = await startServing(world)
  await readersChoose(world)
  await learnAll(world, world.newLearner(), 4_000)
  await serving.untilApplied()
  const learned = await winnerOf(serving)

  await switchLearning(world, false)
  await serving.untilApplied()
  expect(await winnerOf(serving)).toMatchObject({ key: Number(world.plain.ad.id), ctr: 0.02 })

  await switchLearning(world, true)
  await serving.untilApplied()
  expect(await winnerOf(serving)).toMatchObject({ key: learned.key, ctr: learned.ctr })
})

test('a restarted learner resumes from the stored version, and learns nothing twice', async () => {
  const world = await aLearningWorld()
  await world.show({ ...keysOf(world.loved), count: 300, clicks: 30 })
  await learnAll(world, world.newLearner(), 300)
  const before = (await findModel(world.db, 'click'))!

  await world.newLearner().step()
  expect(await findModel(world.db, 'click')).toEqual(before)

  await world.show({ ...keysOf(world.plain), count: 100, clicks: 0 })
  await learnAll(world, world.newLearner(), 400)
  const after = (await findModel(world.db, 'click'))!
  expect(after).toMatchObject({ lessons: 400 })
  expect(after.version).toBeGreaterThan(before.version)
  expect(after.weights.length).toBeGreaterThan(before.weights.length)
})

test('an impression waits for its click, and only valid traffic trains', async () => {
  const world = await aLearningWorld()
  const learner = world.newLearner()
  await world.show({ ...keysOf(world.loved), count: 50, clicks: 50, label: 'bot' })
  await world.show({ ...keysOf(world.loved), count: 20, clicks: 10 })
  world.deps.clock.advance(-200)
  await learner.step()

  world.deps.clock.advance(200)
  await learnAll(world, learner, 20)

  const row = (await findModel(world.db, 'click'))!
  expect(row.lessons).toBe(20)
  expect(row.figures.all.clicks).toBeCloseTo(10, 1)
})

test('a model that is off hands over to the table of rates, and says so', async () => {
  const world = await aLearningWorld()
  const serving = await startServing(world)
  await readersChoose(world)
  await learnAll(world, world.newLearner(), 4_000)
  // Recently it has predicted ten times as many clicks as happened.
  await world.pool.query(
    `update ctr_models set state = jsonb_set(state, '{watch,sums,2}', to_jsonb(1680))`,
  )
  await world.show({ ...keysOf(world.plain), count: 10, clicks: 0 })

  await learnAll(world, world.newLearner(), 4_010)
  await serving.untilApplied()

  expect(world.happened).toContain('sound -> predicts-too-much')
  expect(await winnerOf(serving)).toMatchObject({ key: Number(world.plain.ad.id), ctr: 0.02 })
})

test('a stored model with numbers that are not finite is not used, and is trained anew', async () => {
  const world = await aLearningWorld()
  await readersChoose(world)
  await learnAll(world, world.newLearner(), 4_000)
  const { state, weights } = (await findModel(world.db, 'click'))!
  weights.writeDoubleLE(Number.NaN, 4)
  await world.pool.query('update ctr_models set weights = $1', [weights])
  expect(unpackLearned({ state, weights })).toBeUndefined()
  const serving = await startServing(world)
  expect(await winnerOf(serving)).toMatchObject({ ctr: 0.02 })

  await world.show({ ...keysOf(world.plain), count: 10, clicks: 1 })
  await learnAll(world, world.newLearner(), 4_010)

  expect(world.happened).toContain('broken')
  expect(await findModel(world.db, 'click')).toMatchObject({ lessons: 10 })
})

/** Stores a conversion for these clicks. */
const convert = (
  { pool }: World,
  clicks: readonly { readonly eventId: string }[],
  kind = 'purchase',
) =>
  pool.query(
    `insert into conversion_credits (conversion_id, place, decision_day, touch, touch_event_id, touched_at,
            share, credited_at, kind)
     select gen_random_uuid(), 0, current_date, 'click', id, now(), 10000, now(), $2
       from unnest($1::uuid[]) as id`,
    [clicks.map(({ eventId }) => eventId), kind],
  )

test('clicks that led to a purchase train a model of their own, a day later', async () => {
  const world = await aLearningWorld()
  const { clicked } = await world.show({ ...keysOf(world.loved), count: 100, clicks: 60 })
  await convert(world, clicked.slice(0, 20))
  await convert(world, clicked, 'content_view')
  const learner = world.newLearner({ lessons: CONVERSIONS })
  await learner.step()
  expect(await findModel(world.db, 'conversion')).toBeUndefined()

  world.deps.clock.advance(DAY_SECONDS)
  await learnAll(world, learner, 60)

  const row = (await findModel(world.db, 'conversion'))!
  expect(row).toMatchObject({ lessons: 60, verdict: 'too-early' })
  expect(row.figures.all.clicks).toBeCloseTo(20, 1)
  expect(unpackLearned(row)!.model.prior).toBe(0.03)
  expect(await findModel(world.db, 'click')).toBeUndefined()
})

test('of many impressions without a click a share trains, weighted for all of them', async () => {
  const world = await aLearningWorld()
  const learner = world.newLearner({ negativesPerStep: 100 })
  await world.show({ ...keysOf(world.loved), count: 400, clicks: 40 })

  await vi.waitFor(
    async () => {
      await learner.step()
      expect(await findModel(world.db, 'click')).toBeDefined()
    },
    { timeout: 20_000, interval: 5 },
  )

  const { lessons, state } = (await findModel(world.db, 'click'))!
  const [seen, clicks] = state.watch.sums
  expect(lessons).toBeLessThan(200)
  expect(clicks).toBeCloseTo(40, 0)
  expect(seen! / 400).toBeGreaterThan(0.7)
  expect(seen! / 400).toBeLessThan(1.3)
})

test('a small site trains with everything, a large one with at least a tenth of the unclicked', () => {
  expect(negativeShareOf(4_000, 5_000)).toBe(1)
  expect(negativeShareOf(20_000, 5_000)).toBe(0.25)
  expect(negativeShareOf(1_000_000, 5_000)).toBe(0.1)
})

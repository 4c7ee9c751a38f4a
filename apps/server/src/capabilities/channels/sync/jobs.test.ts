import { expect, test, vi } from 'vitest'
import { createBackfill } from './operations-requests.ts'
import { listUnfinishedBackfills } from './store-requests.ts'
import { backfillJob, syncStatsJob, tickJob, trimRawJob } from './jobs.ts'
import { mockProvider } from '../providers/mock.ts'
import { bindJob } from '../../../platform/jobs/job.ts'
import { syncLevel } from './operations-sync.ts'
import { LEVELS, type StatProvider } from '../providers/stat.ts'
import {
  aChannelWorld,
  type ChannelWorld,
  openQueue,
  type QueuedSync,
} from '../../../testing/worlds/channel-world.ts'

const { signal } = new AbortController()

/** The context of a job's run, with a log that tests can read. */
function jobContext() {
  const lines: Record<string, unknown>[] = []
  const note = (fields: object) => void lines.push(fields as Record<string, unknown>)
  const log = { info: note, warn: note, error: note }
  return { lines, context: { log, signal, progress: () => {} } }
}

/** Runs ticks on the real queue. Each returns the syncs it ordered. */
async function ticking(world: ChannelWorld) {
  const { jobs, listNew } = await openQueue(world, 'enqueuer')
  return async () => {
    await tickJob.run({}, { ...world.syncing, jobs }, jobContext().context)
    return listNew()
  }
}

test('a tick orders one sync per level for advertisers with something to sync, and for no others', async () => {
  const world = await aChannelWorld()
  await world.shop.addRunning()
  await world.shop.addRunning()
  const paused = await world.addShop()
  const held = await paused.addRunning()
  await world.deps.db.execute(`update campaigns set status = 'paused' where public_id = '${held}'`)
  const draft = await world.addShop()
  await draft.addCampaign({ channel: 'meta', connectionId: draft.connectionId })
  const page = await world.addShop({ connectionType: 'PAGE' })
  await page.addCampaign({ channel: 'meta' })
  world.deps.clock.moveTo('2026-06-15T12:35:00Z')

  const tick = await ticking(world)
  const orders = await tick()

  const requested = orders.map(({ payload }) => `${payload.advertiserId} ${payload.level}`)
  const expected = [world.shop, paused].flatMap(({ advertiserId }) =>
    ['CAMPAIGN', 'ADSET', 'AD'].map((level) => `${advertiserId} ${level}`),
  )
  expect(requested.toSorted()).toEqual(expected.toSorted())
  expect(orders[0]!.payload).toMatchObject({ dateFrom: '2026-06-15', dateTo: '2026-06-15' })
})

test('the last three days are requested again once an hour, and from Meta only every fifteen minutes', async () => {
  const meta = { ...mockProvider, everyMinutes: 15 }
  const world = await aChannelWorld({ provider: 'meta' }, { meta })
  await world.shop.addRunning()
  const tick = await ticking(world)
  const at = async (time: string) => {
    world.deps.clock.moveTo(`2026-06-15T${time}:10Z`)
    return (await tick()).map(({ payload }) => payload.dateFrom)
  }

  expect(await at('12:00')).toEqual(['2026-06-12', '2026-06-12', '2026-06-12'])
  expect(await at('12:05')).toEqual([])
  expect(await at('12:15')).toEqual(['2026-06-15', '2026-06-15', '2026-06-15'])
})

test('an account over its rate limit is not called until the limit ends', async () => {
  const world = await aChannelWorld()
  await world.shop.addRunning()
  await world.deps.db.execute(`update channel_connections set rests_until = '2026-06-15T13:00:00Z'`)

  const tick = await ticking(world)
  expect(await tick()).toEqual([])
  world.deps.clock.moveTo('2026-06-15T13:05:00Z')
  expect(await tick()).toHaveLength(3)
})

test('an ended campaign is synced while the range has days on which it ran, because conversions come late', async () => {
  const world = await aChannelWorld()
  const campaignId = await world.shop.addRunning()
  const { db, clock } = world.deps
  await db.execute(
    `update campaigns set status = 'ended', updated_at = '2026-06-15T10:00:00Z' where public_id = '${campaignId}'`,
  )
  const tick = await ticking(world)
  const firstDays = async (at: string) => {
    clock.moveTo(at)
    return [...new Set((await tick()).map(({ payload }) => payload.dateFrom))]
  }

  expect(await firstDays('2026-06-17T12:35:00Z')).toEqual([])
  expect(await firstDays('2026-06-17T13:00:10Z')).toEqual(['2026-06-14'])
  expect(await firstDays('2026-06-19T13:00:10Z')).toEqual([])

  clock.moveTo('2026-06-17T13:00:10Z')
  const days = { from: '2026-06-14', to: '2026-06-17' }
  await syncLevel(
    world.syncing,
    { advertiserId: world.shop.advertiserId, level: 'CAMPAIGN', ...days },
    signal,
  )
  const { rows } = await db.execute('select 1 from ad_stats_daily')
  expect(rows).toHaveLength(4)
})

test('raw answers about old days are deleted after the configured time; the days stay', async () => {
  const world = await aChannelWorld()
  await world.shop.addRunning()
  const { db, clock } = world.deps
  const order = { advertiserId: world.shop.advertiserId, level: 'CAMPAIGN' as const }
  await syncLevel(world.syncing, { ...order, from: '2026-06-15', to: '2026-06-15' }, signal)
  clock.moveTo('2026-08-01T12:00:00Z')
  const count = async (table: string) => (await db.execute(`select 1 from ${table}`)).rows.length

  await trimRawJob.run({}, { db, clock, rawRetentionDays: 0 }, jobContext().context)
  expect(await count('ad_stats_raw')).toBe(1)
  await trimRawJob.run({}, { db, clock, rawRetentionDays: 30 }, jobContext().context)
  expect([await count('ad_stats_raw'), await count('ad_stats_daily')]).toEqual([0, 1])
})

const orderOf = ({ shop }: ChannelWorld, attempt = 1) => ({
  advertiserId: shop.advertiserId,
  dateFrom: '2026-06-15',
  dateTo: '2026-06-15',
  level: 'CAMPAIGN' as const,
  attempt,
})

test('each sync writes one log line, with counts and without secrets', async () => {
  const world = await aChannelWorld({ credentials: 'EAAB-secret' })
  await world.shop.addRunning()
  const { lines, context } = jobContext()
  const { jobs } = await openQueue(world, 'enqueuer')

  await syncStatsJob.run(orderOf(world), { ...world.syncing, jobs }, context)

  expect(lines).toEqual([
    {
      event: 'stats-sync-complete',
      jobId: `sync__${world.shop.advertiserId}__2026-06-15__2026-06-15__CAMPAIGN`,
      sellerId: world.shop.advertiserId,
      statLevel: 'CAMPAIGN',
      date: '2026-06-15',
      rawInserted: 1,
      dailyUpserted: 1,
      sellpageUpserted: 1,
      durationMs: 0,
    },
  ])
})

const broken: StatProvider = {
  ...mockProvider,
  fetchStats: async () => {
    throw new Error('Connection timeout')
  },
}

test('a failing sync is tried again after 1, 5 and 15 minutes, and then fails for good', async () => {
  const world = await aChannelWorld({}, { mock: broken })
  await world.shop.addRunning()
  const { lines, context } = jobContext()
  const { jobs, listNew } = await openQueue(world, 'enqueuer')
  const deps = { ...world.syncing, jobs }
  const orders: QueuedSync[] = []

  for (const attempt of [1, 2, 3]) {
    await syncStatsJob.run(orderOf(world, attempt), deps, context)
    orders.push(...(await listNew()))
    await world.deps.db.execute('delete from pgboss.job')
  }

  expect(orders.map(({ delaySeconds }) => delaySeconds)).toEqual([60, 300, 900])
  expect(orders.map(({ payload }) => payload.attempt)).toEqual([2, 3, 4])
  expect(lines[1]).toMatchObject({
    event: 'stats-sync-failed',
    attempt: 2,
    error: 'Connection timeout',
  })
  await expect(syncStatsJob.run(orderOf(world, 4), deps, context)).rejects.toThrow('timeout')
})

test('one failing advertiser does not stop the syncs of others', async () => {
  const world = await aChannelWorld({ provider: 'meta' }, { meta: broken })
  await world.shop.addRunning()
  const other = await world.addShop()
  await other.addRunning()
  const { jobs } = await openQueue(world, 'worker')
  const deps = { ...world.syncing, jobs }
  await tickJob.run({}, deps, jobContext().context)

  await jobs.work([bindJob(syncStatsJob, deps)])

  await vi.waitFor(async () => {
    const runs = await jobs.listRuns(syncStatsJob, 20)
    expect(runs.filter(({ state }) => state === 'succeeded')).toHaveLength(6)
  }, 20_000)
  const { rows } = await world.deps.db.execute('select distinct advertiser_id from ad_stats_daily')
  expect(rows).toHaveLength(1)
})

/** A backfill of some days, its job, and its row in the table. */
async function aBackfill(
  world: ChannelWorld,
  body: { readonly from: string; readonly to: string },
) {
  const { deps, shop } = world
  const requested = { advertiserId: shop.advertiserId, ...body }
  const made = await createBackfill(
    { ...deps, jobs: undefined },
    { body: requested, actor: shop.actor },
  )
  const payload = { backfillId: String(made.publicId) }
  const reports: unknown[] = []
  const context = {
    ...jobContext().context,
    progress: (report: object) => void reports.push(report),
  }
  const status = async () => {
    const { rows } = await deps.db.execute(`
      select status, days_done, days_total, failure, waits_until::text as waits_until from channel_backfills`)
    return rows[0]!
  }
  return { run: () => backfillJob.run(payload, world.syncing, context), status, reports }
}

const statDays = async ({ deps }: ChannelWorld, level = 'CAMPAIGN') => {
  const { rows } = await deps.db.execute(`
    select distinct stat_date::text as day from ad_stats_daily where entity_type = '${level}' order by 1`)
  return rows.map(({ day }) => day)
}

test('a backfill fetches every day of its range, shows its progress, and continues after a failure', async () => {
  let calls = 0
  const mock: StatProvider = {
    ...mockProvider,
    async fetchStats(requested) {
      calls += 1
      if (calls === 2) throw new Error('no answer')
      return mockProvider.fetchStats(requested)
    },
  }
  const world = await aChannelWorld({}, { mock })
  await world.shop.addAd(await world.shop.addRunning())
  const { run, status, reports } = await aBackfill(world, { from: '2026-06-01', to: '2026-06-05' })

  await expect(run()).rejects.toThrow('no answer')
  expect(await status()).toMatchObject({ status: 'running', days_done: 0, failure: 'no answer' })
  await run()

  expect(await status()).toMatchObject({ status: 'succeeded', days_done: 5, days_total: 5 })
  expect(reports.at(-1)).toEqual({ done: 15, total: 15 })
  for (const level of LEVELS) expect(await statDays(world, level)).toHaveLength(5)
})

test('a backfill waits while its connection is paused, says until when, and leaves no gap', async () => {
  const meta: StatProvider = {
    ...mockProvider,
    async fetchStats(requested) {
      const answer = await mockProvider.fetchStats(requested)
      return { ...answer, restsUntil: new Date(requested.fetchedAt.getTime() + 30 * 60_000) }
    },
  }
  const world = await aChannelWorld({ provider: 'meta' }, { meta })
  await world.shop.addAd(await world.shop.addRunning())
  const { run, status } = await aBackfill(world, { from: '2026-06-01', to: '2026-06-03' })
  const { clock, db } = world.deps

  await run()
  expect(await status()).toMatchObject({
    status: 'running',
    days_done: 0,
    waits_until: '2026-06-15 12:30:00+00',
  })
  expect(await listUnfinishedBackfills(db, clock.now())).toEqual([])
  clock.moveTo('2026-06-15T12:30:00Z')
  expect(await listUnfinishedBackfills(db, clock.now())).toHaveLength(1)

  for (let runs = 0; runs < 9 && (await status())['status'] === 'running'; runs++) {
    await run()
    clock.advance(30 * 60)
  }
  expect(await status()).toMatchObject({ status: 'succeeded', days_done: 3, waits_until: null })
  expect(await statDays(world)).toEqual(['2026-06-01', '2026-06-02', '2026-06-03'])
})

test('a scheduled sync of a paused connection is logged as waiting, not as complete', async () => {
  const world = await aChannelWorld()
  await world.shop.addRunning()
  await world.deps.db.execute(`update channel_connections set rests_until = '2026-06-15T13:00:00Z'`)
  const { lines, context } = jobContext()
  const { jobs } = await openQueue(world, 'enqueuer')

  await syncStatsJob.run(orderOf(world), { ...world.syncing, jobs }, context)

  expect(lines).toMatchObject([{ event: 'stats-sync-waits', until: '2026-06-15T13:00:00.000Z' }])
})

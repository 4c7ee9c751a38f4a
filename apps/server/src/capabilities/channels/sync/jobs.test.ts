import { expect, test, vi } from 'vitest'
import { createBackfill } from './operations-requests.ts'
import { backfillJob, syncStatsJob, tickJob, trimRawJob } from './jobs.ts'
import { mockProvider } from '../providers/mock.ts'
import { bindJob } from '../../../platform/jobs/job.ts'
import { syncLevel } from './operations-sync.ts'
import type { StatProvider } from '../providers/stat.ts'
import {
  aChannelWorld,
  type ChannelWorld,
  openQueue,
  type QueuedSync,
} from '../../../testing/channel-world.ts'

const { signal } = new AbortController()

/** What a job is given beside its work, with a log that can be read. */
function notebook() {
  const lines: Record<string, unknown>[] = []
  const note = (fields: object) => void lines.push(fields as Record<string, unknown>)
  const log = { info: note, warn: note, error: note }
  return { lines, context: { log, signal, progress: () => {} } }
}

/** Lets ticks happen on the real queue; each returns what it ordered. */
async function ticking(world: ChannelWorld) {
  const { jobs, listNew } = await openQueue(world, 'enqueuer')
  return async () => {
    await tickJob.run({}, { ...world.syncing, jobs }, notebook().context)
    return listNew()
  }
}

test('a tick orders one sync per level for advertisers with something to sync, and for nobody else', async () => {
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

  const asked = orders.map(({ payload }) => `${payload.advertiserId} ${payload.level}`)
  const expected = [world.shop, paused].flatMap(({ advertiserId }) =>
    ['CAMPAIGN', 'ADSET', 'AD'].map((level) => `${advertiserId} ${level}`),
  )
  expect(asked.toSorted()).toEqual(expected.toSorted())
  expect(orders[0]!.payload).toMatchObject({ dateFrom: '2026-06-15', dateTo: '2026-06-15' })
})

test('the last three days are asked for again once an hour, and meta every fifteen minutes only', async () => {
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

test('an account that asked for patience is left alone until then', async () => {
  const world = await aChannelWorld()
  await world.shop.addRunning()
  await world.deps.db.execute(`update channel_connections set rests_until = '2026-06-15T13:00:00Z'`)

  const tick = await ticking(world)
  expect(await tick()).toEqual([])
  world.deps.clock.moveTo('2026-06-15T13:05:00Z')
  expect(await tick()).toHaveLength(3)
})

test('a campaign that ended is asked for as long as days are fetched in which it ran: conversions come late', async () => {
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

test('what providers told of long past days is forgotten where the settings say so; the days stay', async () => {
  const world = await aChannelWorld()
  await world.shop.addRunning()
  const { db, clock } = world.deps
  const order = { advertiserId: world.shop.advertiserId, level: 'CAMPAIGN' as const }
  await syncLevel(world.syncing, { ...order, from: '2026-06-15', to: '2026-06-15' }, signal)
  clock.moveTo('2026-08-01T12:00:00Z')
  const count = async (table: string) => (await db.execute(`select 1 from ${table}`)).rows.length

  await trimRawJob.run({}, { db, clock, rawRetentionDays: 0 }, notebook().context)
  expect(await count('ad_stats_raw')).toBe(1)
  await trimRawJob.run({}, { db, clock, rawRetentionDays: 30 }, notebook().context)
  expect([await count('ad_stats_raw'), await count('ad_stats_daily')]).toEqual([0, 1])
})

const orderOf = ({ shop }: ChannelWorld, attempt = 1) => ({
  advertiserId: shop.advertiserId,
  dateFrom: '2026-06-15',
  dateTo: '2026-06-15',
  level: 'CAMPAIGN' as const,
  attempt,
})

test('each sync writes one line to the log, with counts and without secrets', async () => {
  const world = await aChannelWorld({ credentials: 'EAAB-secret' })
  await world.shop.addRunning()
  const { lines, context } = notebook()
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

test('a sync that fails is tried again after 1, 5 and 15 minutes, and then given up', async () => {
  const world = await aChannelWorld({}, { mock: broken })
  await world.shop.addRunning()
  const { lines, context } = notebook()
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

test('one advertiser that fails keeps no other from being synced', async () => {
  const world = await aChannelWorld({ provider: 'meta' }, { meta: broken })
  await world.shop.addRunning()
  const other = await world.addShop()
  await other.addRunning()
  const { jobs } = await openQueue(world, 'worker')
  const deps = { ...world.syncing, jobs }
  await tickJob.run({}, deps, notebook().context)

  await jobs.work([bindJob(syncStatsJob, deps)])

  await vi.waitFor(async () => {
    const runs = await jobs.listRuns(syncStatsJob, 20)
    expect(runs.filter(({ state }) => state === 'succeeded')).toHaveLength(6)
  }, 20_000)
  const { rows } = await world.deps.db.execute('select distinct advertiser_id from ad_stats_daily')
  expect(rows).toHaveLength(1)
})

test('a backfill fetches every day of its range, shows how far it is, and goes on after a failure', async () => {
  let calls = 0
  const mock: StatProvider = {
    ...mockProvider,
    async fetchStats(asked) {
      calls += 1
      if (calls === 2) throw new Error('no answer')
      return mockProvider.fetchStats(asked)
    },
  }
  const world = await aChannelWorld({}, { mock })
  await world.shop.addRunning()
  const { deps, shop } = world
  const body = { advertiserId: shop.advertiserId, from: '2026-06-01', to: '2026-06-05' }
  const made = await createBackfill({ ...deps, jobs: undefined }, { body, actor: shop.actor })
  const payload = { backfillId: String(made.publicId) }
  const reports: unknown[] = []
  const context = { ...notebook().context, progress: (report: object) => void reports.push(report) }
  const status = async () =>
    (await deps.db.execute('select status, days_done, days_total from channel_backfills')).rows[0]

  await expect(backfillJob.run(payload, world.syncing, context)).rejects.toThrow('no answer')
  expect(await status()).toEqual({ status: 'running', days_done: 1, days_total: 5 })
  await backfillJob.run(payload, world.syncing, context)

  expect(await status()).toEqual({ status: 'succeeded', days_done: 5, days_total: 5 })
  expect(reports.at(-1)).toEqual({ done: 5, total: 5 })
  const { rows } = await deps.db.execute('select distinct stat_date from ad_stats_daily')
  expect(rows).toHaveLength(5)
})

import { expect, test } from 'vitest'
import type { Jobs } from '../../platform/jobs/job.ts'
import { createBackfill } from './operations-orders.ts'
import { backfillJob, syncStatsJob, tickJob } from './jobs.ts'
import { mockProvider } from './mock-provider.ts'
import type { StatProvider } from './stat.ts'
import { aChannelWorld, type ChannelWorld } from '../../testing/channel-world.ts'

const { signal } = new AbortController()

interface Order {
  readonly payload: Parameters<typeof syncStatsJob.run>[0]
  readonly delaySeconds?: number
}

/** A queue that only takes orders, and a log that can be read. */
function notebook() {
  const orders: Order[] = []
  const lines: Record<string, unknown>[] = []
  const jobs = {
    enqueue: async (_db: unknown, _job: unknown, order: Order) => {
      orders.push(order)
      return 'an id'
    },
  } as unknown as Pick<Jobs, 'enqueue'>
  const note = (fields: object) => void lines.push(fields as Record<string, unknown>)
  const log = { info: note, warn: note, error: note }
  return { orders, lines, jobs, context: { log, signal, progress: () => {} } }
}

const tick = ({ syncing }: ChannelWorld, book = notebook()) =>
  tickJob.run({}, { ...syncing, jobs: book.jobs }, book.context).then(() => book.orders)

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

  const orders = await tick(world)

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
  const at = async (time: string) => {
    world.deps.clock.moveTo(`2026-06-15T${time}:10Z`)
    return (await tick(world)).map(({ payload }) => payload.dateFrom)
  }

  expect(await at('12:00')).toEqual(['2026-06-12', '2026-06-12', '2026-06-12'])
  expect(await at('12:05')).toEqual([])
  expect(await at('12:15')).toEqual(['2026-06-15', '2026-06-15', '2026-06-15'])
})

test('an account that asked for patience is left alone until then', async () => {
  const world = await aChannelWorld()
  await world.shop.addRunning()
  await world.deps.db.execute(`update channel_connections set rests_until = '2026-06-15T13:00:00Z'`)

  expect(await tick(world)).toEqual([])
  world.deps.clock.moveTo('2026-06-15T13:05:00Z')
  expect(await tick(world)).toHaveLength(3)
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
  const { lines, jobs, context } = notebook()

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
  const { orders, lines, jobs, context } = notebook()
  const deps = { ...world.syncing, jobs }

  for (const attempt of [1, 2, 3]) await syncStatsJob.run(orderOf(world, attempt), deps, context)

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
  const book = notebook()
  const orders = await tick(world)

  for (const { payload } of orders) {
    await syncStatsJob.run(payload, { ...world.syncing, jobs: book.jobs }, book.context)
  }

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

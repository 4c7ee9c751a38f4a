import { micros } from '@placard/money'
import { pino } from 'pino'
import { expect, test } from 'vitest'
import { aServingWorld, startServing } from '../../testing/worlds/serving-world.ts'
import { rollUpStatsJob } from '../reports/jobs.ts'
import { syncScheduleStatusJob } from './jobs.ts'

const context = {
  progress: () => {},
  signal: new AbortController().signal,
  log: pino({ level: 'silent' }),
}

const NOON = '2026-07-01T12:00:00Z'
const LATER = '2026-07-01T13:00:00Z'
const before = new Date('2026-07-01T11:59:59Z')

async function scheduleWorld() {
  const world = await aServingWorld()
  const published: { from: string; to: string }[] = []
  const events = {
    campaignStateChanged: async (_: unknown, { from, to }: { from: string; to: string }) =>
      void published.push({ from, to }),
  }
  const { clock, db } = world.deps
  return {
    world,
    published,
    clock,
    sync: () => syncScheduleStatusJob.run({}, { db, clock, events }, context),
    statesOf: async (table: 'banners' | 'campaigns') => {
      const column = table === 'banners' ? 'schedule_status' : 'status'
      const { rows } = await world.pool.query<{ state: string; version: number }>(
        `select ${column} as state, version from ${table} order by id`,
      )
      return rows.map(({ state }) => state)
    },
  }
}

test('a banner goes from scheduled to active to expired on its dates', async () => {
  const { world, clock, sync, statesOf } = await scheduleWorld()
  const dates = { publishAt: new Date(NOON), expiresAt: new Date(LATER) }
  await world.addBanner({ scheduleStatus: 'scheduled', ...dates })
  await world.addBanner({ scheduleStatus: 'scheduled', publishAt: new Date(NOON) })
  await world.addBanner({ scheduleStatus: 'active', expiresAt: new Date(LATER) })
  await world.addBanner()

  clock.moveTo(before.toISOString())
  await sync()
  expect(await statesOf('banners')).toEqual(['scheduled', 'scheduled', 'active', 'evergreen'])
  clock.moveTo(NOON)
  await sync()
  expect(await statesOf('banners')).toEqual(['active', 'active', 'active', 'evergreen'])
  clock.moveTo(LATER)
  await sync()

  expect(await statesOf('banners')).toEqual(['expired', 'active', 'expired', 'evergreen'])
})

test('a banner whose dates both passed unnoticed goes from scheduled to expired', async () => {
  const { world, clock, sync, statesOf } = await scheduleWorld()
  const dates = { publishAt: new Date(NOON), expiresAt: new Date(LATER) }
  await world.addBanner({ scheduleStatus: 'scheduled', ...dates })
  await world.addBanner({ scheduleStatus: 'scheduled', ...dates, deletedAt: before })

  clock.moveTo(LATER)
  await sync()

  expect(await statesOf('banners')).toEqual(['expired', 'scheduled'])
})

test('a campaign starts and ends on its dates, a paused one ends too, and each move publishes one event', async () => {
  const { world, published, clock, sync, statesOf } = await scheduleWorld()
  const dates = { startsAt: new Date(NOON), endsAt: new Date(LATER) }
  await world.addCampaign({ status: 'scheduled', ...dates })
  await world.addCampaign({ status: 'paused', ...dates })
  await world.addCampaign({ status: 'draft', ...dates })

  clock.moveTo(NOON)
  await Promise.all([sync(), sync(), sync()])
  expect(await statesOf('campaigns')).toEqual(['active', 'paused', 'draft'])
  clock.moveTo(LATER)
  await Promise.all([sync(), sync(), sync()])

  expect(await statesOf('campaigns')).toEqual(['ended', 'ended', 'draft'])
  expect(published).toEqual([
    { from: 'scheduled', to: 'active' },
    { from: 'active', to: 'ended' },
    { from: 'paused', to: 'ended' },
  ])
})

test('a campaign ends when its impressions, clicks or money are used up', async () => {
  const { world, published, sync, statesOf } = await scheduleWorld()
  const caps = { impressionCap: 10, clickCap: 2, budgetTotalMicros: micros(10_000n) }
  const used = async (fields: { impressions?: number; clicks?: number; spent?: number }) => {
    const campaign = await world.addCampaign(caps)
    await world.addAd(campaign, 3_000_000n)
    await world.pool.query(
      `insert into campaign_totals (campaign_id, limit_micros, spent_micros, impressions, clicks)
       values ($1, 10000, $2, $3, $4)`,
      [campaign.id, fields.spent ?? 0, fields.impressions ?? 0, fields.clicks ?? 0],
    )
  }
  await used({ impressions: 9, clicks: 1, spent: 7_000 })
  await used({ impressions: 10 })
  await used({ clicks: 2 })
  await used({ spent: 7_001 })

  await Promise.all([sync(), sync()])

  expect(await statesOf('campaigns')).toEqual(['active', 'ended', 'ended', 'ended'])
  expect(published).toEqual(Array.from({ length: 3 }, () => ({ from: 'active', to: 'ended' })))
})

test('one run moves more rows than one step holds', async () => {
  const { world, clock, sync } = await scheduleWorld()
  const banner = await world.addBanner({ scheduleStatus: 'active', expiresAt: new Date(NOON) })
  await world.pool.query(
    `insert into banners (public_id, account_id, advertiser_id, title, primary_image_url,
       schedule_status, expires_at, created_at, updated_at)
     select gen_random_uuid(), account_id, advertiser_id, title, primary_image_url,
       schedule_status, expires_at, created_at, updated_at
     from banners, generate_series(1, 1200) where id = $1`,
    [banner.id],
  )

  clock.moveTo(NOON)
  await sync()

  const { rows } = await world.pool.query(
    'select schedule_status, count(*)::int from banners group by 1',
  )
  expect(rows).toEqual([{ schedule_status: 'expired', count: 1201 }])
})

test('the index follows at once: started banners are served, ended ones are not', async () => {
  const { world, clock, sync } = await scheduleWorld()
  const placement = await world.addPlacement({ type: 'feed', mode: 'auction' })
  const dates = { startsAt: new Date(NOON), endsAt: new Date(LATER) }
  const { ad } = await world.addBidder(placement, 5_000_000n, { status: 'scheduled', ...dates })
  const { serveAd, untilApplied } = await startServing(world)
  expect((await serveAd()).statusCode).toBe(204)

  clock.moveTo(NOON)
  await sync()
  await untilApplied()
  expect((await serveAd()).json().adId).toBe(ad.publicId)

  clock.moveTo(LATER)
  await sync()
  await untilApplied()
  expect((await serveAd()).statusCode).toBe(204)
})

test('the key of a scheduled run has its minute or its day and no colon', () => {
  const dueAt = new Date('2026-07-02T01:00:00Z')

  expect(syncScheduleStatusJob.dedupeKey?.({}, dueAt)).toBe('banner-sync-202607020100')
  expect(rollUpStatsJob.dedupeKey?.({}, dueAt)).toBe('banner-rollup-2026-07-01')
})

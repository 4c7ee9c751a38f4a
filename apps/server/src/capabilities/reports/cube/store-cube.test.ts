import { expect, test, vi } from 'vitest'
import { convert } from '../../tracking/conversions/convert.ts'
import { eventsOf } from '../../tracking/testing.ts'
import { rollUpBanners, rollUpMissed } from './store-banners.ts'
import { answerBannerStats } from '../operations.ts'
import type { ReportScope } from '../report.ts'
import { rebuildAll } from './builder.ts'
import { trimStatsJob } from '../jobs.ts'
import { rebuildDay } from './store-rebuild-day.ts'
import { MIGRATIONS, readMigrations } from '../../../platform/database/migrate.ts'
import { silentLog } from '../../../testing/silent-log.ts'
import { aHistory, type History } from '../../../testing/worlds/history.ts'
import { until } from '../../../testing/until.ts'

const CONTEXT = { log: silentLog(), signal: new AbortController().signal, progress: () => {} }
const DAYS = ['2026-06-12', '2026-06-13', '2026-06-14', '2026-06-15', '2026-06-16']

async function contentsOf({ pool }: History) {
  const tables = [
    'stats_cube',
    'campaign_stats',
    'advertiser_stats',
    'delivery_stats',
    'progress_stats',
    'banner_stats',
  ]
  const contents = []
  for (const table of tables) {
    const { rows } = await pool.query(
      `select (to_jsonb(t) - 'id' - 'created_at' - 'updated_at')::text as row from ${table} t order by 1`,
    )
    contents.push(rows)
  }
  return contents
}

test('quarter-hours, days and campaigns add up to the same as the events', async () => {
  const history = await aHistory()
  await history.addAll()
  const sums = async (from: string) =>
    (
      await history.pool.query(
        `select label, sum(impressions)::int as impressions, sum(views)::int as views,
                sum(clicks)::int as clicks, sum(charged_millis)::text as charged
           from ${from} group by 1 order by 1`,
      )
    ).rows

  const raw = await sums(`(
    select label, 1 as impressions, 0 as views, 0 as clicks, charged_millis from impressions
    union all select label, 0, 1, 0, charged_millis from views
    union all select label, 0, 0, 1, charged_millis from clicks) e`)

  expect(raw.length).toBeGreaterThan(2)
  expect(await sums('stats_cube_quarter')).toEqual(raw)
  expect(await sums('stats_cube_day')).toEqual(raw)
  expect(await sums('campaign_stats')).toEqual(raw)
  expect(await sums('advertiser_stats')).toEqual(raw)
  expect(await sums('delivery_stats')).toEqual(raw)
})

test('steps of films add up to the reported events in every table of sums', async () => {
  const history = await aHistory()
  await history.addAll()
  const COLUMNS = [
    'video_starts',
    'first_quartiles',
    'midpoints',
    'third_quartiles',
    'video_completes',
  ]
  const sums = async (from: string) =>
    (
      await history.pool.query(
        `select label, ${COLUMNS.map((column) => `sum(${column})::int as ${column}`).join(', ')}
           from ${from} group by 1 having sum(video_starts) > 0 order by 1`,
      )
    ).rows
  const counted = (from: string, count: string) => `(
    select label, ${['start', 'firstQuartile', 'midpoint', 'thirdQuartile', 'complete']
      .map((name, at) => `case when name = '${name}' then ${count} else 0 end as ${COLUMNS[at]}`)
      .join(', ')}
      from ${from}) e`

  const raw = await sums(counted('progress_events', '1'))

  expect(raw.length).toBeGreaterThan(2)
  expect(raw.every((row) => row.video_starts > row.video_completes)).toBe(true)
  expect(await sums('stats_cube_quarter')).toEqual(raw)
  expect(await sums('stats_cube_day')).toEqual(raw)
  expect(await sums('campaign_stats')).toEqual(raw)
  expect(await sums('advertiser_stats')).toEqual(raw)
  expect(await sums(counted('progress_stats', 'events'))).toEqual(raw)
})

test('a rebuilt day equals the day before the rebuild, however often', async () => {
  const history = await aHistory()
  await history.addAll()
  for (const day of DAYS) await rollUpBanners(history.db, day, history.deps.clock.now())
  const before = await contentsOf(history)

  for (const day of [...DAYS, ...DAYS]) {
    await rebuildDay(history.db, day)
    await rollUpBanners(history.db, day, history.deps.clock.now())
  }

  expect(await contentsOf(history)).toEqual(before)
  expect(before[5]!.length).toBeGreaterThan(5)
})

test('a rebuild repairs sums that were changed by hand', async () => {
  const history = await aHistory()
  await history.addAll()
  const before = await contentsOf(history)
  await history.pool.query(`update stats_cube set impressions = 99 where label = 'valid'`)
  await history.pool.query(`delete from campaign_stats`)
  await history.pool.query(`update advertiser_stats set views = 55`)
  await history.pool.query(`update delivery_stats set clicks = 77 where label <> 'duplicate'`)
  await history.pool.query(`update stats_cube_day set midpoints = midpoints + 66`)
  await history.pool.query(`update progress_stats set events = 88`)

  for (const day of DAYS) await rebuildDay(history.db, day)

  expect(await contentsOf(history)).toEqual(before)
})

test('events that are settled but not yet added count once, whether their day was rebuilt or not', async () => {
  const history = await aHistory()
  await history.addAll()
  const late = eventsOf(history)({
    campaignKey: history.campaigns[0]!.key,
    occurredAtMs: Date.parse('2026-06-14T18:00:00Z'),
  })
  await history.settler.settle([late], { countsRepeats: true })

  await rebuildDay(history.db, '2026-06-14')
  await history.addAll()

  const count = async (table: string) =>
    Number((await history.pool.query(`select sum(impressions) from ${table}`)).rows[0].sum)
  const { rows } = await history.pool.query('select count(*)::int as count from impressions')
  expect(await count('stats_cube_day')).toBe(rows[0].count)
  expect(await count('stats_cube_quarter')).toBe(rows[0].count)
  expect(await count('delivery_stats')).toBe(rows[0].count)
})

test('banner statistics have the valid impressions, clicks and spend per banner and day', async () => {
  const history = await aHistory()
  await history.addAll()

  await rollUpBanners(history.db, '2026-06-14', history.deps.clock.now())

  const { rows } = await history.pool.query(
    `select banner_id, placement_id, campaign_id, impressions, clicks, spend_micros
       from banner_stats order by 1, 2, 3`,
  )
  const raw = await history.pool.query(
    `select banner_id, placement_id, campaign_id,
            sum((kind = 'i')::int)::text as impressions, sum((kind = 'c')::int)::text as clicks,
            div(sum(charged_millis), 1000)::text as spend_micros
       from (select 'i' as kind, * from impressions union all select 'c', * from clicks) e
      where label = 'valid' and occurred_at >= '2026-06-14T00:00Z' and occurred_at < '2026-06-15T00:00Z'
      group by 1, 2, 3 order by 1, 2, 3`,
  )
  expect(rows).toEqual(raw.rows)
  expect(rows.length).toBeGreaterThan(5)
})

test('a conversion counts with its value for the credited campaign, and for none without credit', async () => {
  const history = await aHistory({ events: 0 })
  const { key: campaignKey } = history.campaigns[0]!
  const nowMs = history.deps.clock.now().getTime()
  const shown = eventsOf(history)({ campaignKey, userKey: 'a', occurredAtMs: nowMs - 60_000 })
  const { decisionId, decisionDay } = shown
  const clicked = { campaignKey, userKey: 'a', decisionId, occurredAtMs: nowMs - 30_000 }
  const click = eventsOf(history)({ ...clicked, kind: 'click' })
  await history.settler.settle([shown, click], { countsRepeats: true })
  for (const userKey of ['a', 'stranger']) {
    await convert(
      { pool: history.ingestPool, listShowings: async () => [] },
      {
        eventId: history.deps.ids.next(),
        kind: 'purchase',
        way: 'server',
        decisionDay,
        decisionId: undefined,
        advertiserKey: history.advertiserKey,
        userKey,
        orderId: `order of ${userKey}`,
        valueMicros: 20_000_000n,
        currency: 'EUR',
        occurredAtMs: nowMs,
        receivedAtMs: nowMs,
        clock: 'on-time',
        label: 'valid',
      },
    )
  }
  const purchases = async () => {
    const { rows } = await history.pool.query(
      `select campaign_id::int, purchases::int, (revenue / 10000)::bigint::text as revenue
         from campaign_stats where purchases > 0 order by 1`,
    )
    return rows
  }

  await vi.waitFor(async () => {
    await history.addAll()
    expect(await purchases()).toEqual([
      { campaign_id: 0, purchases: 10_000, revenue: '20000000' },
      { campaign_id: campaignKey, purchases: 10_000, revenue: '20000000' },
    ])
  })
  const before = await contentsOf(history)
  await rebuildDay(history.db, '2026-06-15')
  expect(await contentsOf(history)).toEqual(before)
})

test('rescoring old events corrects the banner statistics of their day too', async () => {
  const history = await aHistory()
  const { db, pool, deps } = history
  await history.addAll()
  await rollUpBanners(db, '2026-06-14', deps.clock.now())
  const read = async () =>
    (await pool.query('select banner_id, impressions from banner_stats order by 1, 2')).rows
  const before = await read()
  for (const table of ['impressions', 'views', 'clicks']) {
    await pool.query(`update ${table} set label = 'bot', charged_millis = 0 where banner_id = 1`)
  }

  await rebuildAll({ db, clock: deps.clock }, '2026-06-14')

  const after = await read()
  expect(after).toEqual(before.filter(({ banner_id: banner }) => Number(banner) !== 1))
  expect(after.length).toBeLessThan(before.length)
})

test('sums are deleted after their retention time, quarter-hours before days', async () => {
  const history = await aHistory()
  await history.addAll()
  const count = async (table: string) =>
    (await history.pool.query(`select count(*)::int as count from ${table}`)).rows[0]
      .count as number
  const days = await count('stats_cube_day')
  history.deps.clock.moveTo('2026-08-15T12:00:00Z')
  const deps = { ...history.deps, statsRetentionDays: { quarters: 46, days: 400 } }

  await trimStatsJob.run({}, deps, CONTEXT)
  expect([await count('stats_cube_quarter'), await count('stats_cube_day')]).toEqual([0, days])

  await trimStatsJob.run({}, { ...deps, statsRetentionDays: { quarters: 46, days: 46 } }, CONTEXT)
  expect([await count('stats_cube_day'), await count('campaign_stats')]).toEqual([0, 0])
})

test('a new table of sums by advertiser gets the sums from before it existed', async () => {
  const history = await aHistory()
  await history.addAll()
  const { pool } = history
  const read = async () =>
    (
      await pool.query(
        `select label, day, advertiser_id, currency, impressions, views, clicks, over_delivered,
                charged_millis, content_views, add_to_carts, checkouts, purchases, revenue
           from advertiser_stats order by 1, 2, 3, 4`,
      )
    ).rows
  const before = await read()
  const migrations = await readMigrations(MIGRATIONS)
  const { sql } = migrations.find(({ name }) => name.startsWith('0095'))!

  await pool.query('drop table advertiser_stats')
  await pool.query(sql)

  expect(await read()).toEqual(before)
  expect(before.length).toBeGreaterThan(3)
})

test('every past day with events is rolled up into banner statistics, not only the last two', async () => {
  const history = await aHistory()
  const { db, pool } = history
  await history.addAll()
  const weekLater = new Date('2026-06-22T01:00:00Z')

  await until('no day is missed', async () => (await rollUpMissed(db, weekLater)) === 0)

  const { rows } = await pool.query(
    `select distinct (occurred_at at time zone 'UTC')::date::text as day
       from (select occurred_at from impressions where label = 'valid'
             union all select occurred_at from clicks where label = 'valid') e order by 1`,
  )
  const made = await pool.query(
    'select distinct stat_date::text as day from banner_stats order by 1',
  )
  expect(rows.length).toBeGreaterThan(2)
  expect(made.rows).toEqual(rows)
})

test('banner statistics are readable for the owners of the banners', async () => {
  const history = await aHistory()
  const { db, rival, pool } = history
  await history.addAll()
  await pool.query(
    `insert into banners (id, public_id, account_id, advertiser_id, title, primary_image_url, created_at, updated_at)
     overriding system value
     select banner_id, gen_random_uuid(), case when banner_id = 1 then $1::bigint else $2::bigint end, $3::bigint, 'B', 'https://a.example/a.png',
            now(), now()
       from (select distinct banner_id from stats_cube where banner_id <> 0) b`,
    [rival.id, history.accountId, history.advertiserKey],
  )
  const at = new Date('2026-06-22T01:00:00Z')
  await rollUpMissed(db, at)
  const ask = (scope: ReportScope, query: object = {}) =>
    answerBannerStats(db, { limit: 1_000, ...query }, { scope, at })

  const all = await ask({ kind: 'platform', accountId: 0n })
  const theirs = await ask({ kind: 'advertiser', accountId: rival.id })

  const { rows } = await pool.query(
    `select sum(impressions)::int as impressions, sum(clicks)::int as clicks from banner_stats`,
  )
  const sum = (field: 'impressions' | 'clicks') =>
    all.rows.reduce((total, row) => total + row[field], 0)
  expect({ impressions: sum('impressions'), clicks: sum('clicks') }).toEqual(rows[0])
  const own = await pool.query('select public_id from banners where account_id = $1', [rival.id])
  const ids = new Set(own.rows.map((row) => row.public_id))
  expect(theirs.rows.length).toBeGreaterThan(0)
  expect(theirs.rows.every(({ bannerId }) => ids.has(bannerId))).toBe(true)
  await expect(ask({ kind: 'platform', accountId: 0n }, { to: '0001-01-01' })).rejects.toThrow(
    'to 0001-01-01',
  )
})

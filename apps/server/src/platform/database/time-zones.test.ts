import { zoneNames, ZoneClock } from '@placard/calendar'
import { glob, readFile } from 'node:fs/promises'
import path from 'node:path'
import { expect, test } from 'vitest'
import { freshDatabase } from '../../testing/services/database.ts'
import { aServingWorld } from '../../testing/worlds/serving-world.ts'
import { MIGRATIONS } from './migrate.ts'
import { listMissingZones } from './time-zones.ts'

const PROBES = ['2025-01-15T12:00:00Z', '2025-07-15T12:00:00Z']

test('PostgreSQL knows every zone of the list, and its clocks show what ours show', async () => {
  const { pool } = await freshDatabase()
  const { rows } = await pool.query<{ name: string; at: string; ms: number }>(
    `select name, at,
            extract(epoch from at::timestamptz at time zone name)::float8 * 1000 as ms
       from unnest($1::text[]) name, unnest($2::text[]) at`,
    [zoneNames(), PROBES],
  )
  const clocks = new Map(zoneNames().map((name) => [name, new ZoneClock(name)]))
  const isOther = ({ name, at, ms }: (typeof rows)[number]) =>
    clocks.get(name)!.localMs(Date.parse(at)) !== ms

  expect(rows).toHaveLength(zoneNames().length * PROBES.length)
  expect(rows.filter(isOther)).toEqual([])
})

test('old names of zones become those they stood for, others become UTC, and it is audited', async () => {
  const world = await aServingWorld()
  const { pool } = world
  await world.addPlacement({ timeZone: 'Nowhere/Land' })
  await world.addBanner({ scheduleTimezone: 'US/Pacific-New' })
  await pool.query(`update advertisers set time_zone = 'AET'`)
  await pool.query(`update publishers set time_zone = 'Europe/Berlin'`)

  await pool.query(await readFile(path.join(MIGRATIONS, '0117_time_zones.sql'), 'utf8'))

  const { rows } = await pool.query(
    `select (select time_zone from advertisers) as advertiser,
            (select time_zone from placements) as placement,
            (select schedule_timezone from banners) as banner,
            (select time_zone from publishers) as publisher`,
  )
  expect(rows).toEqual([
    {
      advertiser: 'Australia/Sydney',
      placement: 'UTC',
      banner: 'America/Los_Angeles',
      publisher: 'Europe/Berlin',
    },
  ])
  const { rows: audited } = await pool.query<{ entity: string }>(
    'select entity, after from audit_log order by entity',
  )
  expect(audited).toEqual([
    { entity: 'advertiser', after: { timeZone: 'Australia/Sydney' } },
    { entity: 'banner', after: { scheduleTimezone: 'America/Los_Angeles' } },
    { entity: 'placement', after: { timeZone: 'UTC' } },
  ])
})

test('a zone that this PostgreSQL lacks is named at the start, and every other is not', async () => {
  const { pool } = await freshDatabase()

  expect(await listMissingZones(pool)).toEqual([])
  expect(await listMissingZones(pool, ['UTC', 'Nowhere/Land', 'US/Pacific-New'])).toEqual([
    'Nowhere/Land',
    'US/Pacific-New',
  ])
})

const SOURCES = path.join(import.meta.dirname, '../..')
/** UTC, a zone of the caller alone, or the zone of a row as it never fails. */
const SAFE =
  /^(?:'UTC'|zone_or_utc\(|\$\{timeZone\}::text|case when c\.channel = 'onsite' then zone_or_utc\()/

test('no statement reads the zone of a row in a way that fails for all rows', async () => {
  const found: string[] = []
  let read = 0
  for await (const file of glob('**/*.ts', { cwd: SOURCES })) {
    if (file.includes('.test.') || file.startsWith('testing/')) continue
    const text = await readFile(path.join(SOURCES, file), 'utf8')
    for (const [, zone] of text.matchAll(/\bat time zone ([^\n]+)/g)) {
      read++
      if (!SAFE.test(zone!)) found.push(`${file}: ${zone}`)
    }
  }

  expect(read).toBeGreaterThan(20)
  expect(found).toEqual([])
})

test('the zone inside the question of a saved report is mended, and it is audited', async () => {
  const world = await aServingWorld()
  const { pool, buyer } = world
  const add = (name: string, question: object) =>
    pool.query(
      `insert into saved_reports (public_id, account_id, name, question, time_zone, format, at_hour,
                                  created_at, updated_at)
       values (gen_random_uuid(), $1, $2, $3, 'UTC', 'csv', 6, now(), now())`,
      [buyer.id, name, question],
    )
  await add('odd', { period: 'yesterday', timeZone: 'AET' })
  await add('gone', { period: 'yesterday', timeZone: 'Nowhere/Land' })
  await add('right', { period: 'yesterday', timeZone: 'Europe/Berlin' })
  await add('none', { period: 'yesterday' })

  const text = await readFile(path.join(MIGRATIONS, '0118_zones_never_fail.sql'), 'utf8')
  await pool.query(text.slice(text.indexOf('-- The question')))

  const { rows } = await pool.query('select name, question from saved_reports order by name')
  expect(rows).toEqual([
    { name: 'gone', question: { period: 'yesterday', timeZone: 'UTC' } },
    { name: 'none', question: { period: 'yesterday' } },
    { name: 'odd', question: { period: 'yesterday', timeZone: 'Australia/Sydney' } },
    { name: 'right', question: { period: 'yesterday', timeZone: 'Europe/Berlin' } },
  ])
  const { rows: audited } = await pool.query('select entity, after from audit_log order by id')
  expect(audited).toHaveLength(2)
  expect(audited[0]).toEqual({
    entity: 'saved_report',
    after: { question: { timeZone: 'Australia/Sydney' } },
  })
})

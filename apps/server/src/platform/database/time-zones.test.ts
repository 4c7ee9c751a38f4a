import { zoneNames, ZoneClock } from '@placard/calendar'
import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { expect, test } from 'vitest'
import { freshDatabase } from '../../testing/database.ts'
import { aServingWorld } from '../../testing/serving-world.ts'
import { MIGRATIONS } from './migrate.ts'

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

import type { Pool } from 'pg'
import { expect, test } from 'vitest'
import { fixedClock } from '../../testing/fixed.ts'
import { freshDatabase } from '../../testing/services/database.ts'
import { dropDaysJob, forgetUsersJob, makeDaysJob, trimTrackingJob } from './jobs.ts'
import { aMarket, countRows, eventsOf, settlerOn } from './testing.ts'

const context = {
  progress: () => {},
  signal: new AbortController().signal,
  log: { info: () => {}, warn: () => {}, error: () => {} },
}
const clock = fixedClock()

const daysOf = async (pool: Pool, table: string) => {
  const { rows } = await pool.query(
    `select right(inhrelid::regclass::text, 8) as day from pg_inherits
      where inhparent = $1::regclass order by 1`,
    [table],
  )
  return rows.map(({ day }) => day as string)
}

test('partitions are created ahead, however many nodes do it and however often', async () => {
  const { pool } = await freshDatabase()

  await Promise.all([1, 2, 3, 4].map(() => makeDaysJob.run({}, { pool, clock }, context)))
  await makeDaysJob.run({}, { pool, clock }, context)

  const days = await daysOf(pool, 'impressions')
  expect([days.length, days[0], days.at(-1)]).toEqual([9, '20260614', '20260622'])
  expect(await daysOf(pool, 'conversions')).toEqual(days)
})

test('old days are dropped whole, but never while their links are valid', async () => {
  const { pool } = await freshDatabase()
  await makeDaysJob.run({}, { pool, clock }, context)
  const later = fixedClock('2026-08-01T12:00:00Z')

  await dropDaysJob.run({}, { pool, clock: later, retentionDays: { clicks: 1 } }, context)

  expect((await daysOf(pool, 'clicks'))[0]).toBe('20260616')
  expect((await daysOf(pool, 'impressions'))[0]).toBe('20260614')
})

test('keys of events without a link are kept for 48 hours, frequency counts for their window', async () => {
  const { pool } = await freshDatabase()
  await pool.query(
    `insert into seen_events select gen_random_uuid(), $1::timestamptz - hours * interval '1 hour'
       from unnest(array[47, 49]) as hours`,
    [clock.now()],
  )
  await pool.query(
    `insert into frequency_counts
     select 'u', 'ad', 1, size, window_start_of(size, $1::timestamptz - interval '3 days'), 1
       from unnest(array['Hour', 'Day', 'Week', 'Lifetime']) as size`,
    [clock.now()],
  )

  await trimTrackingJob.run({}, { pool, clock }, context)

  expect(await countRows(pool, 'seen_events')).toBe(1)
  const { rows } = await pool.query('select "window" as size from frequency_counts order by 1')
  expect(rows.map(({ size }) => size)).toEqual(['Lifetime', 'Week'])
})

test('a user who asked for erasure is erased from every stored day, and then from the list of requests', async () => {
  const market = await aMarket()
  const { pool } = market
  const anEvent = eventsOf(market)
  await settlerOn(market).settle(
    [anEvent({ userKey: 'leaves', sessionId: 's' }), anEvent({ userKey: 'stays' })],
    { countsRepeats: true },
  )
  await pool.query(`insert into forgotten_users values ('leaves', '2026-06-15T10:00:00Z')`)

  await forgetUsersJob.run({}, { pool, clock, eraseFromDeliveries: async () => 0 }, context)

  const { rows } = await pool.query('select user_key, session_id from impressions order by 1')
  expect(rows).toEqual([
    { user_key: 'stays', session_id: null },
    { user_key: null, session_id: null },
  ])
  expect(await countRows(pool, 'forgotten_users')).toBe(0)
})

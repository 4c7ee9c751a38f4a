import { pino } from 'pino'
import { expect, test } from 'vitest'
import { proveLedger } from '../../../server/src/capabilities/budgets/index.ts'
import { freshDatabase } from '../../../server/src/testing/services/database.ts'
import { demoTemplate } from '../../../server/src/testing/worlds/demo.ts'
import { seededRandom } from '../../../server/src/testing/fixed.ts'
import { depsOn } from '../../../server/src/testing/world.ts'
import { outcomeOf, hoursBefore, visitsOf } from './history.ts'
import { runHistory } from './run-history.ts'

const NOW_MS = Date.parse('2026-06-15T12:30:00Z')
const PROOF = { fromDay: '2026-06-14', toDay: '2026-06-15', withEvents: true }

test('the week has every hour of seven days, and the current hour up to now', () => {
  const hours = [...hoursBefore(NOW_MS, 7)]
  const terms = { nowMs: NOW_MS, visitsPerDay: 9_000, placements: [], random: seededRandom() }
  const last = visitsOf(hours.at(-1)!, terms)

  expect(hours).toHaveLength(7 * 24 + 1)
  expect(hours.at(-1)).toBe(Date.parse('2026-06-15T12:00:00Z'))
  expect(last.length).toBeGreaterThan(0)
  expect(last.every(({ atMs }) => atMs < NOW_MS)).toBe(true)
})

test('every click follows a view', () => {
  const random = seededRandom()
  const outcomes = Array.from({ length: 5_000 }, () => outcomeOf(random))

  const clicked = outcomes.filter(({ clickedMs }) => clickedMs !== undefined)

  expect(clicked.length).toBeGreaterThan(0)
  expect(
    clicked.every(
      ({ seenMs, viewedMs, clickedMs }) => seenMs! < viewedMs! && viewedMs! < clickedMs!,
    ),
  ).toBe(true)
})

test('the week before the demo is decided and charged like any other: the ledger agrees, and no budget is exceeded', async () => {
  const connection = await freshDatabase(await demoTemplate())
  const { db, pool, url } = connection
  const deps = depsOn(connection)

  const size = { days: 1, visitsPerDay: 3_000 }
  await runHistory({ ...deps, db, url, log: pino({ level: 'silent' }) }, size)

  const one = async (query: string) => (await pool.query(query)).rows[0]
  expect(
    await one(`select count(distinct decision_day)::int as days, count(*) > 1000 as many,
                      bool_and(label = 'valid') as valid from impressions`),
  ).toEqual({ days: 2, many: true, valid: true })
  expect(await one(`select count(*) > 10 as many from clicks where label = 'valid'`)).toEqual({
    many: true,
  })
  expect(
    await one(`select count(*) > 2 as some, bool_and(credited) as credited from (
                 select exists (select from conversion_credits c where c.conversion_id = v.event_id) as credited
                   from conversions v) bought`),
  ).toEqual({ some: true, credited: true })
  expect(await one('select sum(auctions) > 2500 as many from auction_statistics')).toEqual({
    many: true,
  })
  const proof = await proveLedger({ pool, clock: deps.clock }, PROOF)
  expect(proof).toMatchObject({ differenceMicros: 0n, faults: [] })
})

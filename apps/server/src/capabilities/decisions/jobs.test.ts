import { pino } from 'pino'
import { expect, test } from 'vitest'
import { freshDatabase } from '../../testing/services/database.ts'
import { depsOn } from '../../testing/world.ts'
import { keepAuctionDaysJob, prepareAuctionDays } from './jobs.ts'
import { batchOf, recordsFrom } from './records/testing-records.ts'
import { addAuctions } from './records/store-auctions.ts'
import { listPartitions } from './records/store-partitions.ts'

const context = {
  progress: () => {},
  signal: new AbortController().signal,
  log: pino({ level: 'silent' }),
}

async function world(auctionRetentionDays = 30) {
  const deps = depsOn(await freshDatabase())
  const keep = () => keepAuctionDaysJob.run({}, { ...deps, auctionRetentionDays }, context)
  return { deps, keep, days: () => listPartitions(deps.db) }
}

test('nodes that start together prepare each day once', async () => {
  const { deps, days } = await world()

  const made = await Promise.all([1, 2, 3, 4].map(() => prepareAuctionDays(deps)))

  expect(made.flat().toSorted()).toEqual(await days())
  expect(await days()).toEqual([
    '2026-06-14',
    '2026-06-15',
    '2026-06-16',
    '2026-06-17',
    '2026-06-18',
  ])
})

test('a second run of the job changes nothing', async () => {
  const { keep, days } = await world()

  await keep()
  const before = await days()
  await keep()

  expect(await days()).toEqual(before)
})

test('days past their retention are dropped with their records, and the sums stay', async () => {
  const { deps, keep, days } = await world(2)
  await keep()
  const aRecord = recordsFrom(deps.ids)
  const at = (day: string) => aRecord({ decidedAt: new Date(`${day}T12:00:00Z`) })
  await addAuctions(deps.db, batchOf(['2026-06-14', '2026-06-15', '2026-06-16'].map(at)))

  deps.clock.moveTo('2026-06-17T00:30:00Z')
  await Promise.all([keep(), keep(), keep()])

  expect(await days()).toEqual([
    '2026-06-15',
    '2026-06-16',
    '2026-06-17',
    '2026-06-18',
    '2026-06-19',
    '2026-06-20',
  ])
  const kept = 'select count(*)::int as kept from auctions'
  expect((await deps.db.execute(kept)).rows).toEqual([{ kept: 2 }])
  const summed = 'select sum(auctions)::int as summed from auction_statistics'
  expect((await deps.db.execute(summed)).rows).toEqual([{ summed: 3 }])
})

test('every partition has the indexes of the parent table', async () => {
  const { deps, keep } = await world()
  await keep()

  const { rows } = await deps.db.execute(`
    select tablename, count(*)::int as indexes from pg_indexes
     where tablename ~ '^auctions(_2.*)?$' group by 1`)

  expect(rows).toHaveLength(6)
  expect(new Set(rows.map(({ indexes }) => indexes)).size).toBe(1)
})

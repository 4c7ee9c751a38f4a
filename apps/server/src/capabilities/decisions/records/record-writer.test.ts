import { LOW_LOAD } from '../../../platform/background/load.ts'
import { NO_CURRENCY } from '@placard/money'
import fc from 'fast-check'
import { pino } from 'pino'
import { Registry } from 'prom-client'
import { expect, test } from 'vitest'
import { type ManualTimers, manualTimers } from '../../../platform/background/manual-timers.ts'
import type { Database } from '../../../platform/database/connect.ts'
import { freshDatabase } from '../../../testing/services/database.ts'
import { depsOn } from '../../../testing/world.ts'
import { createRecorder } from './record-writer.ts'
import { aDecision, aWinner, NO_AD, recordsFrom } from './testing-records.ts'
import { aRecordingWorld, nextLoopTick } from './testing-recorder.ts'
import type { Recorder } from './recorder.ts'
import { until } from '../../../testing/until.ts'

const SUMS = `select sum(auctions)::int as auctions, sum(won)::int as won, sum(bids)::int as bids,
  sum(winning_ecpm_micros)::int as ecpm from auction_statistics`
const COUNT = 'select count(*)::int as count from auctions'

test('a decision is recorded with context, bids, winner, prices, seed and index version', async () => {
  const { recorder, rows, aRecord } = await aRecordingWorld()
  const record = aRecord({ placementKey: 3, siteKey: 4, kind: 'slug' })

  recorder.record(record)
  await recorder.flush()

  expect(await rows('select *, decided_on::text as day from auctions')).toEqual([
    expect.objectContaining({
      id: record.decisionId,
      day: '2026-06-15',
      auction_time: record.decidedAt,
      kind: 'slug',
      placement_type: 'feed',
      placement_id: '3',
      site_id: '4',
      user_key: 'user-key',
      currency: 'EUR',
      context: { device: 'mobile', country: 'DE' },
      bids: [
        [11, 13, 10_000, 0.02],
        [21, 23, 8_000.123, 0.012_346],
      ],
      bid_count: 2,
      winning_ad_id: '11',
      winning_campaign_id: '13',
      final_price_micros: '10000',
      winning_ecpm_micros: '10000',
      floor_micros: '10000',
      empty_reason: null,
      seed: '4294967295',
      index_version: '7',
      duration_micros: 25,
    }),
  ])
})

test('a decision without an ad is recorded too, with the reason', async () => {
  const { recorder, rows, aRecord } = await aRecordingWorld()

  recorder.record(aRecord({ decision: NO_AD, userKey: undefined, currency: undefined }))
  await recorder.flush()

  expect(
    await rows('select user_key, winning_ad_id, empty_reason, currency from auctions'),
  ).toEqual([
    { user_key: null, winning_ad_id: null, empty_reason: 'no-candidate', currency: NO_CURRENCY },
  ])
  expect(await rows(SUMS)).toEqual([{ auctions: 1, won: 0, bids: 0, ecpm: 0 }])
})

test('a single record waits for more, a full batch does not', async () => {
  const { recorder, timers, aRecord, rows } = await aRecordingWorld()

  recorder.record(aRecord())
  await nextLoopTick()
  expect(timers.waiting()).toEqual([200])
  for (let i = 1; i < 500; i++) {
    recorder.record(aRecord())
    if (i % 10 === 0) await nextLoopTick()
  }
  await nextLoopTick()
  expect(timers.waiting()).toEqual([])

  await recorder.flush()
  expect(await rows(COUNT)).toEqual([{ count: 500 }])
})

test('records of both sides of midnight go to their own days', async () => {
  const { recorder, deps, aRecord, rows } = await aRecordingWorld()
  deps.clock.moveTo('2026-06-16T00:00:01Z')

  for (const time of ['2026-06-15T23:59:59.999Z', '2026-06-16T00:00:00.000Z']) {
    recorder.record(aRecord({ decidedAt: new Date(time) }))
  }
  await recorder.flush()

  expect(await rows('select tableoid::regclass::text as name from auctions order by 1')).toEqual([
    { name: 'auctions_2026_06_15' },
    { name: 'auctions_2026_06_16' },
  ])
  expect(await rows('select bucket from auction_statistics order by 1')).toEqual([
    { bucket: new Date('2026-06-15T23:45:00Z') },
    { bucket: new Date('2026-06-16T00:00:00Z') },
  ])
})

test('a missing partition is created when its first record arrives', async () => {
  const { recorder, deps, aRecord, rows, resultsOf } = await aRecordingWorld()
  deps.clock.moveTo('2026-07-20T08:00:00Z')

  recorder.record(aRecord({ decidedAt: deps.clock.now() }))
  await recorder.flush()

  expect(await rows('select tableoid::regclass::text as name from auctions')).toEqual([
    { name: 'auctions_2026_07_20' },
  ])
  expect(await resultsOf()).toEqual({ added: 1 })
})

test('a record that no database would take stops no other', async () => {
  const { recorder, aRecord, rows, resultsOf } = await aRecordingWorld()
  const impossible = aRecord({ decision: aDecision({ bidCount: -1 }) })
  const ancient = aRecord({ decidedAt: new Date('2020-01-01T00:00:00Z') })

  for (let i = 0; i < 20; i++) recorder.record(aRecord())
  recorder.record(impossible)
  recorder.record(ancient)
  for (let i = 0; i < 20; i++) recorder.record(aRecord())
  await recorder.flush()

  expect(await rows(COUNT)).toEqual([{ count: 40 }])
  expect(await rows(SUMS)).toMatchObject([{ auctions: 40, bids: 80 }])
  expect(await resultsOf()).toEqual({ added: 40, refused: 2 })
})

test('a record that arrives twice counts once, in one batch and in two', async () => {
  const { recorder, aRecord, rows, resultsOf } = await aRecordingWorld()
  const record = aRecord()

  recorder.record(record)
  recorder.record(record)
  await recorder.flush()
  recorder.record(record)
  await recorder.flush()

  expect(await rows(COUNT)).toEqual([{ count: 1 }])
  expect(await rows(SUMS)).toEqual([{ auctions: 1, won: 1, bids: 2, ecpm: 10_000 }])
  expect(await resultsOf()).toEqual({ added: 1, repeated: 2 })
})

test('a batch whose connection is killed half-way leaves nothing, and is then written once', async () => {
  const { recorder, pool, timers, aRecord, rows } = await aRecordingWorld()
  recorder.record(aRecord())
  await recorder.flush()
  const holder = await pool.connect()
  await holder.query('begin')
  await holder.query('update auction_statistics set auctions = auctions')

  for (let i = 0; i < 500; i++) recorder.record(aRecord())
  await nextLoopTick()
  timers.pass(150)
  const pid = await waitingForLock(pool)
  await pool.query('select pg_terminate_backend($1)', [pid])
  await until('one timer waits', () => timers.waiting().length === 1)

  expect(timers.waiting()).toEqual([100])
  expect(await rows(COUNT)).toEqual([{ count: 1 }])
  await holder.query('commit')
  holder.release()
  timers.pass(100)
  await recorder.flush()
  expect(await rows(COUNT)).toEqual([{ count: 501 }])
  expect(await rows(SUMS)).toEqual([{ auctions: 501, won: 501, bids: 1_002, ecpm: 5_010_000 }])
})

test('a batch whose answer is lost after the commit counts once', async () => {
  const { db, deps } = await aRecordingWorld()
  const faults = [Object.assign(new Error('Connection terminated'), { code: 'ECONNRESET' })]
  const { recorder, rows, resultsOf, timers } = await recorderOn(answerLost(db, faults), db)

  for (let i = 0; i < 3; i++) recorder.record(recordsFrom(deps.ids)())
  await flushed(recorder, timers)

  expect(faults).toEqual([])
  expect(await rows()).toBe(3)
  expect(await resultsOf()).toEqual({ repeated: 3 })
})

test('while the database is unavailable records wait; beyond the limit the oldest are dropped and counted', async () => {
  const { db, deps } = await aRecordingWorld()
  const away = { isAway: true }
  const { recorder, rows, resultsOf, timers } = await recorderOn(awayWhile(db, away), db, 700_000)
  const aRecord = recordsFrom(deps.ids)

  const records = Array.from({ length: 3_000 }, () => aRecord())
  for (const record of records) recorder.record(record)
  await until('one timer waits', () => timers.waiting().length === 1)
  const dropped = (await resultsOf())['dropped']!
  away.isAway = false
  timers.pass(5_000)
  await recorder.flush()

  expect(dropped).toBeGreaterThan(0)
  expect(await rows()).toBe(3_000 - dropped)
  expect(await resultsOf()).toEqual({ dropped, added: 3_000 - dropped })
})

test('at shutdown the recorder tries three times, then gives up', async () => {
  const { db, deps } = await aRecordingWorld()
  const { recorder, resultsOf, timers } = await recorderOn(awayWhile(db, { isAway: true }), db)

  for (let i = 0; i < 700; i++) recorder.record(recordsFrom(deps.ids)())
  await flushed(recorder, timers)

  expect(await resultsOf()).toEqual({ dropped: 700 })
})

test('statistics equal a plain count over the auctions', async () => {
  const { recorder, pool, aRecord, rows } = await aRecordingWorld()
  const record = fc.record({
    minutes: fc.integer({ min: -120, max: 120 }),
    type: fc.constantFrom('feed', 'story', 'banner', 'billboard', 'x'),
    currency: fc.constantFrom('EUR', 'USD', undefined),
    bids: fc.integer({ min: 0, max: 9 }),
    scores: fc.array(fc.integer({ min: 0, max: 10 ** 12 }), { maxLength: 2 }),
    source: fc.constantFrom('auction' as const, 'booking' as const),
    times: fc.integer({ min: 1, max: 2 }),
  })

  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.array(record, { maxLength: 12 }), { maxLength: 4 }),
      async (batches) => {
        await pool.query('truncate auctions, auction_statistics')
        for (const batch of batches) {
          for (const { minutes, type, currency, bids, scores, source, times } of batch) {
            const made = aRecord({
              decidedAt: new Date(Date.parse('2026-06-15T00:00:00Z') + minutes * 60_000),
              placementType: type,
              currency,
              decision: aDecision({
                bidCount: bids,
                winners: scores.map((score) => aWinner({ score, source })),
              }),
            })
            for (let time = 0; time < times; time++) recorder.record(made)
          }
          await recorder.flush()
        }

        expect(await rows(PLAIN)).toEqual(await rows('table auction_statistics order by 1, 2, 3'))
      },
    ),
    { numRuns: 25, seed: 20_260_615 },
  )
})

const PLAIN = `
  select to_timestamp(floor(extract(epoch from auction_time) / 900) * 900) as bucket,
    case placement_type when 'feed' then 'feed' when 'story' then 'story' when 'banner' then 'banner'
      else 'other' end as placement_type,
    currency, count(*) as auctions, sum((jsonb_array_length(winners) > 0)::int) as won,
    sum((winning_ad_id is not null)::int) as priced, sum(bid_count) as bids,
    sum(coalesce(winning_ecpm_micros, 0)) as winning_ecpm_micros
  from auctions group by 1, 2, 3 order by 1, 2, 3`

/** A recorder on a database that misbehaves. */
async function recorderOn(db: Database, real: Database, bytesMax?: number) {
  const metrics = new Registry()
  const timers = manualTimers()
  const deps = depsOn({ db })
  const recorder = createRecorder({
    load: LOW_LOAD,
    ...deps,
    log: pino({ level: 'silent' }),
    metrics,
    timers,
    ...(bytesMax !== undefined && { bytesMax }),
  })
  const resultsOf = async () => {
    const { values } = await metrics.getSingleMetric('placard_auction_records_total')!.get()
    return Object.fromEntries(values.map(({ labels, value }) => [labels['result'], value]))
  }
  const rows = async () =>
    Number((await real.execute('select count(*) from auctions')).rows[0]!['count'])
  return { recorder, timers, resultsOf, rows }
}

/** Runs the query and then loses the answer. */
const answerLost = (db: Database, faults: Error[]): Database =>
  ({
    execute: (query: Parameters<Database['execute']>[0]) => db.execute(query),
    transaction: async (work: Parameters<Database['transaction']>[0]) => {
      const answer = await db.transaction(work)
      const fault = faults.pop()
      if (fault) throw fault
      return answer
    },
  }) as unknown as Database

const awayWhile = (db: Database, state: { isAway: boolean }): Database =>
  ({
    transaction: async (work: Parameters<Database['transaction']>[0]) => {
      if (state.isAway) throw Object.assign(new Error('connect'), { code: 'ECONNREFUSED' })
      return db.transaction(work)
    },
  }) as unknown as Database

type Pool = Awaited<ReturnType<typeof freshDatabase>>['pool']

async function waitingForLock(pool: Pool): Promise<number> {
  return until('a statement on auctions waits for a lock', async () => {
    const { rows } = await pool.query<{ pid: number }>(
      `select pid from pg_stat_activity
        where datname = current_database() and wait_event_type = 'Lock' and query like '%auctions%'`,
    )
    return rows[0]?.pid
  })
}

/** Flushes, and lets the pauses between the attempts pass. */
async function flushed(recorder: Recorder, timers: ManualTimers): Promise<void> {
  let isOver = false
  const flush = recorder.flush().finally(() => (isOver = true))
  await until('the flush is over', () => {
    timers.pass(5_000)
    return isOver
  })
  await flush
}

import { DAY_MS, HOUR_MS } from '@placard/calendar'
import { expect, test } from 'vitest'
import { proveLedger } from '../../budgets/index.ts'
import { silentLog } from '../../../testing/silent-log.ts'
import { rescoreJob } from './jobs.ts'
import { decisionDaysOf, statsDaysOf } from './rescore.ts'
import { addRescore, listRescores } from './store.ts'
import {
  addCampaign,
  aMarket,
  booksOf,
  eventsOf,
  type Market,
  settlerOn,
  stepOf,
} from '../testing.ts'

const CHARGE = 1_234_567

/** Three impressions and a view. Two of the impressions and the view come from a click farm. */
async function aFarm() {
  const market = await aMarket(1_000_000_000n)
  const campaignKey = await addCampaign(market, { dailyMicros: 10_000n, totalMicros: 50_000n })
  const anEvent = eventsOf(market)
  const fields = { campaignKey, chargeMicros: CHARGE }
  await settlerOn(market).settle(
    [
      anEvent({ ...fields, sessionId: 'farm' }),
      anEvent({ ...fields, sessionId: 'farm' }),
      anEvent({ ...fields, sessionId: 'person' }),
      anEvent({ ...fields, kind: 'view', sessionId: 'farm' }),
    ],
    { countsRepeats: true },
  )
  return { ...market, campaignKey }
}

async function orderFor(market: Market, sessionIds: readonly string[]) {
  const { deps, db } = market
  const nowMs = deps.clock.now().getTime()
  await addRescore(db, {
    publicId: deps.ids.next(),
    fromMs: nowMs - HOUR_MS,
    toMs: nowMs + HOUR_MS,
    label: 'blocked-session',
    rule: { sessionIds },
    filter: { sessionIds },
    note: 'a farm',
    orderedAt: deps.clock.now(),
    orderedBy: 'test',
  })
}

/** Runs the job as the worker does; returns the days whose report sums are to be rebuilt. */
async function runJob({ pool, deps }: Market): Promise<string[]> {
  const rebuilt: string[] = []
  const rebuildStats = async (day: string) => void rebuilt.push(day)
  await rescoreJob.run(
    {},
    { pool, clock: deps.clock, rebuildStats },
    { progress: () => {}, signal: new AbortController().signal, log: silentLog() },
  )
  return rebuilt
}

async function creditsIn({ pool }: Market) {
  const { rows } = await pool.query(
    `select scope, amount_micros::float8 as micros from ledger_entries
      where kind = 'credit' order by scope, micros`,
  )
  return rows
}

const proofOf = ({ pool, deps }: Market) =>
  proveLedger(
    { pool, clock: deps.clock },
    { fromDay: '2020-01-01', toDay: '2030-01-01', withEvents: true },
  )

test('a rescored event gives its charge back to the thousandth of a micro, and the ledger proves it', async () => {
  const market = await aFarm()
  await orderFor(market, ['farm'])

  await runJob(market)

  const left = { campaign: CHARGE, advertiser: CHARGE, total: CHARGE }
  expect(await booksOf(market.pool, market.campaignKey)).toEqual(left)
  expect(await creditsIn(market)).toEqual([
    { scope: 'advertiser', micros: -2_469 },
    { scope: 'campaign', micros: -2_469 },
  ])
  expect(await proofOf(market)).toMatchObject({ differenceMicros: 0n, faults: [] })
})

test('rescored counts move from valid to the new label, and the total stays', async () => {
  const market = await aFarm()
  await orderFor(market, ['farm'])

  const rebuilt = await runJob(market)

  const { rows } = await market.pool.query(
    `select label, impressions::integer, views::integer, charged_millis::float8 as millis
       from delivery_stats order by label`,
  )
  expect(rows).toEqual([
    { label: 'blocked-session', impressions: 2, views: 1, millis: 0 },
    { label: 'valid', impressions: 1, views: 0, millis: CHARGE },
  ])
  expect(rebuilt).toEqual(['2026-06-15', '2026-06-16'])
})

test('steps of a film follow its impression: nobody watched what nobody saw', async () => {
  const market = await aFarm()
  const { pool, campaignKey } = market
  const shown = eventsOf(market)({ campaignKey, sessionId: 'farm' })
  const other = eventsOf(market)({ campaignKey, sessionId: 'person' })
  const steps = [stepOf(shown, 'start'), stepOf(shown, 'complete'), stepOf(other, 'start')]
  await settlerOn(market).settle([shown, other, ...steps], { countsRepeats: true })
  await orderFor(market, ['farm'])

  await runJob(market)

  const sums = await pool.query(
    'select name, label, events::integer from progress_stats order by name, label',
  )
  expect(sums.rows).toEqual([
    { name: 'complete', label: 'blocked-session', events: 1 },
    { name: 'complete', label: 'valid', events: 0 },
    { name: 'start', label: 'blocked-session', events: 1 },
    { name: 'start', label: 'valid', events: 1 },
  ])
  const events = await pool.query(
    'select label, count(*)::integer from progress_events group by 1 order by 1',
  )
  expect(events.rows).toEqual([
    { label: 'blocked-session', count: 2 },
    { label: 'valid', count: 1 },
  ])
})

test('an order reports its result, and the same order again gives nothing back', async () => {
  const market = await aFarm()
  await orderFor(market, ['farm'])
  await runJob(market)
  const books = await booksOf(market.pool, market.campaignKey)

  await orderFor(market, ['farm'])
  await runJob(market)

  expect(await booksOf(market.pool, market.campaignKey)).toEqual(books)
  expect(await listRescores(market.db, 10)).toMatchObject([
    { events: 0, creditedMicros: '0', doneAt: expect.any(String) },
    { events: 3, creditedMicros: '2469', doneAt: expect.any(String) },
  ])
})

test('an order that fails leaves later ones their turn, and is tried again after them', async () => {
  const market = await aFarm()
  const { pool, deps } = market
  await orderFor(market, ['farm'])
  await pool.query(`update rescores set filter = '{"siteKey": "no number"}'`)
  await orderFor(market, ['person'])
  const done = async () => {
    const { rows } = await pool.query(
      'select done_at is not null as done from rescores order by id',
    )
    return rows.map((row) => row.done)
  }

  await expect(runJob(market)).rejects.toThrow('invalid input syntax')
  expect(await done()).toEqual([false, true])

  await pool.query(`update rescores set filter = '{"sessionIds": ["farm"]}' where done_at is null`)
  deps.clock.advance(60)
  await runJob(market)
  expect(await done()).toEqual([true, true])
})

test('two workers that run the same order at once give the money back once', async () => {
  const market = await aFarm()
  await orderFor(market, ['farm'])

  await Promise.all([runJob(market), runJob(market), runJob(market)])

  expect(await booksOf(market.pool, market.campaignKey)).toMatchObject({ campaign: CHARGE })
  expect(await proofOf(market)).toMatchObject({ differenceMicros: 0n, faults: [] })
})

test('credits taken one by one leave a remainder that later charges fill exactly', async () => {
  const market = await aFarm()
  await orderFor(market, ['farm'])
  await runJob(market)
  await orderFor(market, ['person'])
  await runJob(market)

  expect(await booksOf(market.pool, market.campaignKey)).toMatchObject({ campaign: 0, total: 0 })

  const fields = { campaignKey: market.campaignKey, chargeMicros: CHARGE }
  await settlerOn(market).settle([eventsOf(market)(fields)], { countsRepeats: true })
  expect(await booksOf(market.pool, market.campaignKey)).toMatchObject({ campaign: CHARGE })
  expect(await proofOf(market)).toMatchObject({ differenceMicros: 0n, faults: [] })
})

test('credited money can be spent again', async () => {
  const market = await aFarm()
  const fields = { campaignKey: market.campaignKey, chargeMicros: 8_000_000 }
  const anEvent = eventsOf(market)
  const settler = settlerOn(market)
  const [tooMuch] = (await settler.settle([anEvent({ ...fields })], { countsRepeats: true })).fresh
  expect(tooMuch).toMatchObject({ billing: 'over-delivery' })

  await orderFor(market, ['farm'])
  await runJob(market)

  const [fits] = (await settler.settle([anEvent({ ...fields })], { countsRepeats: true })).fresh
  expect(fits).toMatchObject({ billing: 'charged' })
})

test('a period’s events are searched in all decision days they may belong to', () => {
  const day = 20_000
  const period = { fromMs: day * DAY_MS, toMs: (day + 1) * DAY_MS }

  expect(statsDaysOf(period)).toEqual([day, day + 1])
  expect(decisionDaysOf('impression', period)).toEqual([day - 2, day - 1, day, day + 1, day + 2])
  expect(decisionDaysOf('click', period)[0]).toBe(day - 32)
})

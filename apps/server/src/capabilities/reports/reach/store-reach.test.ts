import { DAY_MS } from '@placard/calendar'
import type { ReportQuery } from '@placard/contract/reports'
import { expect, test } from 'vitest'
import { aHistory, diceOf, type History } from '../../../testing/worlds/history.ts'
import { utcDayOf } from '../../tracking/intake/event.ts'
import { eventsOf } from '../../tracking/testing.ts'
import { answerReport, type Dated } from '../operations.ts'
import type { ReportScope } from '../report.ts'
import { addReaders, rebuildReaders } from './store-reach.ts'
import { until } from '../../../testing/until.ts'

const PLATFORM: ReportScope = { kind: 'platform', accountId: 0n }

/** Three days on which sixty readers see campaigns of two advertisers. */
async function aReadHistory() {
  const history = await aHistory({ events: 0 })
  const dice = diceOf(7)
  const anEvent = eventsOf(history)
  const nowMs = history.deps.clock.now().getTime()
  const events = Array.from({ length: 400 }, () => {
    const { key: campaignKey, advertiserKey } = history.campaigns[dice(3)]!
    const occurredAtMs = nowMs - dice(3) * DAY_MS
    return anEvent({
      campaignKey,
      advertiserKey,
      userKey: dice(10) === 0 ? undefined : `reader-${dice(60)}`,
      siteKey: 1 + dice(2),
      placementKey: 1 + dice(2),
      label: dice(5) === 0 ? 'bot' : 'valid',
      occurredAtMs,
      decisionDay: utcDayOf(occurredAtMs),
    })
  })
  for (let at = 0; at < events.length; at += 50) {
    await history.settler.settle(events.slice(at, at + 50), { countsRepeats: true })
  }
  await history.addAll()
  await countAll(history)
  return history
}

async function countAll({ db, pool }: History): Promise<void> {
  await until('every batch is counted', async () => {
    const { hasMore } = await addReaders(db)
    const { rows } = await pool.query(
      `select 1 from settled_batches
        where (xid, id) > (select xid, id from stats_cursors where source = 'reach') limit 1`,
    )
    return !hasMore && rows.length === 0
  })
}

const ask = (fields: Partial<Dated<ReportQuery>> = {}): Dated<ReportQuery> => ({
  dimensions: [],
  metrics: ['reach'],
  from: '2026-06-12',
  to: '2026-06-16',
  limit: 1_000,
  ...fields,
})

/** Reach in plain SQL. With so few readers the estimate is exact to one reader. */
async function exactly({ pool }: History, by: string): Promise<Record<string, unknown>[]> {
  const { rows } = await pool.query(
    `select ${by} as name, a.currency, count(distinct user_key)::int as reach
       from impressions e join advertisers a on a.id = e.advertiser_id join campaigns c on c.id = e.campaign_id
      where label = 'valid' group by 1, 2 order by 1, 2`,
  )
  return rows
}

const near = (rows: readonly object[], names: readonly string[]) =>
  rows.map((row) => {
    const { reach, currency, ...fields } = row as Record<string, unknown>
    const name = names.map((field) => fields[field]).join(' ')
    return { name, currency, reach: expect.closeTo(reach as number, -0.5) as unknown }
  })

test('readers are counted once by day and campaign, by week, and in total', async () => {
  const history = await aReadHistory()
  const { db } = history
  const read = (fields: Partial<Dated<ReportQuery>>) => answerReport(db, ask(fields), PLATFORM)

  const byDay = await read({ dimensions: ['day', 'campaign'] })
  const byWeek = await read({ dimensions: ['week'] })

  const day = `(occurred_at at time zone 'UTC')::date`
  expect(await exactly(history, `${day}::text || ' ' || c.public_id`)).toEqual(
    near(byDay.rows, ['day', 'campaignId']),
  )
  expect(await exactly(history, `date_trunc('week', ${day})::date::text`)).toEqual(
    near(byWeek.rows, ['week']),
  )
  expect(await exactly(history, `''`)).toEqual(near(byDay.totals, []))
  expect(byDay.rows.length).toBeGreaterThan(6)
})

test('an advertiser gets the readers of its own campaigns, and a reason for every refused report', async () => {
  const history = await aReadHistory()
  const own: ReportScope = { kind: 'advertiser', accountId: history.accountId }
  const { rows, totals } = await answerReport(history.db, ask({ dimensions: ['campaign'] }), own)

  expect(rows).toHaveLength(2)
  const exact = await exactly(history, `''`)
  expect(near(totals, [])).toEqual(exact.filter(({ currency }) => currency === 'EUR'))
  for (const dimensions of [['site'], ['country'], ['campaign', 'placement']] as const) {
    const requested = answerReport(history.db, ask({ dimensions: [...dimensions] }), own)
    await expect(requested).rejects.toThrow('Readers are counted by')
  }
  const requested = answerReport(history.db, ask({ timeZone: 'Asia/Kolkata' }), own)
  await expect(requested).rejects.toThrow('UTC')
})

test('the previous period has its own readers', async () => {
  const history = await aReadHistory()
  const days = { from: '2026-06-15', to: '2026-06-15' }
  const { totals } = await answerReport(
    history.db,
    ask({ ...days, compare: 'previous-period' }),
    PLATFORM,
  )
  const before = await answerReport(
    history.db,
    ask({ from: '2026-06-14', to: '2026-06-14' }),
    PLATFORM,
  )

  const reached = (rows: readonly object[]) => rows.map((row) => (row as { reach: number }).reach)
  expect(totals.map(({ previous }) => previous)).toEqual(
    reached(before.totals).map((reach) => ({ reach })),
  )
})

test('a recounted day is unchanged, except for readers whose impressions were rescored', async () => {
  const history = await aReadHistory()
  const contents = async () =>
    (await history.pool.query(`select * from reach_sketches order by 1, 2, 3, 4`)).rows
  const before = await contents()

  for (const day of ['2026-06-13', '2026-06-14', '2026-06-15'])
    await rebuildReaders(history.db, day)
  expect(await contents()).toEqual(before)

  await history.pool.query(`update impressions set label = 'bot' where user_key like '%1'`)
  for (const day of ['2026-06-13', '2026-06-14', '2026-06-15'])
    await rebuildReaders(history.db, day)
  const { totals } = await answerReport(history.db, ask(), PLATFORM)
  expect(await exactly(history, `''`)).toEqual(near(totals, []))
})

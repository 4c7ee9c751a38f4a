import { describe, expect, test, vi } from 'vitest'
import { manualTimers } from '../../../platform/background/manual-timers.ts'
import type { TrackedEvent } from '../intake/event.ts'
import { judgeClick } from './clicks.ts'
import { insertEvents } from './store-events.ts'
import {
  addCampaign,
  aMarket,
  booksOf,
  countRows,
  eventsOf,
  ingestOn,
  type Market,
  settlerOn,
} from '../testing.ts'

const FIRST = { countsRepeats: true }
/** No batch is this old, so only early clicks that need not wait are listed. */
const READY = { olderThanMs: 3_600_000, except: [], limit: 100 }
const CHARGED = [{ label: 'valid', billing: 'charged' }]
const LONELY = [{ label: 'no-impression', billing: 'invalid' }]

/** One node stages an impression, and its click reaches another node on the same database. */
async function twoNodes() {
  const market = await aMarket()
  const campaignKey = await addCampaign(market)
  const anEvent = eventsOf(market)
  const nowMs = market.deps.clock.now().getTime()
  const fields = { campaignKey, pricing: 'cpc', chargeMicros: 2_000 } as const
  const shown = anEvent({ ...fields, occurredAtMs: nowMs - 1_000 })
  const click = anEvent({ ...fields, kind: 'click', decisionId: shown.decisionId })
  const [one, two] = [settlerOn(market), settlerOn(market)]
  const stage = (...events: TrackedEvent[]) => one.staging.add(events)
  return { market, campaignKey, anEvent, fields, shown, click, one, two, stage }
}

const idsOf = (batches: readonly { readonly id: number }[]) => batches.map(({ id }) => id)

const clicksOf = async ({ pool }: Market) =>
  (await pool.query('select label, billing from clicks order by label')).rows

const stagedBatchesOf = async ({ pool }: Market) =>
  (await pool.query('select id::integer, is_early from event_inbox order by id')).rows

describe('a click that overtakes its impression on another node', () => {
  test('an overtaking click waits until its impression is settled, and is billed', async () => {
    const { market, campaignKey, shown, click, one, two, stage } = await twoNodes()
    const staged = await stage(shown)

    const settled = await two.settle([click], FIRST)

    expect(settled).toMatchObject({ early: 1, fresh: [], repeats: 0 })
    expect(await clicksOf(market)).toEqual([])
    expect(await two.staging.list(READY)).toEqual([])

    await one.staging.settle([staged], FIRST)
    const batches = await two.staging.list(READY)
    await two.staging.settle(idsOf(batches), FIRST)

    expect(batches).toEqual([{ id: staged + 1, count: 1, isEarly: true }])
    expect(await clicksOf(market)).toEqual(CHARGED)
    expect((await booksOf(market.pool, campaignKey)).campaign).toBe(2_000_000)
    expect(await stagedBatchesOf(market)).toEqual([])
  })

  test('an early click is settled soon by the node that received it, and its repeats count', async () => {
    const { market, shown, click, one, stage } = await twoNodes()
    const timers = manualTimers()
    const node = ingestOn(market, { timers })
    await node.opened()
    const staged = await stage(shown)

    await Promise.all([node.accept(click), node.accept(click)])
    await one.staging.settle([staged], FIRST)
    timers.pass(200)

    await vi.waitFor(async () => expect(await clicksOf(market)).toEqual(CHARGED), 5_000)
    await node.stop()
    expect(await duplicatesOf(market)).toBe(1)
    expect(await stagedBatchesOf(market)).toEqual([])
  })

  test('an early click of an ended process is settled by the next process', async () => {
    const { market, shown, click, two, stage } = await twoNodes()
    await stage(shown)
    await two.settle([click], FIRST)

    await ingestOn(market).opened()

    expect(await clicksOf(market)).toEqual(CHARGED)
    expect(await stagedBatchesOf(market)).toEqual([])
  })

  test('an early click stays in its staged batch while the rest of the batch settles', async () => {
    const { market, anEvent, campaignKey, shown, click, two, stage } = await twoNodes()
    const staged = await stage(shown)
    const both = await stage(anEvent({ campaignKey }), click)

    const settled = await two.staging.settle([both], FIRST)

    expect(settled).toMatchObject({ early: 1, repeats: 0 })
    expect(await countRows(market.pool, 'impressions')).toBe(1)
    expect(await stagedBatchesOf(market)).toEqual([
      { id: staged, is_early: false },
      { id: both, is_early: true },
    ])
  })

  test('an early click does not wait for later batches, nor for other clicks', async () => {
    const { market, anEvent, campaignKey, click, two, stage } = await twoNodes()
    const own = await stage(click)
    const later = await stage(anEvent({ campaignKey }))
    await market.pool.query(
      `insert into event_inbox (id, events, is_early) overriding system value
       values (-1, '{"fields": [], "rows": []}', true)`,
    )

    await two.staging.settle([own], FIRST)

    expect(await clicksOf(market)).toEqual(LONELY)
    expect(await stagedBatchesOf(market)).toMatchObject([{ id: -1 }, { id: later }])
  })

  test('an early click counts once when two nodes judge it again at the same time', async () => {
    const { market, campaignKey, shown, click, one, two, stage } = await twoNodes()
    const staged = await stage(shown)
    await two.settle([click], FIRST)
    await one.staging.settle([staged], FIRST)

    const batches = await one.staging.list(READY)
    const settled = await Promise.all(
      [one, two].map((node) => node.staging.settle(idsOf(batches), FIRST)),
    )

    expect(settled.map(({ fresh }) => fresh.length).toSorted((a, b) => a - b)).toEqual([0, 1])
    expect(await clicksOf(market)).toEqual(CHARGED)
    expect((await booksOf(market.pool, campaignKey)).campaign).toBe(2_000_000)
    expect(await duplicatesOf(market)).toBe(0)
  })

  test('an early click stays staged when two nodes restage it at the same time', async () => {
    const { market, shown, click, one, two, stage } = await twoNodes()
    const staged = await stage(shown)
    const own = await stage(click)

    await Promise.all([one, two].map((node) => node.staging.settle([own], FIRST)))

    expect(await stagedBatchesOf(market)).toMatchObject([
      { id: staged },
      { id: own, is_early: true },
    ])
  })

  test('an early click that is repeated counts as one click and one duplicate', async () => {
    const { market, shown, click, one, two, stage } = await twoNodes()
    const staged = await stage(shown)
    await two.settle([click, click], FIRST)
    await one.staging.settle([staged], FIRST)

    const batches = await two.staging.list(READY)
    await two.staging.settle(idsOf(batches), FIRST)

    expect(batches).toMatchObject([{ count: 2 }])
    expect(await clicksOf(market)).toEqual(CHARGED)
    expect(await duplicatesOf(market)).toBe(1)
  })

  test('an early click without a tracking link counts once by its own key', async () => {
    const { market, shown, click, one, two, stage } = await twoNodes()
    const loose = { ...click, seenKey: '00000000-0000-8000-b000-000000000001' }
    const staged = await stage(shown)
    await two.settle([loose], FIRST)
    expect(await countRows(market.pool, 'seen_events')).toBe(0)

    await one.staging.settle([staged], FIRST)
    await two.staging.settle(idsOf(await two.staging.list(READY)), FIRST)

    expect(await clicksOf(market)).toEqual(CHARGED)
    expect(await countRows(market.pool, 'seen_events')).toBe(1)
  })

  test('an early click waits even if its batch contains a rejected event', async () => {
    const { market, anEvent, campaignKey, shown, click, one, two, stage } = await twoNodes()
    const staged = await stage(shown)
    const batch = await stage(click, anEvent({ campaignKey, userKey: 'a\u0000b' }))

    const settled = await two.staging.settle([batch], FIRST)
    await one.staging.settle([staged], FIRST)
    await two.staging.settle(idsOf(await two.staging.list(READY)), FIRST)

    expect(settled).toMatchObject({ early: 1, quarantined: 1 })
    expect(await clicksOf(market)).toEqual(CHARGED)
    expect(await stagedBatchesOf(market)).toEqual([])
  })

  test('a click finds an impression that was stored while it waited for the ledger accounts', async () => {
    const { market, anEvent, campaignKey, shown, click, one, two } = await twoNodes()
    await one.settle([anEvent({ campaignKey })], FIRST)
    const other = await market.pool.connect()
    await other.query('begin; select 1 from budget_days for update')

    const settled = two.settle([click], FIRST)
    await vi.waitFor(async () => expect(await countBlocked(market)).toBe(1), 5_000)
    const rows = [{ event: shown, billing: 'free', chargedMillis: 0n }] as const
    await insertEvents(other, { kind: 'impression', rows, batchId: 1n })
    await other.query('commit')
    other.release()

    expect(await settled).toMatchObject({ early: 0 })
    expect(await clicksOf(market)).toEqual(CHARGED)
  })
})

describe('an early click', () => {
  test('an early click does not wait for a batch that was staged over a minute ago', async () => {
    const { market, shown, click, two, stage } = await twoNodes()
    await stage(shown)
    const settled = await two.settle([click], FIRST)
    await market.pool.query(`update event_inbox set noted_at = noted_at - interval '1 minute'`)

    const batches = await two.staging.list(READY)
    await two.staging.settle(idsOf(batches), FIRST)

    expect(settled.early).toBe(1)
    expect(batches).toHaveLength(1)
    expect(await clicksOf(market)).toEqual(LONELY)
  })

  test('an early click is judged at once when too many wait already, and is counted as refused', async () => {
    const { market, shown, click, two, stage } = await twoNodes()
    await stage(shown)
    await market.pool.query(
      `insert into event_inbox (events, is_early) select '{}', true from generate_series(1, 10000)`,
    )

    const settled = await two.settle([click], FIRST)

    expect(settled).toMatchObject({ early: 0, earlyRefused: 1 })
    expect(await clicksOf(market)).toEqual(LONELY)
  })
})

test.each([
  [undefined, 'no-impression'],
  [0, 'valid'],
  [1, 'too-fast'],
  [200, 'too-fast'],
])('a click at 100 ms after an impression at %s ms is %s', (impressionAtMs, label) => {
  expect(judgeClick(100, impressionAtMs)).toBe(label)
})

async function duplicatesOf({ pool }: Market): Promise<number> {
  const { rows } = await pool.query(
    `select coalesce(sum(clicks), 0)::integer as sum from delivery_stats where label = 'duplicate'`,
  )
  return rows[0].sum
}

async function countBlocked({ pool }: Market): Promise<number> {
  const { rows } = await pool.query(
    `select count(*)::integer as count from pg_stat_activity
      where application_name = 'placard ingest' and datname = current_database()
        and wait_event_type = 'Lock'`,
  )
  return rows[0].count
}

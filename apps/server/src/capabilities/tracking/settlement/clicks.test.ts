import { describe, expect, test, vi } from 'vitest'
import { manualTimers } from '../../../platform/background/manual-timers.ts'
import type { TrackedEvent } from '../intake/event.ts'
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
/** Longer than any note lies here: only early clicks that need not wait are found. */
const READY = { olderThanMs: 3_600_000, except: [], limit: 100 }
const CHARGED = [{ label: 'valid', billing: 'charged' }]
const LONELY = [{ label: 'no-impression', billing: 'invalid' }]

/** One node has noted an impression; its click comes to another. Both on one database. */
async function twoNodes() {
  const market = await aMarket()
  const campaignKey = await addCampaign(market)
  const anEvent = eventsOf(market)
  const nowMs = market.deps.clock.now().getTime()
  const its = { campaignKey, pricing: 'cpc', chargeMicros: 2_000 } as const
  const shown = anEvent({ ...its, occurredAtMs: nowMs - 1_000 })
  const click = anEvent({ ...its, kind: 'click', decisionId: shown.decisionId })
  const [one, two] = [settlerOn(market), settlerOn(market)]
  const note = (...events: TrackedEvent[]) => one.inbox.add(events)
  return { market, campaignKey, anEvent, its, shown, click, one, two, note }
}

const idsOf = (notes: readonly { readonly id: number }[]) => notes.map(({ id }) => id)

const clicksOf = async ({ pool }: Market) =>
  (await pool.query('select label, billing from clicks order by label')).rows

const notesOf = async ({ pool }: Market) =>
  (await pool.query('select id::integer, is_early from event_inbox order by id')).rows

describe('a click that overtakes its impression on another node', () => {
  test('waits until that is settled, and is billed', async () => {
    const { market, campaignKey, shown, click, one, two, note } = await twoNodes()
    const noted = await note(shown)

    const settled = await two.settle([click], FIRST)

    expect(settled).toMatchObject({ early: 1, fresh: [], repeats: 0 })
    expect(await clicksOf(market)).toEqual([])
    expect(await two.inbox.list(READY)).toEqual([])

    await one.inbox.settle([noted], FIRST)
    const notes = await two.inbox.list(READY)
    await two.inbox.settle(idsOf(notes), FIRST)

    expect(notes).toEqual([{ id: noted + 1, count: 1, isEarly: true }])
    expect(await clicksOf(market)).toEqual(CHARGED)
    expect((await booksOf(market.pool, campaignKey)).campaign).toBe(2_000_000)
    expect(await notesOf(market)).toEqual([])
  })

  test('is looked for soon by the node that took it, and its repeats are counted', async () => {
    const { market, shown, click, one, note } = await twoNodes()
    const timers = manualTimers()
    const node = ingestOn(market, { timers })
    await node.opened()
    const noted = await note(shown)

    await Promise.all([node.accept(click), node.accept(click)])
    await one.inbox.settle([noted], FIRST)
    timers.pass(200)

    await vi.waitFor(async () => expect(await clicksOf(market)).toEqual(CHARGED), 5_000)
    await node.stop()
    expect(await duplicatesOf(market)).toBe(1)
    expect(await notesOf(market)).toEqual([])
  })

  test('is settled by the next process when its own is gone', async () => {
    const { market, shown, click, two, note } = await twoNodes()
    await note(shown)
    await two.settle([click], FIRST)

    await ingestOn(market).opened()

    expect(await clicksOf(market)).toEqual(CHARGED)
    expect(await notesOf(market)).toEqual([])
  })

  test('stays in the note it was in, and the rest of the note is settled', async () => {
    const { market, anEvent, campaignKey, shown, click, two, note } = await twoNodes()
    const noted = await note(shown)
    const both = await note(anEvent({ campaignKey }), click)

    const settled = await two.inbox.settle([both], FIRST)

    expect(settled).toMatchObject({ early: 1, repeats: 0 })
    expect(await countRows(market.pool, 'impressions')).toBe(1)
    expect(await notesOf(market)).toEqual([
      { id: noted, is_early: false },
      { id: both, is_early: true },
    ])
  })

  test('does not wait for what was noted after it, nor for other clicks', async () => {
    const { market, anEvent, campaignKey, click, two, note } = await twoNodes()
    const own = await note(click)
    const later = await note(anEvent({ campaignKey }))
    await market.pool.query(
      `insert into event_inbox (id, events, is_early) overriding system value
       values (-1, '{"fields": [], "rows": []}', true)`,
    )

    await two.inbox.settle([own], FIRST)

    expect(await clicksOf(market)).toEqual(LONELY)
    expect(await notesOf(market)).toMatchObject([{ id: -1 }, { id: later }])
  })

  test('counts once when two nodes judge it again at once', async () => {
    const { market, campaignKey, shown, click, one, two, note } = await twoNodes()
    const noted = await note(shown)
    await two.settle([click], FIRST)
    await one.inbox.settle([noted], FIRST)

    const notes = await one.inbox.list(READY)
    const settled = await Promise.all(
      [one, two].map((node) => node.inbox.settle(idsOf(notes), FIRST)),
    )

    expect(settled.map(({ fresh }) => fresh.length).toSorted((a, b) => a - b)).toEqual([0, 1])
    expect(await clicksOf(market)).toEqual(CHARGED)
    expect((await booksOf(market.pool, campaignKey)).campaign).toBe(2_000_000)
    expect(await duplicatesOf(market)).toBe(0)
  })

  test('stays noted when two nodes put it back at once', async () => {
    const { market, shown, click, one, two, note } = await twoNodes()
    const noted = await note(shown)
    const own = await note(click)

    await Promise.all([one, two].map((node) => node.inbox.settle([own], FIRST)))

    expect(await notesOf(market)).toMatchObject([{ id: noted }, { id: own, is_early: true }])
  })

  test('that comes twice while it waits is one click and one duplicate', async () => {
    const { market, shown, click, one, two, note } = await twoNodes()
    const noted = await note(shown)
    await two.settle([click, click], FIRST)
    await one.inbox.settle([noted], FIRST)

    const notes = await two.inbox.list(READY)
    await two.inbox.settle(idsOf(notes), FIRST)

    expect(notes).toMatchObject([{ count: 2 }])
    expect(await clicksOf(market)).toEqual(CHARGED)
    expect(await duplicatesOf(market)).toBe(1)
  })

  test('counts by its own key after it has waited', async () => {
    const { market, shown, click, one, two, note } = await twoNodes()
    const loose = { ...click, seenKey: '00000000-0000-8000-b000-000000000001' }
    const noted = await note(shown)
    await two.settle([loose], FIRST)
    expect(await countRows(market.pool, 'seen_events')).toBe(0)

    await one.inbox.settle([noted], FIRST)
    await two.inbox.settle(idsOf(await two.inbox.list(READY)), FIRST)

    expect(await clicksOf(market)).toEqual(CHARGED)
    expect(await countRows(market.pool, 'seen_events')).toBe(1)
  })

  test('waits also when something in its batch is poison', async () => {
    const { market, anEvent, campaignKey, shown, click, one, two, note } = await twoNodes()
    const noted = await note(shown)
    const batch = await note(click, anEvent({ campaignKey, userKey: 'a\u0000b' }))

    const settled = await two.inbox.settle([batch], FIRST)
    await one.inbox.settle([noted], FIRST)
    await two.inbox.settle(idsOf(await two.inbox.list(READY)), FIRST)

    expect(settled).toMatchObject({ early: 1, quarantined: 1 })
    expect(await clicksOf(market)).toEqual(CHARGED)
    expect(await notesOf(market)).toEqual([])
  })

  test('sees an impression that was stored while it waited for its accounts', async () => {
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

describe('how long, and how many', () => {
  test('a click does not wait for a note that nobody has settled for a minute', async () => {
    const { market, shown, click, two, note } = await twoNodes()
    await note(shown)
    const settled = await two.settle([click], FIRST)
    await market.pool.query(`update event_inbox set noted_at = noted_at - interval '1 minute'`)

    const notes = await two.inbox.list(READY)
    await two.inbox.settle(idsOf(notes), FIRST)

    expect(settled.early).toBe(1)
    expect(notes).toHaveLength(1)
    expect(await clicksOf(market)).toEqual(LONELY)
  })

  test('a click is judged at once when too many wait already, and that is counted', async () => {
    const { market, shown, click, two, note } = await twoNodes()
    await note(shown)
    await market.pool.query(
      `insert into event_inbox (events, is_early) select '{}', true from generate_series(1, 10000)`,
    )

    const settled = await two.settle([click], FIRST)

    expect(settled).toMatchObject({ early: 0, earlyRefused: 1 })
    expect(await clicksOf(market)).toEqual(LONELY)
  })
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

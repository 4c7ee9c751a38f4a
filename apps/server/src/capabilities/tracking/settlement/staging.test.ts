import { LOAD_WINDOW_MS } from '../../../platform/background/load.ts'
import { describe, expect, test } from 'vitest'
import { manualTimers } from '../../../platform/background/manual-timers.ts'
import type { TrackedEvent } from '../intake/event.ts'
import { Inbox } from './staging.ts'
import type { Settlement } from './settler.ts'
import { readNotes } from './store-staging.ts'
import {
  addCampaign,
  aMarket,
  booksOf,
  countRows,
  eventsOf,
  ingestOn,
  settlerOn,
} from '../testing.ts'

const CROWD = 100

async function aCrowd() {
  const market = await aMarket()
  const campaignKey = await addCampaign(market)
  const anEvent = eventsOf(market)
  const events = Array.from({ length: CROWD }, () => anEvent({ campaignKey }))
  return { market, campaignKey, anEvent, events }
}

const inOrder = (events: readonly TrackedEvent[], ids: readonly string[]) =>
  events.map(({ eventId }) => ids.indexOf(eventId)).every((at, i) => at === i)

describe('the inbox', () => {
  test('a crowd is acknowledged when it is noted, and settled right after', async () => {
    const { market, campaignKey, events } = await aCrowd()
    const kept: TrackedEvent[] = []
    const ingest = ingestOn(market, { observer: { kept: (noted) => kept.push(...noted) } })

    const receipts = await Promise.all(events.map((event) => ingest.accept(event)))
    const noted = ingest.noted()
    await ingest.stop()

    expect(kept).toEqual(events)
    expect([noted, ingest.noted()]).toEqual([CROWD, 0])

    expect(new Set(receipts)).toEqual(new Set(['spooled']))
    expect(await countRows(market.pool, 'impressions')).toBe(CROWD)
    expect(await countRows(market.pool, 'event_inbox')).toBe(0)
    expect((await booksOf(market.pool, campaignKey)).campaign).toBe(CROWD * 1_000_000)
  })

  test('a few events are settled before they are acknowledged', async () => {
    const { market, events } = await aCrowd()
    const ingest = ingestOn(market)

    const receipts = await Promise.all(events.slice(0, 3).map((event) => ingest.accept(event)))

    expect(receipts).toEqual(['settled', 'settled', 'settled'])
    expect(await countRows(market.pool, 'impressions')).toBe(3)
  })

  test('what a killed process has noted is settled by the next one, before anything new', async () => {
    const { market, campaignKey, anEvent, events } = await aCrowd()
    const impression = events[0]!
    const { decisionId } = impression
    await settlerOn(market).inbox.add(events)

    const ingest = ingestOn(market)
    const occurredAtMs = impression.occurredAtMs + 5_000
    const click = anEvent({ campaignKey, decisionId, kind: 'click', pricing: 'cpc', occurredAtMs })
    await ingest.accept(click)
    await ingest.stop()

    expect(await countRows(market.pool, 'impressions')).toBe(CROWD)
    const { rows } = await market.pool.query('select label, billing from clicks')
    expect(rows).toEqual([{ label: 'valid', billing: 'charged' }])
  })

  test('an ingest is open when what was left behind is settled, and whoever watches knows of it', async () => {
    const { market, events } = await aCrowd()
    await settlerOn(market).inbox.add(events)

    const told: number[] = []
    const settled = ({ fresh }: Settlement) => void told.push(fresh.length)
    await ingestOn(market, { observer: { settled } }).opened()

    expect(told).toEqual([CROWD])
  })

  test('a note that two processes settle counts once, and nothing in it as a repeat', async () => {
    const { market, events } = await aCrowd()
    const settler = settlerOn(market)
    const id = await settler.inbox.add(events)

    const terms = { countsRepeats: true }
    await Promise.all([settler.inbox.settle([id], terms), settler.inbox.settle([id], terms)])

    const { rows } = await market.pool.query(
      'select label, sum(impressions)::integer as sum from delivery_stats group by label',
    )
    expect(rows).toEqual([{ label: 'valid', sum: CROWD }])
  })

  test('notes are found, and read, in the order in which they were made', async () => {
    const { market, events } = await aCrowd()
    const { inbox } = settlerOn(market)
    for (let i = 0; i < CROWD; i += 10) await inbox.add(events.slice(i, i + 10))

    const found = await inbox.list({ olderThanMs: 0, except: [], limit: 100 })
    const notes = await readNotes(market.pool, found.map(({ id }) => id).toReversed())

    expect(found.map(({ count }) => count)).toEqual(Array(10).fill(10))
    const ids = notes.flatMap(({ events }) => events.map(({ eventId }) => eventId))
    expect(inOrder(events, ids)).toBe(true)
  })

  test('an event that no table takes is quarantined, and its note goes with the rest', async () => {
    const { market, anEvent, campaignKey, events } = await aCrowd()
    const poison = anEvent({ campaignKey, userKey: 'a\u0000b' })
    const crowd = [...events.slice(0, 60), poison, ...events.slice(60)]
    const ingest = ingestOn(market)

    await Promise.all(crowd.map((event) => ingest.accept(event)))
    await ingest.stop()

    expect(await countRows(market.pool, 'impressions')).toBe(CROWD)
    expect(await countRows(market.pool, 'quarantined_events')).toBe(1)
    expect(await countRows(market.pool, 'event_inbox')).toBe(0)
  })
})

const BATCH = 256
/** Under high load no batch is larger. */
const SMALL_BATCH = 2_000
const DEFER = { deferMax: 20_000, deferMsMax: 1_000, waitMsMax: 500 }

/** An inbox that stages at once; the test sets the load and lets time pass. */
async function aBurst(defer = DEFER) {
  const timers = manualTimers()
  const settled: number[] = []
  const counts: number[] = []
  const settle = async (ids: readonly number[]) => {
    settled.push(ids.reduce((sum, id) => sum + counts[id]!, 0))
    return { fresh: [], seen: [], repeats: 0, quarantined: 0, early: 0, earlyRefused: 0 }
  }
  const add = async (events: readonly TrackedEvent[]) => counts.push(events.length) - 1
  let isHigh = true
  const inbox = new Inbox({
    store: { add, settle, list: async () => [] },
    timers,
    load: { isHigh: () => isHigh },
    settings: { batchMax: 30_000, waitingMax: 30_000, ...defer },
    earlier: async () => {},
    settled() {},
    failed() {},
    drained() {},
  })
  await inbox.opened()
  const note = async (count: number) => {
    await inbox.note(Array.from({ length: count }, () => ({}) as TrackedEvent))
    await new Promise(setImmediate)
  }
  const pass = async (ms = LOAD_WINDOW_MS) => {
    for (let passedMs = 0; passedMs < ms; passedMs += LOAD_WINDOW_MS) {
      timers.pass(LOAD_WINDOW_MS)
      await new Promise(setImmediate)
    }
  }
  return { note, pass, settled, loadFalls: () => (isHigh = false) }
}

describe('while the load is high', () => {
  test('staged events wait, and are settled together when it falls', async () => {
    const { note, pass, settled, loadFalls } = await aBurst()

    for (let i = 0; i < 4; i++) {
      await note(BATCH)
      await pass()
    }
    expect(settled).toEqual([])
    loadFalls()
    await pass()

    expect(settled).toEqual([4 * BATCH])
  })

  test('a small batch is settled as often as the setting says', async () => {
    const { note, pass, settled } = await aBurst()

    for (let i = 0; i < 10; i++) await note(BATCH)
    await pass(DEFER.waitMsMax - LOAD_WINDOW_MS)
    expect(settled).toEqual([])
    await pass()

    expect(settled).toEqual([SMALL_BATCH - (SMALL_BATCH % BATCH)])
  })

  test('no event waits longer than the setting', async () => {
    const { note, pass, settled } = await aBurst()

    for (let i = 0; i < 40; i++) await note(BATCH)
    await pass(DEFER.deferMsMax)

    expect(settled.reduce((sum, count) => sum + count, 0)).toBe(40 * BATCH)
    expect(settled.at(-1)).toBeGreaterThan(SMALL_BATCH)
  })

  test('nothing waits where the setting is 0', async () => {
    const { note, settled } = await aBurst({ ...DEFER, deferMsMax: 0 })

    await note(BATCH)
    await note(BATCH)

    expect(settled).toEqual([BATCH, BATCH])
  })

  test('no more events wait than the setting', async () => {
    const { note, pass, settled } = await aBurst()

    await note(BATCH)
    await note(DEFER.deferMax)
    expect(settled).toEqual([])
    await pass()

    expect(settled).toEqual([DEFER.deferMax + BATCH])
  })
})

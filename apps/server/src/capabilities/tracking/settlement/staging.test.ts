import { LOAD_WINDOW_MS } from '../../../platform/background/load.ts'
import { describe, expect, test } from 'vitest'
import { manualTimers } from '../../../platform/background/manual-timers.ts'
import type { TrackedEvent } from '../intake/event.ts'
import { Staging } from './staging.ts'
import type { Settlement } from './settler.ts'
import { readStagedBatches } from './store-staging.ts'
import {
  addCampaign,
  aMarket,
  booksOf,
  countRows,
  eventsOf,
  ingestOn,
  settlerOn,
} from '../testing.ts'

const LARGE = 100

async function aLargeBatch() {
  const market = await aMarket()
  const campaignKey = await addCampaign(market)
  const anEvent = eventsOf(market)
  const events = Array.from({ length: LARGE }, () => anEvent({ campaignKey }))
  return { market, campaignKey, anEvent, events }
}

const inOrder = (events: readonly TrackedEvent[], ids: readonly string[]) =>
  events.map(({ eventId }) => ids.indexOf(eventId)).every((at, i) => at === i)

describe('staging', () => {
  test('a large batch is acknowledged once it is staged, and settles right after', async () => {
    const { market, campaignKey, events } = await aLargeBatch()
    const kept: TrackedEvent[] = []
    const ingest = ingestOn(market, { observer: { kept: (staged) => kept.push(...staged) } })

    const receipts = await Promise.all(events.map((event) => ingest.accept(event)))
    const staged = ingest.stagedCount()
    await ingest.stop()

    expect(kept).toEqual(events)
    expect([staged, ingest.stagedCount()]).toEqual([LARGE, 0])

    expect(new Set(receipts)).toEqual(new Set(['spooled']))
    expect(await countRows(market.pool, 'impressions')).toBe(LARGE)
    expect(await countRows(market.pool, 'event_inbox')).toBe(0)
    expect((await booksOf(market.pool, campaignKey)).campaign).toBe(LARGE * 1_000_000)
  })

  test('a small batch settles before it is acknowledged', async () => {
    const { market, events } = await aLargeBatch()
    const ingest = ingestOn(market)

    const receipts = await Promise.all(events.slice(0, 3).map((event) => ingest.accept(event)))

    expect(receipts).toEqual(['settled', 'settled', 'settled'])
    expect(await countRows(market.pool, 'impressions')).toBe(3)
  })

  test('the next process settles batches that a killed one staged, before any new event', async () => {
    const { market, campaignKey, anEvent, events } = await aLargeBatch()
    const impression = events[0]!
    const { decisionId } = impression
    await settlerOn(market).staging.add(events)

    const ingest = ingestOn(market)
    const occurredAtMs = impression.occurredAtMs + 5_000
    const click = anEvent({ campaignKey, decisionId, kind: 'click', pricing: 'cpc', occurredAtMs })
    await ingest.accept(click)
    await ingest.stop()

    expect(await countRows(market.pool, 'impressions')).toBe(LARGE)
    const { rows } = await market.pool.query('select label, billing from clicks')
    expect(rows).toEqual([{ label: 'valid', billing: 'charged' }])
  })

  test('`opened` resolves when batches of an earlier process are settled and the observer knows them', async () => {
    const { market, events } = await aLargeBatch()
    await settlerOn(market).staging.add(events)

    const counts: number[] = []
    const settled = ({ fresh }: Settlement) => void counts.push(fresh.length)
    await ingestOn(market, { observer: { settled } }).opened()

    expect(counts).toEqual([LARGE])
  })

  test('a batch that two processes settle counts once, and none of its events as a repeat', async () => {
    const { market, events } = await aLargeBatch()
    const settler = settlerOn(market)
    const id = await settler.staging.add(events)

    const terms = { countsRepeats: true }
    await Promise.all([settler.staging.settle([id], terms), settler.staging.settle([id], terms)])

    const { rows } = await market.pool.query(
      'select label, sum(impressions)::integer as sum from delivery_stats group by label',
    )
    expect(rows).toEqual([{ label: 'valid', sum: LARGE }])
  })

  test('staged batches are listed and read in the order of staging', async () => {
    const { market, events } = await aLargeBatch()
    const { staging } = settlerOn(market)
    for (let i = 0; i < LARGE; i += 10) await staging.add(events.slice(i, i + 10))

    const found = await staging.list({ olderThanMs: 0, except: [], limit: 100 })
    const batches = await readStagedBatches(market.pool, found.map(({ id }) => id).toReversed())

    expect(found.map(({ count }) => count)).toEqual(Array(10).fill(10))
    const ids = batches.flatMap(({ events }) => events.map(({ eventId }) => eventId))
    expect(inOrder(events, ids)).toBe(true)
  })

  test('an event that no table accepts is quarantined, and its staged batch is deleted', async () => {
    const { market, anEvent, campaignKey, events } = await aLargeBatch()
    const rejected = anEvent({ campaignKey, userKey: 'a\u0000b' })
    const batch = [...events.slice(0, 60), rejected, ...events.slice(60)]
    const ingest = ingestOn(market)

    await Promise.all(batch.map((event) => ingest.accept(event)))
    await ingest.stop()

    expect(await countRows(market.pool, 'impressions')).toBe(LARGE)
    expect(await countRows(market.pool, 'quarantined_events')).toBe(1)
    expect(await countRows(market.pool, 'event_inbox')).toBe(0)
  })
})

const BATCH = 256
/** Under high load no batch is larger. */
const SMALL_BATCH = 2_000
const DEFER = { deferMax: 20_000, deferMsMax: 1_000, waitMsMax: 500 }

/** Staging whose load and clock the test controls. */
async function aBurst(defer = DEFER) {
  const timers = manualTimers()
  const settled: number[] = []
  const counts: number[] = []
  const settle = async (ids: readonly number[]) => {
    settled.push(ids.reduce((sum, id) => sum + counts[id]!, 0))
    return {
      fresh: [],
      progress: {},
      seen: [],
      repeats: 0,
      quarantined: 0,
      early: 0,
      earlyRefused: 0,
    }
  }
  const add = async (events: readonly TrackedEvent[]) => counts.push(events.length) - 1
  let isHigh = true
  const staging = new Staging({
    store: { add, settle, list: async () => [] },
    timers,
    load: { isHigh: () => isHigh },
    settings: { batchMax: 30_000, waitingMax: 30_000, ...defer },
    earlier: async () => {},
    settled() {},
    failed() {},
    drained() {},
  })
  await staging.opened()
  const stage = async (count: number) => {
    await staging.stage(Array.from({ length: count }, () => ({}) as TrackedEvent))
    await new Promise(setImmediate)
  }
  const pass = async (ms = LOAD_WINDOW_MS) => {
    for (let passedMs = 0; passedMs < ms; passedMs += LOAD_WINDOW_MS) {
      timers.pass(LOAD_WINDOW_MS)
      await new Promise(setImmediate)
    }
  }
  return { stage, pass, settled, loadFalls: () => (isHigh = false) }
}

describe('while the load is high', () => {
  test('staged events wait, and settle together when the load falls', async () => {
    const { stage, pass, settled, loadFalls } = await aBurst()

    for (let i = 0; i < 4; i++) {
      await stage(BATCH)
      await pass()
    }
    expect(settled).toEqual([])
    loadFalls()
    await pass()

    expect(settled).toEqual([4 * BATCH])
  })

  test('one small batch settles every `waitMsMax`', async () => {
    const { stage, pass, settled } = await aBurst()

    for (let i = 0; i < 10; i++) await stage(BATCH)
    await pass(DEFER.waitMsMax - LOAD_WINDOW_MS)
    expect(settled).toEqual([])
    await pass()

    expect(settled).toEqual([SMALL_BATCH - (SMALL_BATCH % BATCH)])
  })

  test('no event waits longer than `deferMsMax`', async () => {
    const { stage, pass, settled } = await aBurst()

    for (let i = 0; i < 40; i++) await stage(BATCH)
    await pass(DEFER.deferMsMax)

    expect(settled.reduce((sum, count) => sum + count, 0)).toBe(40 * BATCH)
    expect(settled.at(-1)).toBeGreaterThan(SMALL_BATCH)
  })

  test('no event waits if `deferMsMax` is 0', async () => {
    const { stage, settled } = await aBurst({ ...DEFER, deferMsMax: 0 })

    await stage(BATCH)
    await stage(BATCH)

    expect(settled).toEqual([BATCH, BATCH])
  })

  test('no more than `deferMax` events wait', async () => {
    const { stage, pass, settled } = await aBurst()

    await stage(BATCH)
    await stage(DEFER.deferMax)
    expect(settled).toEqual([])
    await pass()

    expect(settled).toEqual([DEFER.deferMax + BATCH])
  })
})

import { LOW_LOAD } from '../../../platform/background/load.ts'
import path from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { manualTimers } from '../../../platform/background/manual-timers.ts'
import { systemTimers } from '../../../platform/background/timers.ts'
import { scratchFolder } from '../../../testing/server.ts'
import type { TrackedEvent } from './event.ts'
import { createIngest, type IngestState, type Receipt } from './ingest.ts'
import type { Settlement, Settler } from '../settlement/settler.ts'
import type { Spool } from './spool.ts'
import { openSqliteSpool } from './spool.ts'
import { addCampaign, aMarket, booksOf, countRows, eventsOf, ingestOn } from '../testing.ts'
import { until } from '../../../testing/until.ts'

const unavailable = () => Object.assign(new Error('gone'), { code: 'ECONNREFUSED' })
const conflict = () => Object.assign(new Error('deadlock'), { code: '40P01' })
const event = (eventId: string) => ({ eventId }) as TrackedEvent
const DONE: Settlement = {
  fresh: [],
  seen: [],
  repeats: 0,
  progress: {},
  quarantined: 0,
  early: 0,
  earlyRefused: 0,
}

/** A settler under the test's control: each batch waits until the test ends it. */
function heldSettler() {
  const batches: { ids: string[]; end: (error?: Error) => void }[] = []
  const settler: Settler = {
    settle: (events) =>
      new Promise((resolve, reject) => {
        const end = (error?: Error) => (error ? reject(error) : resolve(DONE))
        batches.push({ ids: events.map(({ eventId }) => eventId), end })
      }),
  }
  const batch = (index: number) => until(`batch ${index} is settled`, () => batches[index])
  return { settler, batch, batches }
}

async function fileSpool(bytesMax = 10_000_000): Promise<Spool> {
  const file = path.join(await scratchFolder(), 'events.sqlite')
  const spool = await openSqliteSpool({ file, bytesMax })
  onTestFinished(() => spool.close().catch(() => {}))
  return spool
}

describe('group commit', () => {
  test('an event is acknowledged only when its batch has committed', async () => {
    const { settler, batch } = heldSettler()
    const ingest = createIngest({ load: LOW_LOAD, settler, timers: manualTimers() })
    const order: string[] = []

    const receipt = ingest.accept(event('a')).then((receipt) => order.push(receipt))
    const { end } = await batch(0)
    order.push('committing')
    end()
    await receipt

    expect(order).toEqual(['committing', 'settled'])
  })

  test('events that arrive while a batch commits share the next batch', async () => {
    const { settler, batch } = heldSettler()
    const ingest = createIngest({ load: LOW_LOAD, settler, timers: manualTimers() })

    const first = ingest.accept(event('a'))
    const { end } = await batch(0)
    const others = ['b', 'c', 'd'].map((id) => ingest.accept(event(id)))
    end()

    expect((await batch(1)).ids).toEqual(['b', 'c', 'd'])
    ;(await batch(1)).end()
    expect(await Promise.all([first, ...others])).toEqual(Array(4).fill('settled'))
  })

  test('the next batch starts when the current one takes longer than `waitMsMax`', async () => {
    const { settler, batch, batches } = heldSettler()
    const timers = manualTimers()
    const ingest = createIngest({
      load: LOW_LOAD,
      settler,
      timers,
      settings: { waitMsMax: 500, concurrentMax: 2 },
    })

    void ingest.accept(event('a'))
    await batch(0)
    void ingest.accept(event('b'))
    timers.pass(499)
    expect(batches).toHaveLength(1)
    timers.pass(1)

    expect((await batch(1)).ids).toEqual(['b'])
    void ingest.accept(event('c'))
    timers.pass(10_000)
    expect(batches).toHaveLength(2)
  })

  test('batches and the queue are bounded, and events beyond the queue are refused at once', async () => {
    const { settler, batch } = heldSettler()
    const refused: string[] = []
    const ingest = createIngest({
      load: LOW_LOAD,
      settler,
      timers: manualTimers(),
      settings: { batchMax: 2, waitingMax: 3 },
      observer: { refused: (_, why) => refused.push(why) },
    })

    void ingest.accept(event('a'))
    await batch(0)
    for (const id of ['b', 'c', 'd']) void ingest.accept(event(id))
    const receipt = await ingest.accept(event('e'))
    ;(await batch(0)).end()

    expect(receipt).toBe('refused')
    expect(refused).toEqual(['waiting-full'])
    expect((await batch(1)).ids).toEqual(['b', 'c'])
  })

  test('a conflict is retried after 100 ms, 200 ms and so on up to 5 s, without end', async () => {
    const { settler, batch } = heldSettler()
    const timers = manualTimers()
    const failed = Promise.withResolvers<void>()
    let failures = 0
    const observer = { failed: () => void (++failures === 8 && failed.resolve()) }
    const ingest = createIngest({
      load: LOW_LOAD,
      settler,
      timers,
      observer,
      settings: { waitMsMax: 1e9 },
    })
    const receipt = ingest.accept(event('a'))

    for (const wait of [100, 200, 400, 800, 1_600, 3_200, 5_000, 5_000]) {
      ;(await batch(failures)).end(conflict())
      await Promise.resolve().then(() => new Promise((resolve) => setImmediate(resolve)))
      expect(timers.waiting()).toContain(wait)
      timers.pass(wait)
    }
    await failed.promise
    ;(await batch(8)).end()

    expect(await receipt).toBe('settled')
  })
})

describe('while PostgreSQL is unavailable', () => {
  test('events go to the spool, are reported as kept, and settle in order when it is back', async () => {
    const { settler, batch } = heldSettler()
    const timers = manualTimers()
    const states: IngestState[] = []
    const kept: string[] = []
    const direct = Promise.withResolvers<void>()
    const ingest = createIngest({
      load: LOW_LOAD,
      settler,
      timers,
      spool: await fileSpool(),
      observer: {
        changed(state) {
          states.push(state)
          if (state === 'direct') direct.resolve()
        },
        kept: (events) => kept.push(...events.map(({ eventId }) => eventId)),
      },
    })

    const receipt = ingest.accept(event('a'))
    ;(await batch(0)).end(unavailable())
    expect(await receipt).toBe('spooled')
    expect(await ingest.accept(event('b'))).toBe('spooled')
    const drained = await batch(1)
    drained.end()
    if (drained.ids.length === 1) (await batch(2)).end()
    await direct.promise

    expect(states).toEqual(['spooling', 'direct'])
    expect(kept).toEqual(['a', 'b'])
    expect(drained.ids[0]).toBe('a')
    void ingest.accept(event('c'))
    const next = await batch(drained.ids.length === 1 ? 3 : 2)
    expect(next.ids).toEqual(['c'])
  })

  test('a full spool refuses events and reports it', async () => {
    const { settler, batch } = heldSettler()
    const refused: [number, string][] = []
    const ingest = createIngest({
      load: LOW_LOAD,
      settler,
      timers: manualTimers(),
      spool: await fileSpool(10),
      observer: { refused: (count, why) => refused.push([count, why]) },
    })

    const receipt = ingest.accept(event('a'))
    ;(await batch(0)).end(unavailable())

    expect(await receipt).toBe('refused')
    expect(refused).toEqual([[1, 'spool-full']])
  })

  test('the next process settles the events that a killed one left in the spool', async () => {
    const market = await aMarket()
    const campaignKey = await addCampaign(market)
    const spool = await fileSpool()
    await spool.append([eventsOf(market)({ campaignKey })])
    const direct = Promise.withResolvers<void>()

    ingestOn(market, {
      spool,
      observer: { changed: (state) => state === 'direct' && direct.resolve() },
    })
    await direct.promise

    expect(await countRows(market.pool, 'impressions')).toBe(1)
    expect(spool.count()).toBe(0)
  })

  test('stopping answers every accepted event', async () => {
    const { settler, batch, batches } = heldSettler()
    const ingest = createIngest({
      load: LOW_LOAD,
      settler: {
        settle: async (...given) => {
          if (batches.length > 0) throw unavailable()
          return settler.settle(...given)
        },
      },
      timers: systemTimers,
      spool: await fileSpool(),
    })
    const receipts = ['a', 'b'].map((id) => ingest.accept(event(id)))
    ;(await batch(0)).end(unavailable())

    await ingest.stop()

    expect(await Promise.all(receipts)).toEqual(['spooled', 'spooled'])
    expect(await ingest.accept(event('c'))).toBe('refused')
  })
})

describe('on a real database', () => {
  test('each event counts and is charged once, however often it is resent and connections are killed', async () => {
    const market = await aMarket()
    const campaignKey = await addCampaign(market)
    const anEvent = eventsOf(market)
    const events = Array.from({ length: 1_000 }, () =>
      anEvent({ campaignKey, chargeMicros: 1_500_001 }),
    )
    const ingests = [0, 1, 2].map(() => ingestOn(market, { settings: { batchMax: 97 } }))
    const kills = { count: 0 }
    const kill = async () => {
      for (let tries = 0, killed = 0; tries < 20 && killed === 0; tries++) {
        const { rowCount } = await market.pool.query(
          `select pg_terminate_backend(pid) from pg_stat_activity
            where application_name = 'placard ingest' and datname = current_database()
              and state <> 'idle' limit 1`,
        )
        killed = rowCount ?? 0
        kills.count += killed
      }
    }

    const receipts: Receipt[] = []
    for (let storm = 0; storm < 50 && kills.count < 5; storm++) {
      const resends = ingests.flatMap((ingest) => events.map((event) => ingest.accept(event)))
      const settled = Promise.all(resends)
      await kill()
      receipts.push(...(await settled))
    }
    await Promise.all(ingests.map((ingest) => ingest.stop()))
    // A batch may have been killed while its process stopped: the next one finds it.
    await ingestOn(market).opened()

    expect(kills.count).toBeGreaterThanOrEqual(5)
    expect(receipts).not.toContain('refused')
    expect(await countRows(market.pool, 'event_inbox')).toBe(0)
    expect(await countRows(market.pool, 'impressions')).toBe(1_000)
    const millis = 1_000 * 1_500_001
    expect(await booksOf(market.pool, campaignKey)).toEqual({
      campaign: millis,
      advertiser: millis,
      total: millis,
    })
    const { rows } = await market.pool.query(
      `select sum(amount_micros)::integer as sum from ledger_entries where scope = 'campaign'`,
    )
    expect(rows).toEqual([{ sum: Math.floor(millis / 1_000) }])
  })

  test('200 concurrent batches never exceed a budget, to the micro', async () => {
    const market = await aMarket(10_000n)
    const [one, two] = [
      await addCampaign(market, { dailyMicros: 6_001n }),
      await addCampaign(market, { totalMicros: 5_000n }),
    ]
    const anEvent = eventsOf(market)
    const ingests = Array.from({ length: 200 }, () => ingestOn(market))

    const receipts = await Promise.all(
      ingests.flatMap((ingest, i) =>
        [one, two].map((campaignKey) =>
          ingest.accept(anEvent({ campaignKey, chargeMicros: 70_000 + i })),
        ),
      ),
    )

    expect(new Set(receipts)).toEqual(new Set(['settled']))
    const { rows } = await market.pool.query(
      `select (select sum(charged_millis) from impressions)::float8 as charged,
              (select spent_micros * 1000 + remainder_millis from budget_days where scope = 'advertiser')::float8
                as advertiser,
              (select sum(spent_micros * 1000 + remainder_millis) from budget_days where scope = 'campaign')::float8
                as campaigns,
              (select min(charge_micros) from impressions where billing = 'over-delivery')::float8 as least,
              (select count(*)::integer from impressions) as count`,
    )
    const { charged, advertiser, campaigns, least, count } = rows[0]
    expect(count).toBe(400)
    expect([advertiser, campaigns]).toEqual([charged, charged])
    expect(charged).toBeLessThanOrEqual(10_000_000)
    expect(charged + least).toBeGreaterThan(10_000_000)
    expect((await booksOf(market.pool, one)).campaign).toBeLessThanOrEqual(6_001_000)
    expect((await booksOf(market.pool, two)).total).toBeLessThanOrEqual(5_000_000)
  })
})

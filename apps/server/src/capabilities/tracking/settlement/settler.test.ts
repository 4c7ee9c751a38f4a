import { DAY_MS } from '@placard/calendar'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { cuttable } from '../../../testing/services/cuttable.ts'
import { failureOfBatch } from './settler.ts'
import { openIngestPool } from './settler.ts'
import {
  addCampaign,
  addCaps,
  aMarket,
  booksOf,
  countRows,
  eventsOf,
  ingestOn,
  type Market,
  settlerOn,
  threadedSettlerOn,
} from '../testing.ts'

const FIRST = { countsRepeats: true }

async function aCampaign() {
  const market = await aMarket()
  const campaignKey = await addCampaign(market)
  const anEvent = eventsOf(market)
  const events = (count: number) => Array.from({ length: count }, () => anEvent({ campaignKey }))
  return { market, campaignKey, anEvent, events }
}

/** The same market over a connection that the test can cut. */
async function byWire(market: Market) {
  const wire = await cuttable(market.url)
  const ingestPool = openIngestPool(wire.url, 2)
  onTestFinished(() => ingestPool.end())
  return { wire, remote: { ...market, url: wire.url, ingestPool } }
}

const WAYS = [
  ['in the same thread', settlerOn],
  ['in a separate thread', threadedSettlerOn],
] as const

describe.each(WAYS)('a settler %s', (_, settlerIn) => {
  test('the settler reports what decisions need of a settled event, and nothing of a repeat', async () => {
    const { market, campaignKey, anEvent } = await aCampaign()
    await addCaps(market, campaignKey, ['Day'])
    const held = { reservationId: 'test.1', holdId: 'hold-1', userKey: 'ada' }
    const event = anEvent({ campaignKey, ...held })
    const house = anEvent({ advertiserKey: undefined })
    const settler = settlerIn(market)

    const first = await settler.settle([event, house], FIRST)
    const second = await settler.settle([event], FIRST)

    const { budgetDay, occurredAtMs } = event
    expect(first).toMatchObject({ repeats: 0, quarantined: 0, early: 0, earlyRefused: 0 })
    expect(first.fresh).toMatchObject([
      {
        event: {
          kind: 'impression',
          label: 'valid',
          pricing: 'cpm',
          campaignKey,
          budgetDay,
          reservationId: 'test.1',
          holdId: 'hold-1',
        },
        billing: 'charged',
        chargedMillis: 1_000_000n,
      },
      { billing: 'free', chargedMillis: 0n },
    ])
    expect(first.fresh[1]!.event.campaignKey).toBeUndefined()
    expect(first.fresh[1]!.event.holdId).toBeUndefined()
    const startMs = occurredAtMs - (occurredAtMs % DAY_MS)
    expect(first.seen).toEqual([
      {
        scope: 'campaign',
        key: campaignKey,
        window: 'Day',
        userKey: 'ada',
        startMs,
        impressions: 1,
      },
    ])
    expect(second).toMatchObject({ fresh: [], repeats: 1 })
    expect((await booksOf(market.pool, campaignKey)).campaign).toBe(1_000_000)
  })

  test('the settler settles staged batches once, at the time of the request', async () => {
    const { market, campaignKey, events } = await aCampaign()
    const settler = settlerIn(market)
    const ids = [await settler.staging.add(events(700)), await settler.staging.add(events(20))]

    const first = await settler.staging.settle(ids, FIRST)
    const second = await settler.staging.settle(ids, FIRST)

    expect(first).toMatchObject({ fresh: { length: 720 }, repeats: 0 })
    expect(second).toMatchObject({ fresh: [], repeats: 0 })
    expect(await countRows(market.pool, 'event_inbox')).toBe(0)
    expect((await booksOf(market.pool, campaignKey)).campaign).toBe(720_000_000)
    const { rows } = await market.pool.query('select settled_at from settled_batches')
    expect(rows).toEqual([{ settled_at: market.deps.clock.now() }])
  })

  test('a batch that another process settled after it was read ahead counts once and as no repeat', async () => {
    const { market, campaignKey, events } = await aCampaign()
    const settler = settlerIn(market)
    const [now, next, last] = [events(3), events(4), events(5)]
    const ids = await Promise.all([now, next, last].map((staged) => settler.staging.add(staged)))

    await settler.staging.settle([ids[0]!], { ...FIRST, ahead: ids.slice(1) })
    await settlerOn(market).staging.settle([ids[1]!], FIRST)
    const taken = await settler.staging.settle([ids[1]!], FIRST)
    const rest = await settler.staging.settle([ids[2]!], FIRST)

    expect(taken.fresh).toEqual([])
    expect(rest).toMatchObject({ fresh: { length: 5 }, repeats: 0 })
    expect((await booksOf(market.pool, campaignKey)).campaign).toBe(12_000_000)
    const { rows } = await market.pool.query(
      'select label, sum(impressions)::integer as sum from delivery_stats group by label',
    )
    expect(rows).toEqual([{ label: 'valid', sum: 12 }])
  })

  test('the settler quarantines a rejected event and settles the rest', async () => {
    const { market, campaignKey, anEvent, events } = await aCampaign()
    const settler = settlerIn(market)
    const rejected = anEvent({ campaignKey, userKey: 'a\u0000b' })
    const id = await settler.staging.add([...events(5), rejected])

    const staged = await settler.staging.settle([id], FIRST)
    const direct = await settler.settle([rejected], FIRST)

    expect(staged).toMatchObject({ quarantined: 1, fresh: { length: 5 } })
    expect(direct).toMatchObject({ quarantined: 1, fresh: [] })
    expect(await countRows(market.pool, 'event_inbox')).toBe(0)
  })

  test('the settler fails as unavailable while PostgreSQL is unreachable, and settles when it is back', async () => {
    const { market, events } = await aCampaign()
    const { wire, remote } = await byWire(market)
    const settler = settlerIn(remote)
    const id = await settler.staging.add(events(3))
    wire.cut()

    const failures = await Promise.all([
      settler.settle(events(1), FIRST).catch(failureOfBatch),
      settler.staging.settle([id], FIRST).catch(failureOfBatch),
    ])
    wire.mend()

    expect(failures).toEqual(['unavailable', 'unavailable'])
    expect(await settler.staging.settle([id], FIRST)).toMatchObject({ fresh: { length: 3 } })
  })

  test('the settler fails as busy when a lock is not free in time, and can retry', async () => {
    const { market, events } = await aCampaign()
    const settler = settlerIn(market)
    await settler.settle(events(1), FIRST)
    const other = await market.pool.connect()
    await other.query('begin; select 1 from budget_days for update')

    const failure = settler.settle(events(1), FIRST).catch(failureOfBatch)
    await vi.waitFor(async () => expect(await cancelBlocked(market)).toBe(1), 5_000)
    await other.query('rollback')
    other.release()

    expect(await failure).toBe('busy')
    expect(await settler.settle(events(1), FIRST)).toMatchObject({ fresh: { length: 1 } })
  })
})

describe('the settling thread', () => {
  test('after the settling thread crashes, the next one settles its requests, once', async () => {
    const { market, campaignKey, events } = await aCampaign()
    const program = new URL('./settler-crash-target.ts', import.meta.url)
    const failures: string[] = []
    const ingest = ingestOn(market, {
      settler: threadedSettlerOn(market, { program }),
      observer: { failed: (error) => failures.push(failureOfBatch(error)) },
    })

    const direct = await ingest.accept(events(1)[0]!)
    const staged = await Promise.all(events(200).map((event) => ingest.accept(event)))
    await vi.waitFor(async () => expect(await countRows(market.pool, 'event_inbox')).toBe(0), 9_000)

    expect(direct).toBe('settled')
    expect(new Set(staged)).toEqual(new Set(['spooled']))
    expect(new Set(failures)).toEqual(new Set(['unavailable']))
    expect(await countRows(market.pool, 'impressions')).toBe(201)
    expect((await booksOf(market.pool, campaignKey)).campaign).toBe(201_000_000)
  })

  test('the settling thread ends when all its requests are answered', async () => {
    const { market, events } = await aCampaign()
    const settler = threadedSettlerOn(market)

    const settling = settler.settle(events(100), FIRST)
    await settler.close()

    expect(await settling).toMatchObject({ fresh: { length: 100 } })
    expect(await countRows(market.pool, 'impressions')).toBe(100)
  })
})

async function cancelBlocked({ pool }: Market): Promise<number> {
  const { rows } = await pool.query(
    `select count(*) filter (where pg_cancel_backend(pid))::integer as count from pg_stat_activity
      where application_name = 'placard ingest' and datname = current_database()
        and wait_event_type = 'Lock'`,
  )
  return rows[0].count
}

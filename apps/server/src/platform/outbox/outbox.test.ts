import { sql } from 'drizzle-orm'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { freshDatabase } from '../../testing/services/database.ts'
import { manualTimers } from '../background/manual-timers.ts'
import { systemRandom } from '../random.ts'
import type { Database } from '../database/connect.ts'
import { idsFrom } from '../ids.ts'
import type { CloudEvent, OutboxEvent } from './event.ts'
import { logSink } from './log-sink.ts'
import { type RelayOptions, type Sink, startRelay } from './relay.ts'
import { appendEvent, appendEvents, moveCursor, openCursor, trimOutbox } from './store.ts'

const time = new Date('2030-01-01T12:00:00Z')
const DISTANT_FUTURE = new Date('2100-01-01')
const ids = idsFrom({ clock: { now: () => time }, random: systemRandom })

const event = (subject: string, fields: Partial<OutboxEvent> = {}): OutboxEvent => ({
  id: ids.next(),
  type: 'campaign.state-changed.v1',
  subject,
  time,
  data: { to: 'active' },
  ...fields,
})

/** A sink that keeps what it gets, after doing what the test says. */
function keepingSink(name = 'test', before: Sink['deliver'] = async () => {}) {
  const got: string[] = []
  const batches: CloudEvent[][] = []
  const sink: Sink = {
    name,
    async deliver(events, signal) {
      await before(events, signal)
      batches.push([...events])
      got.push(...events.map(({ subject }) => subject))
    },
  }
  return { sink, got, batches }
}

async function outbox() {
  const { db, pool, url } = await freshDatabase()
  const timers = manualTimers()
  const errors: unknown[] = []
  const waiting = new Map<string, Date | undefined>()
  const relay = (sinks: readonly Sink[], options: Partial<RelayOptions> = {}) => {
    const relay = startRelay({
      url,
      sinks,
      timers,
      source: '/placard/test',
      observer: {
        delivered: () => {},
        waiting: (sink, since) => waiting.set(sink, since),
        failed: (_, error) => errors.push(error),
      },
      ...options,
    })
    onTestFinished(() => relay.stop())
    return relay
  }
  /** Looks again and again, and lets a little time pass each time. */
  const eventually = (look: () => Promise<void> | void) =>
    vi.waitFor(
      async () => {
        timers.pass(20)
        await look()
      },
      { timeout: 5_000, interval: 5 },
    )
  return { db, pool, timers, errors, waiting, relay, eventually }
}

describe('appendEvent', () => {
  test('an event is told when its transaction commits, as a CloudEvent', async () => {
    const { db, relay, eventually } = await outbox()
    const { sink, batches } = keepingSink()
    relay([sink])
    const appended = event('campaign-1')

    await db.transaction((db) => appendEvent(db, appended))

    await eventually(() => expect(batches).toHaveLength(1))
    expect(batches).toEqual([
      [
        {
          specversion: '1.0',
          id: appended.id,
          source: '/placard/test',
          type: 'campaign.state-changed.v1',
          subject: 'campaign-1',
          time: '2030-01-01T12:00:00.000Z',
          datacontenttype: 'application/json',
          data: { to: 'active' },
        },
      ],
    ])
  })

  test('an event whose transaction is rolled back is never told', async () => {
    const { db, relay, eventually } = await outbox()
    const { sink, got } = keepingSink()
    relay([sink])

    const rolledBack = db.transaction(async (db) => {
      await appendEvent(db, event('rolled back'))
      throw new Error('no')
    })
    await expect(rolledBack).rejects.toThrow('no')
    await appendEvent(db, event('kept'))

    await eventually(() => expect(got).toEqual(['kept']))
  })

  test('a type without a version, and an id that was used, are refused', async () => {
    const { db } = await outbox()
    const first = event('a')
    await appendEvent(db, first)

    const unversioned = event('a', { type: 'campaign.changed' })
    await expect(appendEvent(db, unversioned)).rejects.toThrow('is no event type')
    await expect(appendEvent(db, { ...event('b'), id: first.id })).rejects.toThrow('insert')
  })

  test('no events are no work', async () => {
    const { db } = await outbox()

    await appendEvents(db, [])

    expect((await db.execute(sql`select 1 from outbox`)).rows).toEqual([])
  })
})

describe('relay', () => {
  test('a committed event wakes the relay by itself, without a poll', async () => {
    const { db, relay, timers } = await outbox()
    const { sink, got } = keepingSink()
    relay([sink])
    await vi.waitFor(() => expect(timers.waiting()).toEqual([1_000]))
    await vi.waitFor(async () => expect(await countRelays(db)).toBe(1), 5_000)

    await appendEvent(db, event('a'))

    await vi.waitFor(() => {
      if (timers.waiting()[0] === 50) timers.pass(50)
      expect(got).toEqual(['a'])
    }, 5_000)
  })

  test('events are told in the order of their transactions, also if these commit out of order', async () => {
    const { db, pool, relay, eventually } = await outbox()
    const { sink, got } = keepingSink()
    relay([sink])
    const early = await pool.connect()
    await early.query('begin')
    await early.query(
      `insert into outbox (event_id, type, subject, data, occurred_at)
       values (gen_random_uuid(), 'a.b.v1', 'early', '{}', now())`,
    )
    await appendEvent(db, event('late'))
    await eventually(async () => expect(await cursors(db)).toHaveLength(1))

    expect(got).toEqual([])
    await early.query('commit')
    early.release()

    await eventually(() => expect(got).toEqual(['early', 'late']))
  })

  test('a batch is bounded', async () => {
    const { db, relay, eventually } = await outbox()
    const { sink, batches } = keepingSink()
    await appendEvents(
      db,
      Array.from({ length: 7 }, (_, n) => event(`${n}`)),
    )

    relay([sink], { batchMax: 3 })

    await eventually(() => expect(batches.map((batch) => batch.length)).toEqual([3, 3, 1]))
  })

  test('a sink that fails gets the same events again, after growing pauses; others go on', async () => {
    const { db, relay, errors, timers, eventually } = await outbox()
    let failures = 0
    const sick = keepingSink('sick', async () => {
      if (failures++ < 2) throw new Error('503')
    })
    const well = keepingSink('well')
    relay([sick.sink, well.sink], { backoff: { firstMs: 1_000_000, maxMs: 9_000_000 } })
    await appendEvent(db, event('a'))
    await eventually(() => expect(errors).toHaveLength(1))
    await appendEvent(db, event('b'))

    await eventually(() => expect(well.got).toEqual(['a', 'b']))
    expect(Math.max(...timers.waiting())).toBeGreaterThan(900_000)
    timers.pass(1_000_000)
    await eventually(() => expect(errors).toHaveLength(2))
    await vi.waitFor(() => expect(Math.max(...timers.waiting())).toBeGreaterThan(1_900_000))
    expect(sick.got).toEqual([])
    timers.pass(2_000_000)

    await eventually(() => expect(sick.got).toEqual(['a', 'b']))
  })

  test('a sink that takes too long is aborted, and gets the same events again', async () => {
    const { db, relay, timers, errors, eventually } = await outbox()
    const { promise: aborted, resolve: abort } = Promise.withResolvers<void>()
    let hasBegun = false
    let isSlow = true
    const { sink, got } = keepingSink('slow', async (_, signal) => {
      if (!isSlow) return
      isSlow = false
      signal.addEventListener('abort', () => abort())
      hasBegun = true
      await aborted
      throw new Error('given up')
    })
    relay([sink], { deliverTimeoutMs: 100_000 })
    await appendEvent(db, event('a'))
    await eventually(() => expect(hasBegun).toBe(true))

    timers.pass(100_000)

    await aborted
    await eventually(() => expect(got).toEqual(['a']))
    expect(errors).toHaveLength(1)
  })

  test('a relay goes on where the last one stopped', async () => {
    const { db, relay, eventually } = await outbox()
    const before = keepingSink()
    const first = relay([before.sink])
    await appendEvent(db, event('a'))
    await eventually(() => expect(before.got).toEqual(['a']))
    await first.stop()
    await appendEvent(db, event('b'))

    const after = keepingSink()
    relay([after.sink])

    await eventually(() => expect(after.got).toEqual(['b']))
  })

  test('of several relays one leads per sink, and another takes over when it is gone', async () => {
    const { db, relay, eventually } = await outbox()
    const one = keepingSink()
    const two = keepingSink()
    const leader = relay([one.sink])
    await eventually(async () => expect(await cursors(db)).toHaveLength(1))
    relay([two.sink])
    await eventually(async () => expect(await countRelays(db)).toBe(2))
    for (const subject of ['a', 'b', 'c', 'd']) await appendEvent(db, event(subject))
    await eventually(() => expect(one.got).toEqual(['a', 'b', 'c', 'd']))
    expect(two.got).toEqual([])

    await leader.stop()
    await appendEvent(db, event('e'))

    await eventually(() => expect(two.got).toEqual(['e']))
  })

  test('a leader cut off while it delivers loses nothing: its batch is delivered again', async () => {
    const { db, relay, eventually } = await outbox()
    let isDelivering = false
    const { promise: opened, resolve: open } = Promise.withResolvers<void>()
    const cutOff = keepingSink('test', async () => {
      isDelivering = true
      await opened
    })
    relay([cutOff.sink])
    await appendEvent(db, event('a'))
    await eventually(() => expect(isDelivering).toBe(true))

    await killRelays(db)
    const heir = keepingSink()
    relay([heir.sink])
    await eventually(() => expect(heir.got).toEqual(['a']))
    await appendEvent(db, event('b'))
    await eventually(() => expect(heir.got).toEqual(['a', 'b']))
    open()

    await eventually(() => expect(cutOff.got[0]).toBe('a'))
    await appendEvent(db, event('c'))
    await eventually(() => expect([...cutOff.got, ...heir.got]).toContain('c'))
    expect([...cutOff.got, ...heir.got].filter((subject) => subject === 'c')).toHaveLength(1)
  })
})

const CURSOR = { sink: 'test', source: 'outbox' }

test('a relay that was overtaken does not move the cursor back', async () => {
  const { db } = await outbox()
  const from = await openCursor(db, CURSOR)
  const to = { xid: 10n, id: 5n }

  expect(await moveCursor(db, { ...CURSOR, from, to })).toBe(true)
  expect(await moveCursor(db, { ...CURSOR, from, to: { xid: 9n, id: 1n } })).toBe(false)

  expect(await openCursor(db, CURSOR)).toEqual(to)
})

const cursors = async (db: Database) =>
  (await db.execute(sql`select sink, xid, id from outbox_cursors`)).rows

const countRelays = async (db: Database) => {
  const { rowCount } = await db.execute(
    sql`select 1 from pg_stat_activity
         where datname = current_database() and application_name = 'placard-outbox'
           and state = 'idle' and query not ilike 'listen%'`,
  )
  return rowCount
}

const killRelays = (db: Database) =>
  db.execute(
    sql`select pg_terminate_backend(pid) from pg_stat_activity
         where datname = current_database() and application_name = 'placard-outbox'`,
  )

describe('trimming', () => {
  test('an event is kept until every sink has got it', async () => {
    const { db, relay, eventually } = await outbox()
    const fast = keepingSink('fast')
    const slow = keepingSink('slow')
    relay([fast.sink])
    await appendEvent(db, event('a'))
    await eventually(() => expect(fast.got).toEqual(['a']))
    const trim = () => trimOutbox(db, { sinks: ['fast', 'slow'], olderThan: DISTANT_FUTURE })

    expect(await trim()).toBe(0)
    relay([slow.sink])
    await eventually(() => expect(slow.got).toEqual(['a']))

    await eventually(async () => expect(await trim()).toBe(1))
  })

  test('an event that every sink has got is kept until it is old', async () => {
    const { db, relay, eventually } = await outbox()
    const { sink, got } = keepingSink()
    relay([sink])
    await appendEvents(db, [event('old'), event('young', { time: DISTANT_FUTURE })])
    await eventually(() => expect(got).toHaveLength(2))

    const trim = { sinks: ['test'], olderThan: new Date('2031-01-01') }
    await eventually(async () => expect(await trimOutbox(db, trim)).toBe(1))

    const { rows } = await db.execute(sql`select subject from outbox`)
    expect(rows).toEqual([{ subject: 'young' }])
  })

  test('without a sink events are kept until they are old', async () => {
    const { db, eventually } = await outbox()
    await appendEvent(db, event('a'))

    expect(await trimOutbox(db, { sinks: [], olderThan: time })).toBe(0)
    await eventually(async () =>
      expect(await trimOutbox(db, { sinks: [], olderThan: DISTANT_FUTURE })).toBe(1),
    )
  })
})

test('the lag of a sink is the time of the oldest event it has not got', async () => {
  const { db, relay, waiting, eventually } = await outbox()
  let isSick = true
  const { sink, got } = keepingSink('test', async () => {
    if (isSick) throw new Error('503')
  })
  relay([sink], { backoff: { firstMs: 1, maxMs: 1 } })
  await appendEvent(db, event('a'))
  await eventually(() => expect(waiting.get('test')).toEqual(time))

  isSick = false

  await eventually(() => expect(got).toEqual(['a']))
  await eventually(() => expect(waiting.get('test')).toBeUndefined())
})

test('the log sink writes each event under its type', async () => {
  const { db, relay, eventually } = await outbox()
  const lines: string[] = []
  relay([logSink({ info: (_, message) => lines.push(message) })])

  await appendEvent(db, event('a'))

  await eventually(() => expect(lines).toEqual(['campaign.state-changed.v1']))
})

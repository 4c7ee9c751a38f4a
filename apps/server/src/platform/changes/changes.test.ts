import { sql } from 'drizzle-orm'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { freshDatabase } from '../../testing/services/database.ts'
import type { Database } from '../database/connect.ts'
import { cursorNow, FEED_START, type FeedCursor } from '../database/ordered-feed.ts'
import {
  type Change,
  type ChangeSubscriber,
  followChanges,
  loadAtCursor,
  trimOldChanges,
} from './changes.ts'
import { type ManualTimers, manualTimers } from '../background/manual-timers.ts'

const HELD_BACK_MS = 50
const DISTANT_FUTURE = new Date('2100-01-01')

/** The switches table is in the feed; a name is all these tests need of a row. */
const insertSwitch = (db: Database, name: string) =>
  db.execute(sql`insert into switches (name, is_on, updated_at) values (${name}, true, now())`)

const namesOf = async (db: Database): Promise<readonly unknown[]> => {
  const { rows } = await db.execute(sql`select name from switches order by id`)
  return rows.map(({ name }) => name)
}

interface Following {
  readonly from?: FeedCursor
  readonly batchMax?: number
  readonly subscriber?: Partial<ChangeSubscriber>
}

/** A database with a follower whose timers stand still: only NOTIFY can wake it. */
async function follow({ from = FEED_START, subscriber, ...options }: Following = {}) {
  const { db, url, pool } = await freshDatabase()
  const seen: bigint[] = []
  const errors: unknown[] = []
  const timers = manualTimers()
  const start = (cursor: FeedCursor) => {
    const follower = followChanges({
      db,
      url,
      timers,
      from: cursor,
      subscriber: {
        onChanges: (changes) => void seen.push(...idsOf(changes)),
        onReload: () => Promise.reject(new Error('no reload expected')),
        ...subscriber,
      },
      onError: (error) => errors.push(error),
      ...options,
    })
    onTestFinished(() => follower.stop())
    return follower
  }
  const follower = start(from)
  await untilListening(db)
  return { db, pool, seen, errors, timers, follower, start }
}

/** Transactions of other tests on the same server hold the feed back too, for a moment. */
const untilSeen = (timers: ManualTimers, look: () => void) =>
  eventually(() => {
    if (timers.waiting()[0] === HELD_BACK_MS) timers.pass(HELD_BACK_MS)
    look()
  })

const idsOf = (changes: readonly Change[]) => changes.map(({ entityId }) => entityId)

const eventually = <Value>(look: () => Promise<Value> | Value) =>
  vi.waitFor(look, { timeout: 5_000, interval: 5 })

const listeners = async (db: Database) => {
  const { rows } = await db.execute(
    sql`select pid from pg_stat_activity
         where datname = current_database() and application_name = 'placard-changes'
           and query ilike 'listen%' and state = 'idle'`,
  )
  return rows.map(({ pid }) => pid as number)
}

const untilListening = (db: Database) =>
  eventually(async () => expect(await listeners(db)).toHaveLength(1))

describe('followChanges', () => {
  test('a committed change reaches the follower by itself, without a poll', async () => {
    const { db, seen, timers } = await follow()
    const started = performance.now()

    await insertSwitch(db, 'a')

    await untilSeen(timers, () => expect(seen).toEqual([1n]))
    process.stdout.write(`change seen after ${(performance.now() - started).toFixed(1)} ms\n`)
  })

  test('a follower that has not connected yet can be stopped', async () => {
    const { start } = await follow()

    const follower = start(FEED_START)

    expect(await follower.stop()).toBeUndefined()
  })

  test('a change tells what happened to which row', async () => {
    const onChanges = vi.fn<ChangeSubscriber['onChanges']>()
    const { db, timers } = await follow({ subscriber: { onChanges } })

    await insertSwitch(db, 'a')
    await db.execute(sql`update switches set is_on = false`)
    await db.execute(sql`delete from switches`)

    await untilSeen(timers, () =>
      expect(onChanges.mock.calls.flatMap(([changes]) => changes)).toMatchObject([
        { entity: 'switches', entityId: 1n, operation: 'insert', changedAt: expect.any(Date) },
        { entity: 'switches', entityId: 1n, operation: 'update' },
        { entity: 'switches', entityId: 1n, operation: 'delete' },
      ]),
    )
  })

  test('transactions that commit out of order lose nothing, and come in one order', async () => {
    const { db, pool, seen, timers, follower } = await follow()
    const early = await pool.connect()
    await early.query('begin')
    await early.query("insert into switches (name, is_on, updated_at) values ('e', true, now())")
    await insertSwitch(db, 'late')
    await untilHeldBack(timers)
    expect(seen).toEqual([])

    await early.query('commit')
    early.release()

    await untilSeen(timers, () => expect(seen).toEqual([1n, 2n]))
    expect(follower.cursor().xid).toBeGreaterThan(0n)
  })

  test('an open transaction that ends without a change sets the feed free', async () => {
    const { db, pool, seen, timers } = await follow()
    const open = await pool.connect()
    await open.query('begin; select pg_current_xact_id()')
    await insertSwitch(db, 'a')
    await untilHeldBack(timers)

    await open.query('rollback')
    open.release()
    timers.pass(HELD_BACK_MS)

    await untilSeen(timers, () => expect(seen).toEqual([1n]))
  })

  test('what is rolled back is never seen', async () => {
    const { db, seen, timers } = await follow()

    const rolledBack = db.transaction(async (db) => {
      await insertSwitch(db, 'rolled back')
      throw new Error('no')
    })
    await expect(rolledBack).rejects.toThrow('no')
    await insertSwitch(db, 'kept')

    await untilSeen(timers, () => expect(seen).toEqual([2n]))
  })

  test('a bulk statement arrives whole, in bounded batches', async () => {
    const sizes: number[] = []
    const { db, timers } = await follow({
      batchMax: 1_000,
      subscriber: { onChanges: (changes) => void sizes.push(changes.length) },
    })

    await db.execute(
      sql`insert into switches (name, is_on, updated_at)
          select 'bulk ' || n, true, now() from generate_series(1, 2500) n`,
    )

    await untilSeen(timers, () => expect(sizes).toEqual([1_000, 1_000, 500]))
  })

  test('a subscriber that fails gets the same changes again, after a pause', async () => {
    const seen: bigint[][] = []
    let broken = true
    const { db, timers, errors } = await follow({
      subscriber: {
        onChanges(changes) {
          seen.push(idsOf(changes))
          if (broken) throw new Error('index is busy')
        },
      },
    })
    await insertSwitch(db, 'a')
    await untilSeen(timers, () => expect(errors).toMatchObject([{ message: 'index is busy' }]))
    await eventually(() => expect(timers.waiting()).toContain(100))

    broken = false
    timers.pass(100)

    await untilSeen(timers, () => expect(seen).toEqual([[1n], [1n]]))
  })

  test('when its LISTEN connection is killed it connects again and reads at once', async () => {
    const { db, seen, errors, timers } = await follow()
    const [killed] = await listeners(db)
    await db.execute(sql`select pg_terminate_backend(${killed})`)
    await eventually(() => expect(errors.length).toBeGreaterThan(0))
    await insertSwitch(db, 'while deaf')

    await eventually(() => expect(timers.waiting()[0]).toBe(100))
    timers.pass(100)

    await untilSeen(timers, () => expect(seen).toEqual([1n]))
    await untilListening(db)
    await insertSwitch(db, 'heard again')
    await untilSeen(timers, () => expect(seen).toEqual([1n, 2n]))
  })

  test('a wake-up that never came is made up for by the poll', async () => {
    const { db, seen, timers } = await follow()
    await db.execute(
      sql`insert into changes (entity, entity_id, operation) values ('switches', 7, 'update')`,
    )

    await eventually(() => {
      timers.pass(1_000)
      expect(seen).toEqual([7n])
    })
  })

  test('everything is reconciled every 60 s, and again if that failed', async () => {
    const onReconcile = vi.fn<() => void>()
    onReconcile.mockImplementationOnce(() => {
      throw new Error('not now')
    })
    const { db, seen, timers, errors } = await follow({ subscriber: { onReconcile } })

    timers.pass(59_999)
    expect(onReconcile).not.toHaveBeenCalled()
    timers.pass(1)
    await eventually(() => expect(errors).toMatchObject([{ message: 'not now' }]))
    await eventually(() => expect(timers.waiting()).toContain(100))
    timers.pass(100)
    await eventually(() => expect(onReconcile).toHaveBeenCalledTimes(2))
    await insertSwitch(db, 'in between')
    await untilSeen(timers, () => expect(seen).toEqual([1n]))
    expect(onReconcile).toHaveBeenCalledTimes(2)
    timers.pass(60_000)

    await eventually(() => expect(onReconcile).toHaveBeenCalledTimes(3))
  })

  test('stop waits for the subscriber and hands out nothing afterwards', async () => {
    const { promise: busy, resolve: finish } = Promise.withResolvers<void>()
    const { promise: begun, resolve: begin } = Promise.withResolvers<void>()
    const onChanges = vi.fn<() => Promise<void>>(() => {
      begin()
      return busy
    })
    const { db, timers, follower } = await follow({ subscriber: { onChanges } })
    await insertSwitch(db, 'a')
    await untilSeen(timers, () => expect(onChanges).toHaveBeenCalled())
    await begun

    const stopped = follower.stop()
    finish()
    await stopped
    await insertSwitch(db, 'b')

    expect(onChanges).toHaveBeenCalledTimes(1)
  })
})

/** The follower has seen that there is something it may not read yet. */
const untilHeldBack = (timers: ManualTimers) =>
  eventually(() => expect(timers.waiting()[0]).toBe(HELD_BACK_MS))

describe('loading', () => {
  test('a node that loads at a cursor and follows from there misses nothing', async () => {
    const { db, pool, start, follower, seen, timers } = await follow()
    await follower.stop()
    await insertSwitch(db, 'before')
    const open = await pool.connect()
    await open.query('begin')
    await open.query("insert into switches (name, is_on, updated_at) values ('o', true, now())")

    const { cursor, loaded } = await loadAtCursor(db, namesOf)
    await open.query('commit')
    open.release()

    expect(loaded).toEqual(['before'])
    start(cursor)
    await untilSeen(timers, () => expect(seen).toContain(2n))
  })

  test('what is loaded before the cursor is not handed out again', async () => {
    const { db, start, follower, seen, timers } = await follow()
    await follower.stop()
    await insertSwitch(db, 'before')
    const cursor = await eventually(() => cursorPastAll(db))
    await insertSwitch(db, 'after')

    start(cursor)

    await untilSeen(timers, () => expect(seen).toEqual([2n]))
  })

  test('a load sees one moment, also when the table changes in the middle of it', async () => {
    const { db } = await follow()
    await insertSwitch(db, 'before')

    const { loaded } = await loadAtCursor(db, async (snapshot) => {
      const first = await namesOf(snapshot)
      await insertSwitch(db, 'meanwhile')
      return [first, await namesOf(snapshot)]
    })

    expect(loaded).toEqual([['before'], ['before']])
  })
})

/** A cursor behind every change there is, also while other tests have transactions open. */
async function cursorPastAll(db: Database): Promise<FeedCursor> {
  const cursor = await cursorNow(db)
  const { rows } = await db.execute(sql`select max(xid::text::bigint) as last from changes`)
  expect(cursor.xid).toBeGreaterThanOrEqual(BigInt(rows[0]!['last'] as string))
  return cursor
}

describe('trimming', () => {
  test('old changes are forgotten, young ones are kept', async () => {
    const { db } = await freshDatabase()
    await insertSwitch(db, 'a')
    await insertSwitch(db, 'b')

    expect(await trimOldChanges(db, new Date('2000-01-01'))).toBe(0)
    await eventually(async () => expect(await trimOldChanges(db, DISTANT_FUTURE)).toBe(2))
    expect(await trimOldChanges(db, DISTANT_FUTURE)).toBe(0)
  })

  test('a change that an open transaction comes before is not forgotten', async () => {
    const { db, pool } = await freshDatabase()
    const open = await pool.connect()
    await open.query('begin; select pg_current_xact_id()')
    await insertSwitch(db, 'a')

    expect(await trimOldChanges(db, DISTANT_FUTURE)).toBe(0)
    await open.query('commit')
    open.release()
  })

  test('only the front is trimmed: behind a young change an old one stays', async () => {
    const { db } = await freshDatabase()
    await insertSwitch(db, 'young')
    await insertSwitch(db, 'old')
    await db.execute(sql`update changes set changed_at = '2001-01-01' where entity_id = 2`)

    expect(await trimOldChanges(db, new Date('2002-01-01'))).toBe(0)
  })

  test('a reader that is behind the forgotten changes is told to reload, and goes on', async () => {
    const { db, url } = await freshDatabase()
    const seen: bigint[] = []
    const timers = manualTimers()
    await insertSwitch(db, 'forgotten')
    await eventually(async () => expect(await trimOldChanges(db, DISTANT_FUTURE)).toBe(1))
    const onReload = vi.fn<() => Promise<FeedCursor>>(() => cursorNow(db))
    const follower = followChanges({
      db,
      url,
      timers,
      from: FEED_START,
      subscriber: { onReload, onChanges: (changes) => void seen.push(...idsOf(changes)) },
      onError: (error) => {
        throw error
      },
    })
    onTestFinished(() => follower.stop())
    await untilListening(db)
    await eventually(() => expect(onReload).toHaveBeenCalled())
    await onReload.mock.results[0]!.value
    await insertSwitch(db, 'new')

    await untilSeen(timers, () => expect(seen).toEqual([2n]))
    expect(onReload).toHaveBeenCalledTimes(1)
  })

  test('a reader that had read them all is not told to reload', async () => {
    const { db, seen, timers } = await follow()
    await insertSwitch(db, 'a')
    await untilSeen(timers, () => expect(seen).toEqual([1n]))

    await eventually(async () => expect(await trimOldChanges(db, DISTANT_FUTURE)).toBe(1))
    await insertSwitch(db, 'b')

    await untilSeen(timers, () => expect(seen).toEqual([1n, 2n]))
  })
})

import { sql } from 'drizzle-orm'
import { expect, onTestFinished, test } from 'vitest'
import { freshDatabase } from '../../testing/services/database.ts'
import { connect } from './connect.ts'

/** A pool of one connection, and a way to cut it from outside. */
async function aNarrowPool() {
  const { url, pool } = await freshDatabase()
  const lost: string[] = []
  const narrow = connect({
    url,
    connectionsMax: 1,
    statementTimeoutMs: 5_000,
    onLost: ({ message }) => lost.push(message),
  })
  onTestFinished(() => narrow.close())
  const cut = (pid: number) => pool.query('select pg_terminate_backend($1, 5000)', [pid])
  const pid = async () => {
    const { rows } = await narrow.pool.query('select pg_backend_pid() as pid')
    return rows[0].pid as number
  }
  return { ...narrow, lost, pid, cut }
}

test('a connection that is cut as a transaction begins is replaced', async () => {
  const { db, pool, pid, cut } = await aNarrowPool()

  for (let time = 0; time < 3; time++) {
    const first = await pid()
    const work = db.transaction((db) => db.execute(sql`select 1`)).catch(() => 'cut')
    await cut(first)
    await work
  }

  await db.transaction((db) => db.execute(sql`select 1`))
  expect(pool.totalCount).toBe(1)
})

test('a connection that is cut inside a transaction is replaced, and the operator hears of it', async () => {
  const { db, pool, lost } = await aNarrowPool()

  const work = db.transaction((db) =>
    db.execute(sql`select pg_terminate_backend(pg_backend_pid())`),
  )

  await expect(work).rejects.toThrow('Failed query')
  await db.transaction((db) => db.execute(sql`select 1`))
  expect(pool.totalCount).toBe(1)
  expect(lost.length).toBeGreaterThan(0)
})

test('a transaction whose work fails is rolled back, and its connection used again', async () => {
  const { db, pid } = await aNarrowPool()
  const before = await pid()

  const work = db.transaction(async (db) => {
    await db.execute(sql`insert into outbox_cursors (sink, xid, id) values ('a', '1', 1)`)
    throw new Error('as the test asks')
  })

  await expect(work).rejects.toThrow('as the test asks')
  expect((await db.execute(sql`select 1 from outbox_cursors`)).rows).toEqual([])
  expect(await pid()).toBe(before)
})

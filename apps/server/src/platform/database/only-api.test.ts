import { Client } from 'pg'
import { expect, onTestFinished, test, vi } from 'vitest'
import { systemTimers, type Timers } from '../background/timers.ts'
import { cuttable } from '../../testing/services/cuttable.ts'
import { freshDatabase } from '../../testing/services/database.ts'
import { claimApi } from './only-api.ts'

const WITHIN = { timeout: 20_000 }
const LOCKS = `select objid as lock, pid from pg_locks
  where locktype = 'advisory' and database = (select oid from pg_database where datname = current_database())`

/** A claim without Redis. */
async function claimOn(url: string, id: string, timers = systemTimers) {
  const onLost = vi.fn<() => void>()
  const claim = await claimApi(url, { isShared: false, id, timers, onLost })
  onTestFinished(() => claim.release())
  return { ...claim, onLost }
}

async function aDatabase() {
  const { url, pool } = await freshDatabase()
  const query = async (sql: string) => (await pool.query(sql)).rows
  return {
    url,
    query,
    holders: () =>
      query(`select application_name as name from pg_locks join pg_stat_activity using (pid)
              where locktype = 'advisory' and granted and datname = current_database()`),
    /** As a restart of PostgreSQL does. */
    endConnections: () =>
      query(`select pg_terminate_backend(pid) from pg_stat_activity
              where starts_with(application_name, 'placard api') and datname = current_database()`),
  }
}

test('a second api is refused, also after every connection was ended and the first has claimed anew', async () => {
  const { url, holders, endConnections } = await aDatabase()
  const first = await claimOn(url, 'one')
  await expect(claimOn(url, 'two')).rejects.toThrow('Another api process')

  await endConnections()
  await expect.poll(holders, WITHIN).toEqual([{ name: 'placard api one' }])

  await expect(claimOn(url, 'two')).rejects.toThrow('Another api process')
  expect(first.onLost).not.toHaveBeenCalled()
})

test('an api whose database was claimed by another while it was cut off is told to stop', async () => {
  const { url, holders } = await aDatabase()
  const wire = await cuttable(url)
  const first = await claimOn(wire.url, 'one')

  wire.cut()
  await expect.poll(holders, WITHIN).toEqual([])
  const second = await claimOn(url, 'two')
  wire.mend()

  await expect.poll(() => first.onLost.mock.calls.length, WITHIN).toBe(1)
  expect(second.onLost).not.toHaveBeenCalled()
})

test('a connection of its own that the server still believes alive is waited for', async () => {
  const { url, query, holders } = await aDatabase()
  let pauses = 0
  const after: Timers['after'] = (ms, run) => {
    pauses++
    return systemTimers.after(ms, run)
  }
  const { onLost } = await claimOn(url, 'one', { after })
  const [first] = await query(LOCKS)
  const dead = new Client({ connectionString: url, application_name: 'placard api one' })
  await dead.connect()
  const locked = dead.query('select pg_advisory_lock($1::bigint)', [first!['lock']])
  await expect.poll(async () => (await query(LOCKS)).length, WITHIN).toBe(2)

  await query(`select pg_terminate_backend(${first!['pid']})`)
  await locked
  await expect.poll(() => pauses, WITHIN).toBeGreaterThan(2)
  await dead.end()

  await expect.poll(holders, WITHIN).toEqual([{ name: 'placard api one' }])
  expect(onLost).not.toHaveBeenCalled()
})

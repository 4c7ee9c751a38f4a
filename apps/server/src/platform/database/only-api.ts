import { Client } from 'pg'
import { startLoop } from '../background/loop.ts'
import { systemTimers, type Timers } from '../background/timers.ts'
import { StartRefused } from '../problem.ts'

const API_LOCK = 7_145_002
const API_NAME = 'placard api'
const BACKOFF = { firstMs: 200, maxMs: 2_000 }
/** While the claim is held nothing is to be done; its end wakes the loop. */
const HELD_MS = 60_000

export interface ClaimOptions {
  /** Any number of apis that share a Redis may hold the claim together. */
  readonly isShared: boolean
  /** Unlike that of any other process. */
  readonly id: string
  readonly timers?: Timers
  /** Another api has the database now: this one must stop. */
  onLost(): void
}

/**
 * Without Redis one api process holds the frequency counters in memory, so a second one must refuse to
 * start. With Redis any number may run. The lock lives on a connection of its own and ends with the
 * process, even if it is killed. When PostgreSQL restarts or the connection breaks, the claim is made
 * anew; who is late stops.
 */
export async function claimApi(
  url: string,
  options: ClaimOptions,
): Promise<{ release(): Promise<void> }> {
  const first = await tryLock(url, options)
  if (first === 'away' || first === 'ours') throw new StartRefused(TAKEN)
  let held: Client | undefined
  const hold = (client: Client) => {
    held = client
    client.once('end', () => {
      held = undefined
      loop.wake()
    })
  }
  const loop = startLoop({
    timers: options.timers ?? systemTimers,
    backoff: BACKOFF,
    onError: () => {},
    async iterate() {
      if (held) return HELD_MS
      const found = await tryLock(url, options)
      if (found === 'away') options.onLost()
      else if (found !== 'ours') hold(found)
      return found === 'ours' ? BACKOFF.firstMs : HELD_MS
    },
  })
  hold(first)
  return {
    async release() {
      await loop.stop()
      await held?.end()
    },
  }
}

const TAKEN =
  'Another api process uses this database: give all of them the same REDIS_URL, or stop it first.'

/**
 * The connection that holds the lock; else who has it: another process, or a connection of this one
 * that the server still believes alive.
 */
async function tryLock(
  url: string,
  { isShared, id }: ClaimOptions,
): Promise<Client | 'away' | 'ours'> {
  const name = `${API_NAME} ${id}`
  const client = new Client({ connectionString: url, application_name: name })
  client.on('error', () => {})
  const lock = isShared ? 'pg_try_advisory_lock_shared' : 'pg_try_advisory_lock'
  try {
    await client.connect()
    const { rows } = await client.query(`select ${lock}($1) as claimed`, [API_LOCK])
    if (rows[0].claimed) return client
    const others = await client.query(
      `select from pg_locks join pg_stat_activity using (pid)
        where locktype = 'advisory' and objid = $1 and granted and datname = current_database()
          and application_name <> $2`,
      [API_LOCK, name],
    )
    await client.end()
    return others.rowCount === 0 ? 'ours' : 'away'
  } catch (error) {
    await client.end().catch(() => {})
    throw error
  }
}

/** True while a living api process uses the database; a killed one holds no lock. */
export async function hasApi(url: string): Promise<boolean> {
  const client = new Client({ connectionString: url, connectionTimeoutMillis: 5_000 })
  client.on('error', () => {})
  try {
    await client.connect()
    const { rowCount } = await client.query(
      'select from pg_stat_activity where starts_with(application_name, $1)',
      [API_NAME],
    )
    return rowCount !== 0
  } catch {
    return false
  } finally {
    await client.end().catch(() => {})
  }
}

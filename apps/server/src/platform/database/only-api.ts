import { Client } from 'pg'
import { StartRefused } from '../problem.ts'

const API_LOCK = 7_145_002
const API_NAME = 'placard api'

/**
 * Without Redis one api process holds the frequency counters in memory, so a second one must refuse to
 * start. With Redis any number may run. The lock lives on a connection of its own and ends with the
 * process, even if it is killed.
 */
export async function claimApi(
  url: string,
  { isShared }: { isShared: boolean },
): Promise<{ release(): Promise<void> }> {
  const client = new Client({ connectionString: url, application_name: API_NAME })
  client.on('error', () => {})
  const lock = isShared ? 'pg_try_advisory_lock_shared' : 'pg_try_advisory_lock'
  try {
    await client.connect()
    const { rows } = await client.query(`select ${lock}($1) as claimed`, [API_LOCK])
    if (rows[0].claimed) return { release: () => client.end() }
  } catch (error) {
    await client.end().catch(() => {})
    throw error
  }
  await client.end()
  throw new StartRefused(
    'Another api process uses this database: give all of them the same REDIS_URL, or stop it first.',
  )
}

/** True while a living api process uses the database; a killed one holds no lock. */
export async function hasApi(url: string): Promise<boolean> {
  const client = new Client({ connectionString: url, connectionTimeoutMillis: 5_000 })
  client.on('error', () => {})
  try {
    await client.connect()
    const { rowCount } = await client.query(
      'select from pg_stat_activity where application_name = $1',
      [API_NAME],
    )
    return rowCount !== 0
  } catch {
    return false
  } finally {
    await client.end().catch(() => {})
  }
}

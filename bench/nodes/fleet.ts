import { type ChildProcess, spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { systemRandom } from '../../apps/server/src/platform/random.ts'
import { systemClock } from '../../apps/server/src/platform/clock.ts'
import { connect, type Connection } from '../../apps/server/src/platform/database/connect.ts'
import { freePort, startEmbedded } from '../../apps/server/src/platform/database/embedded.ts'
import {
  migrate,
  MIGRATIONS,
  readMigrations,
} from '../../apps/server/src/platform/database/migrate.ts'
import { idsFrom } from '../../apps/server/src/platform/ids.ts'
import { catalogueOf } from '../engine/catalogue.ts'
import { type Running, startProgram } from '../serve/processes.ts'
import { writeCatalogue } from '../serve/rows.ts'

export interface Market {
  readonly url: string
  readonly database: Connection
  readonly placements: readonly string[]
  readonly folder: string
}

/** Periodic work would fall into some windows and not into others, so it is off. */
const STEADY = ['autovacuum=off', 'checkpoint_timeout=1h', 'max_wal_size=8GB']

/** A PostgreSQL with this many live ads, each with a daily budget. */
export async function openMarket(ads: number, stack: AsyncDisposableStack): Promise<Market> {
  const folder = await mkdtemp(path.join(tmpdir(), 'placard-bench-'))
  stack.defer(() => rm(folder, { recursive: true, force: true }))
  const postgres = await startEmbedded({ folder, settings: STEADY, progress: () => {} })
  stack.defer(() => postgres.stop())
  const database = connect({ url: postgres.url, connectionsMax: 4, statementTimeoutMs: 120_000 })
  stack.defer(() => database.close())
  await migrate(database.pool, await readMigrations(MIGRATIONS))
  const ids = idsFrom({ clock: systemClock(), random: systemRandom })
  const { placements } = await writeCatalogue(database.db, ids, catalogueOf(ads, 1))
  await database.pool.query('update campaigns set budget_daily_micros = 1000000000')
  await database.pool.query('vacuum analyze')
  return { url: postgres.url, database, placements, folder }
}

export interface Redis {
  readonly url: string
  readonly child: ChildProcess
}

export async function startRedis(stack: AsyncDisposableStack): Promise<Redis> {
  const port = await freePort()
  const options = ['--port', String(port), '--save', '', '--appendonly', 'no']
  const child = spawn('redis-server', options, { stdio: 'ignore' })
  stack.defer(() => void child.kill('SIGKILL'))
  return { url: `redis://127.0.0.1:${port}`, child }
}

export async function startNode(
  { url, folder }: Market,
  { name, redisUrl }: { name: string; redisUrl?: string },
): Promise<Running> {
  const port = await freePort()
  return startProgram('../../apps/server/src/main.ts', {
    port,
    readyPath: '/health/ready',
    // Two nodes on one core would evict each other's data from its caches, so each gets a core.
    isPinned: false,
    env: {
      PLACARD_MODE: 'production',
      PLACARD_ROLE: 'api',
      PLACARD_HOME: path.join(folder, name),
      DATABASE_URL: url,
      ...(redisUrl && { REDIS_URL: redisUrl }),
      API_PORT: String(port),
      TRUSTED_PROXIES: '127.0.0.1',
      LOG_LEVEL: 'warn',
      METRICS_ACCESS: 'open',
      // Leases of a dead node expire sooner, so that the end of the run does not wait a minute.
      BUDGET_LEASE_SECONDS: '20',
      JWT_SECRET: 'a secret of the benchmark, long enough',
      USER_KEY_SECRET: 'another secret of the benchmark, long',
      ENCRYPTION_SECRET: 'a third secret of the benchmark, long',
      TRACKING_KEYS: '1:a-fourth-secret-of-the-benchmark-long',
    },
  })
}

export const postmasterOf = ({ folder }: Market): number =>
  Number(readFileSync(path.join(folder, 'data/postmaster.pid'), 'utf8').split('\n')[0])

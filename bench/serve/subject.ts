import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { systemRandom } from '../../apps/server/src/platform/random.ts'
import { systemClock } from '../../apps/server/src/platform/clock.ts'
import { connect, type Connection } from '../../apps/server/src/platform/database/connect.ts'
import { freePort, startEmbedded } from '../../apps/server/src/platform/database/embedded.ts'
import { migrate, readMigrations } from '../../apps/server/src/platform/database/migrate.ts'
import { idsFrom } from '../../apps/server/src/platform/ids.ts'
import { START_FLAGS } from '../../apps/server/src/settings/start-flags.ts'
import { catalogueOf } from '../engine/catalogue.ts'
import { cpuSecondsOfTree } from '../cpu.ts'
import { SETTLED_IN } from '../postgres.ts'
import { type Running, startProgram } from './processes.ts'
import { writeCatalogue } from './rows.ts'

const ROOT = path.join(import.meta.dirname, '../..')

export interface Subject extends Running {
  readonly database: Connection
  readonly placements: readonly string[]
  /** CPU seconds of all PostgreSQL processes so far. */
  postgresCpuSeconds(): number
}

/** One api process of Placard with its own PostgreSQL and this many live ads. */
export async function startSubject(
  ads: number,
  flags: readonly string[] = START_FLAGS,
): Promise<Subject> {
  const stack = new AsyncDisposableStack()
  try {
    return await startOn(stack, ads, flags)
  } catch (error) {
    await stack.disposeAsync()
    throw error
  }
}

async function startOn(
  stack: AsyncDisposableStack,
  ads: number,
  flags: readonly string[],
): Promise<Subject> {
  const folder = await mkdtemp(path.join(tmpdir(), 'placard-bench-'))
  stack.defer(() => rm(folder, { recursive: true, force: true }))
  const postgres = await startEmbedded({ folder, settings: SETTLED_IN, progress: () => {} })
  stack.defer(() => postgres.stop())
  const database = connect({ url: postgres.url, connectionsMax: 4, statementTimeoutMs: 120_000 })
  stack.defer(() => database.close())
  await migrate(database.pool, await readMigrations(path.join(ROOT, 'apps/server/migrations')))
  const ids = idsFrom({ clock: systemClock(), random: systemRandom })
  const { placements } = await writeCatalogue(database.db, ids, catalogueOf(ads, 1))
  await database.pool.query('vacuum analyze')

  const pidFile = await readFile(path.join(folder, 'data/postmaster.pid'), 'utf8')
  const postmaster = Number(pidFile.split('\n')[0])

  const port = await freePort()
  const server = await startProgram('../../apps/server/src/main.ts', {
    port,
    flags,
    readyPath: '/health/ready',
    env: {
      PLACARD_MODE: 'production',
      PLACARD_ROLE: 'api',
      PLACARD_HOME: path.join(folder, 'home'),
      DATABASE_URL: postgres.url,
      API_PORT: String(port),
      TRUSTED_PROXIES: '127.0.0.1',
      LOG_LEVEL: 'warn',
      METRICS_ACCESS: 'open',
      // No ad is shown, so the long holds of videos would fill the book in the middle of a run.
      RESERVATION_VIDEO_SECONDS: '60',
      // Sixty addresses stand for all readers: each decision holds, as it would for one of many.
      RESERVATION_UNVOUCHED_SECONDS: '60',
      RESERVATIONS_PER_READER: '10000000',
      RESERVATION_PERCENT_PER_READER: '100',
      RESERVATION_PERCENT_UNVOUCHED: '100',
      JWT_SECRET: 'a secret of the benchmark, long enough',
      USER_KEY_SECRET: 'another secret of the benchmark, long',
      ENCRYPTION_SECRET: 'a third secret of the benchmark, long',
      TRACKING_KEYS: '1:a-fourth-secret-of-the-benchmark-long',
    },
  })
  return {
    ...server,
    database,
    placements,
    postgresCpuSeconds: () => cpuSecondsOfTree(postmaster),
    async stop() {
      await server.stop()
      await stack.disposeAsync()
    },
  }
}

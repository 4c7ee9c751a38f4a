import path from 'node:path'
import { argon2Passwords, auditTo, enrolOperator } from '../capabilities/accounts/index.ts'
import type { Config } from '../settings/config.ts'
import { systemRandom } from '../platform/random.ts'
import { systemClock } from '../platform/clock.ts'
import { findRunning } from '../platform/database/embedded.ts'
import { migrate, MIGRATIONS, readMigrations } from '../platform/database/migrate.ts'
import { openDatabase } from '../platform/database/open.ts'
import { idsFrom } from '../platform/ids.ts'

const STATEMENT_TIMEOUT_MS = 30_000

/** Creates an operator, beside a running Placard or before its first start. */
export async function makeOperator(
  config: Config,
  { email, password }: { email: string; password: string },
): Promise<void> {
  const running = await findRunning(path.resolve(config.PLACARD_HOME, 'postgres'))
  const database = await openDatabase({
    url: config.DATABASE_URL ?? running?.url,
    home: config.PLACARD_HOME,
    connectionsMax: 2,
    statementTimeoutMs: STATEMENT_TIMEOUT_MS,
    progress: () => {},
  })
  try {
    await migrate(database.pool, await readMigrations(MIGRATIONS))
    const clock = systemClock(config.PLACARD_CLOCK_OFFSET_MS)
    const ids = idsFrom({ clock, random: systemRandom })
    const deps = { clock, ids, random: systemRandom, audit: auditTo({ ids, clock }) }
    const operator = { email, password, displayName: email, accountName: 'Platform' }
    await database.db.transaction((db) =>
      enrolOperator({ ...deps, db, passwords: argon2Passwords() }, operator),
    )
  } finally {
    await database.close()
  }
}

import path from 'node:path'
import {
  argon2Passwords,
  auditTo,
  enrolOperator,
  linkParts,
  resetFactorsByEmail,
} from '../capabilities/accounts/index.ts'
import type { Config } from '../settings/config.ts'
import { readSecrets } from '../settings/secrets.ts'
import { systemRandom } from '../platform/random.ts'
import { systemClock } from '../platform/clock.ts'
import { findRunning } from '../platform/database/embedded.ts'
import { migrate, MIGRATIONS, readMigrations } from '../platform/database/migrate.ts'
import { openDatabase } from '../platform/database/open.ts'
import { idsFrom } from '../platform/ids.ts'
import { openJobs } from '../platform/jobs/open.ts'
import type { ResourceDeps } from '../platform/resources/index.ts'
import { secretBoxOf } from '../platform/secret-box.ts'
import { JOBS } from './jobs.ts'

const STATEMENT_TIMEOUT_MS = 30_000

/** Creates an operator, beside a running Placard or before its first start. */
export function makeOperator(
  config: Config,
  { email, password }: { email: string; password: string },
): Promise<void> {
  return withDatabase(config, async ({ db, ...deps }) => {
    const operator = { email, password, displayName: email, accountName: 'Platform' }
    const audit = auditTo(deps)
    const passwords = argon2Passwords()
    await db.transaction((db) => enrolOperator({ ...deps, db, audit, passwords }, operator))
  })
}

/** Removes the second factors of a user. False if nobody has that address, or has no factor. */
export function removeFactorsOf(config: Config, email: string): Promise<boolean> {
  return withDatabase(config, async ({ db, url, ...deps }) => {
    const jobs = await openJobs({
      ...deps,
      config,
      db,
      url,
      log: SILENT,
      role: 'enqueuer',
      jobs: JOBS,
      observer: UNOBSERVED,
    })
    try {
      const secrets = await readSecrets(config)
      const secretBoxFor = (purpose: string) => secretBoxOf(secrets, purpose)
      const { mails } = linkParts({ ...deps, config, jobs, secretBoxFor })
      return await db.transaction((db) => resetFactorsByEmail({ ...deps, db, mails }, email))
    } finally {
      await jobs.stop()
    }
  })
}

const nothing = () => {}
const SILENT = { info: nothing, warn: nothing, error: nothing }
const UNOBSERVED = { started: nothing, succeeded: nothing, failed: nothing }

interface CommandDeps extends Pick<ResourceDeps, 'db' | 'clock' | 'ids' | 'random'> {
  readonly url: string
}

async function withDatabase<Result>(
  config: Config,
  work: (deps: CommandDeps) => Promise<Result>,
): Promise<Result> {
  const running = await findRunning(path.resolve(config.PLACARD_HOME, 'postgres'))
  const database = await openDatabase({
    url: config.DATABASE_URL ?? running?.url,
    home: config.PLACARD_HOME,
    connectionsMax: 2,
    statementTimeoutMs: STATEMENT_TIMEOUT_MS,
    progress: nothing,
  })
  try {
    await migrate(database.pool, await readMigrations(MIGRATIONS))
    const clock = systemClock(config.PLACARD_CLOCK_OFFSET_MS)
    const ids = idsFrom({ clock, random: systemRandom })
    return await work({ clock, ids, random: systemRandom, db: database.db, url: database.url })
  } finally {
    await database.close()
  }
}

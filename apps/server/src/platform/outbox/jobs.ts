import { Type } from 'typebox'
import type { Clock } from '../clock.ts'
import type { Database } from '../database/connect.ts'
import { defineJob } from '../jobs/job.ts'
import { trimOutbox } from './store.ts'

/** Kept this long after every sink has them, so that people can look them up. */
const KEEP_HOURS = 24

interface Deps {
  readonly db: Database
  readonly clock: Clock
  /** Names of the sinks in use. */
  listSinks(): Promise<readonly string[]>
}

/** Deletes events that every sink has received. Scheduled every 15 minutes. */
export const trimOutboxJob = defineJob({
  name: 'outbox.trim-feed',
  payload: Type.Object({}),
  retries: 0,
  backoff: { firstSeconds: 1, maxSeconds: 1 },
  timeoutSeconds: 600,
  concurrency: 1,
  async run(_, { db, clock, listSinks }: Deps, { log }) {
    const olderThan = new Date(clock.now().getTime() - KEEP_HOURS * 3_600_000)
    const trimmed = await trimOutbox(db, { sinks: await listSinks(), olderThan })
    if (trimmed > 0) log.info({ trimmed }, 'outbox trimmed')
  },
})

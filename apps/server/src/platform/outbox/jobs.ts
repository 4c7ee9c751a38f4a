import { Type } from 'typebox'
import type { Clock } from '../clock.ts'
import type { Database } from '../database/connect.ts'
import { defineJob } from '../jobs/job.ts'
import { trimOutbox } from './store.ts'

/** Kept a while after every sink has them, for whoever asks what was told. */
const KEEP_HOURS = 24

interface Deps {
  readonly db: Database
  readonly clock: Clock
  /** Names of the sinks that are in use. */
  listSinks(): Promise<readonly string[]>
}

/** Forgets events that every sink has got. To be run every quarter of an hour. */
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

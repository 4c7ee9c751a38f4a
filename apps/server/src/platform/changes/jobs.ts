import { Type } from 'typebox'
import type { Clock } from '../clock.ts'
import type { Database } from '../database/connect.ts'
import { defineJob } from '../jobs/job.ts'
import { trimOldChanges } from './changes.ts'

/** A node that was down for longer reloads instead of catching up. */
const KEEP_HOURS = 6

/** Deletes old changes. Scheduled every 15 minutes. */
export const trimChangesJob = defineJob({
  name: 'changes.trim-feed',
  payload: Type.Object({}),
  retries: 0,
  backoff: { firstSeconds: 1, maxSeconds: 1 },
  timeoutSeconds: 600,
  concurrency: 1,
  async run(_, { db, clock }: { db: Database; clock: Clock }, { log }) {
    const trimmed = await trimOldChanges(
      db,
      new Date(clock.now().getTime() - KEEP_HOURS * 3_600_000),
    )
    if (trimmed > 0) log.info({ trimmed }, 'changes trimmed')
  },
})

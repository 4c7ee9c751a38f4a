import { DAY_MS } from '@placard/calendar'
import { Type } from 'typebox'
import type { Clock } from '../../platform/clock.ts'
import type { Database } from '../../platform/database/connect.ts'
import { defineJob } from '../../platform/jobs/job.ts'
import { deleteExpiredChallenges } from './factors/store.ts'
import { deleteLinksBefore } from './links/store.ts'
import { deleteTriesBefore } from './store-limits.ts'
import { deleteRefreshTokensBefore, deleteSessionsBefore } from './store.ts'

const KEEP_ENDED_DAYS = 30

/** Deletes sessions that ended long ago, with their refresh tokens. Runs every hour. */
export const clearSessionsJob = defineJob({
  name: 'accounts.clear-sessions',
  payload: Type.Object({}),
  retries: 2,
  backoff: { firstSeconds: 10, maxSeconds: 60 },
  timeoutSeconds: 300,
  concurrency: 1,
  async run(_, { db, clock }: { db: Database; clock: Clock }, { log }) {
    const before = new Date(clock.now().getTime() - KEEP_ENDED_DAYS * DAY_MS)
    const cleared = await deleteSessionsBefore(db, before)
    await deleteRefreshTokensBefore(db, clock.now())
    await deleteLinksBefore(db, before)
    await deleteExpiredChallenges(db, clock.now())
    await deleteTriesBefore(db, new Date(clock.now().getTime() - DAY_MS))
    if (cleared > 0) log.info({ cleared }, 'sessions cleared')
  },
})

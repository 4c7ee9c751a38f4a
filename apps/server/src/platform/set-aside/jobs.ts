import { DAY_MS } from '@placard/calendar'
import { Type } from 'typebox'
import type { Clock } from '../clock.ts'
import type { Database } from '../database/connect.ts'
import { defineJob } from '../jobs/job.ts'
import { forgetUnconfirmed } from './store.ts'

/** The least frequent round runs once a day. */
const FORGET_AFTER_MS = 2 * DAY_MS

/** Deletes entries whose rows are gone. Scheduled every hour. */
export const forgetSetAsideJob = defineJob({
  name: 'set-aside.forget-gone',
  payload: Type.Object({}),
  retries: 0,
  backoff: { firstSeconds: 1, maxSeconds: 1 },
  timeoutSeconds: 60,
  concurrency: 1,
  async run(_, { db, clock }: { db: Database; clock: Clock }, { log }) {
    const before = new Date(clock.now().getTime() - FORGET_AFTER_MS)
    const forgotten = await forgetUnconfirmed(db, before)
    if (forgotten > 0) log.info({ forgotten }, 'lines of rows that are gone were forgotten')
  },
})

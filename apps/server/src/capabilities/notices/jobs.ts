import { DAY_MS } from '@placard/calendar'
import { Type } from 'typebox'
import type { Clock } from '../../platform/clock.ts'
import type { Database } from '../../platform/database/connect.ts'
import { defineJob } from '../../platform/jobs/job.ts'
import { sendDueNotices, type SendingDeps } from './sending.ts'
import { deleteRecipientLinksBefore } from './store-links.ts'
import { trimNotices } from './store.ts'

interface Deps {
  readonly db: Database
  readonly clock: Clock
  readonly notices: SendingDeps
}

const KEPT_DAYS = 30

/** Sends due notices, every minute. Each notice has its own attempts and pauses. */
export const sendNoticesJob = defineJob({
  name: 'notices.send-due',
  payload: Type.Object({}),
  retries: 0,
  backoff: { firstSeconds: 1, maxSeconds: 1 },
  timeoutSeconds: 300,
  concurrency: 1,
  async run(_, { notices }: Pick<Deps, 'notices'>, { signal }) {
    await sendDueNotices(notices, signal)
  },
})

/** Deletes notices 30 days after they ended, every hour. */
export const trimNoticesJob = defineJob({
  name: 'notices.trim',
  payload: Type.Object({}),
  retries: 0,
  backoff: { firstSeconds: 1, maxSeconds: 1 },
  timeoutSeconds: 300,
  concurrency: 1,
  async run(_, { db, clock }: Pick<Deps, 'db' | 'clock'>) {
    await deleteRecipientLinksBefore(db, new Date(clock.now().getTime() - DAY_MS))
    await trimNotices(db, new Date(clock.now().getTime() - KEPT_DAYS * DAY_MS))
  },
})

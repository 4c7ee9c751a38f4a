import { DAY_MS } from '@placard/calendar'
import { Type } from 'typebox'
import type { Clock } from '../../../platform/clock.ts'
import type { Database } from '../../../platform/database/connect.ts'
import { defineJob } from '../../../platform/jobs/job.ts'
import { deleteOldConsentCounts } from './store-consent-counts.ts'

export interface DropConsentCountsDeps {
  readonly db: Database
  readonly clock: Clock
}

/** Two years and a month, so that a year can be compared with the one before. */
const KEPT_DAYS = 760

/** Deletes counts that no report needs. Runs every night. */
export const dropConsentCountsJob = defineJob({
  name: 'consent.drop-counts',
  payload: Type.Object({}),
  retries: 2,
  backoff: { firstSeconds: 10, maxSeconds: 60 },
  timeoutSeconds: 120,
  concurrency: 1,
  async run(_, { db, clock }: DropConsentCountsDeps) {
    const before = new Date(clock.now().getTime() - KEPT_DAYS * DAY_MS)
    await deleteOldConsentCounts(db, before.toISOString().slice(0, 10))
  },
})

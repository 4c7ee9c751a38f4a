import type { Pool } from 'pg'
import { Type } from 'typebox'
import type { Clock } from '../../../platform/clock.ts'
import { defineJob } from '../../../platform/jobs/job.ts'
import { deleteOldVisits } from './store-visits.ts'

export interface ForgetVisitsDeps {
  readonly pool: Pool
  readonly clock: Clock
}

/** Forgets readers who stayed away for long. Runs every hour. */
export const forgetVisitsJob = defineJob({
  name: 'frequency.forget-visits',
  payload: Type.Object({}),
  retries: 2,
  backoff: { firstSeconds: 10, maxSeconds: 60 },
  timeoutSeconds: 120,
  concurrency: 1,
  async run(_, { pool, clock }: ForgetVisitsDeps, { log }) {
    const forgotten = await deleteOldVisits(pool, clock.now())
    if (forgotten > 0) log.info({ forgotten }, 'readers who stayed away forgotten')
  },
})

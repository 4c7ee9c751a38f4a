import { Type } from 'typebox'
import type { Clock } from '../clock.ts'
import type { Database } from '../database/connect.ts'
import { defineJob } from '../jobs/job.ts'
import { deleteAnswersBefore } from './kept-answers.ts'

const KEEP_HOURS = 24

/** Deletes expired answers. Scheduled every hour. */
export const clearAnswersJob = defineJob({
  name: 'http.clear-answers',
  payload: Type.Object({}),
  retries: 2,
  backoff: { firstSeconds: 10, maxSeconds: 60 },
  timeoutSeconds: 300,
  concurrency: 1,
  async run(_, { db, clock }: { db: Database; clock: Clock }) {
    await deleteAnswersBefore(db, new Date(clock.now().getTime() - KEEP_HOURS * 3_600_000))
  },
})

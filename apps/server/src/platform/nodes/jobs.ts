import { Type } from 'typebox'
import type { Database } from '../database/connect.ts'
import { defineJob } from '../jobs/job.ts'
import { forgetSilentNodes } from './store.ts'

const FORGET_AFTER_SECONDS = 3_600

/** Deletes nodes that were killed. Scheduled every 15 minutes. */
export const forgetSilentNodesJob = defineJob({
  name: 'nodes.forget-silent',
  payload: Type.Object({}),
  retries: 0,
  backoff: { firstSeconds: 1, maxSeconds: 1 },
  timeoutSeconds: 60,
  concurrency: 1,
  async run(_, { db }: { db: Database }, { log }) {
    const forgotten = await forgetSilentNodes(db, FORGET_AFTER_SECONDS)
    if (forgotten > 0) log.info({ forgotten }, 'silent nodes forgotten')
  },
})

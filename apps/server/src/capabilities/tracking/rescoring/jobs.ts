import { Type } from 'typebox'
import { defineJob } from '../../../platform/jobs/job.ts'
import { rescore, type RescoreDeps } from './operations.ts'
import { findOpenRescore } from './store.ts'

const ORDERS_MAX = 100

/** Runs open rescores, oldest first. Enqueued with each order, and every minute for the rest. */
export const rescoreJob = defineJob({
  name: 'tracking.rescore',
  payload: Type.Object({}),
  retries: 5,
  backoff: { firstSeconds: 10, maxSeconds: 300 },
  timeoutSeconds: 3_000,
  concurrency: 1,
  dedupeKey: () => 'rescore',
  async run(_, deps: RescoreDeps, context) {
    for (let done = 0; done < ORDERS_MAX; done++) {
      const order = await findOpenRescore(deps.pool)
      if (order === undefined) return
      await rescore(deps, order, context)
      context.log.info({ rescore: order.publicId }, 'events rescored')
    }
  },
})

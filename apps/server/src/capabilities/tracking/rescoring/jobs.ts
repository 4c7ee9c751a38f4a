import { Type } from 'typebox'
import { defineJob } from '../../../platform/jobs/job.ts'
import { rescore, type RescoreDeps } from './operations.ts'
import { takeOpenRescore } from './store.ts'

const ORDERS_MAX = 100

/**
 * Runs open rescores, each once, those that wait longest first. One that fails leaves the others
 * their turn. Enqueued with each order, and every minute for the rest.
 */
export const rescoreJob = defineJob({
  name: 'tracking.rescore',
  payload: Type.Object({}),
  retries: 5,
  backoff: { firstSeconds: 10, maxSeconds: 300 },
  timeoutSeconds: 3_000,
  concurrency: 1,
  dedupeKey: () => 'rescore',
  async run(_, deps: RescoreDeps, context) {
    const { pool, clock } = deps
    const since = clock.now()
    const faults: unknown[] = []
    for (let tried = 0; tried < ORDERS_MAX; tried++) {
      const order = await takeOpenRescore(pool, { since, at: clock.now() })
      if (order === undefined) break
      const { publicId: id } = order
      try {
        await rescore(deps, order, context)
        context.log.info({ rescore: id }, 'events rescored')
      } catch (fault) {
        context.signal.throwIfAborted()
        context.log.error({ rescore: id, err: fault }, 'a rescore failed and is tried again')
        faults.push(fault)
      }
    }
    if (faults.length > 0) throw faults[0]
  },
})

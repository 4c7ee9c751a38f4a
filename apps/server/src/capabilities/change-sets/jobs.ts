import { Type } from 'typebox'
import { defineJob } from '../../platform/jobs/job.ts'
import type { ThingDeps } from './things.ts'
import { forgetOldSets, workThrough } from './work.ts'

/** Checks, publishes or undoes a long change set. A repeated run continues with the rows left. */
export const workChangeSetJob = defineJob({
  name: 'change-sets.work',
  payload: Type.Object({ changeSetId: Type.String({ format: 'uuid' }) }),
  retries: 5,
  backoff: { firstSeconds: 5, maxSeconds: 60 },
  timeoutSeconds: 900,
  concurrency: 2,
  dedupeKey: ({ changeSetId }) => `change-set-${changeSetId}`,
  run: ({ changeSetId: publicId }, deps: ThingDeps, { signal, progress }) =>
    workThrough(deps, { publicId, signal, progress }),
})

/** Deletes old change sets, every hour. */
export const forgetChangeSetsJob = defineJob({
  name: 'change-sets.forget-old',
  payload: Type.Object({}),
  retries: 0,
  backoff: { firstSeconds: 1, maxSeconds: 1 },
  timeoutSeconds: 600,
  concurrency: 1,
  run: (_, deps: Pick<ThingDeps, 'db' | 'clock'>, { signal }) => forgetOldSets(deps, signal),
})

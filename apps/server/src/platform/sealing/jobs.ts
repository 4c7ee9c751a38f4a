import type { Gauge } from 'prom-client'
import { Type } from 'typebox'
import { defineJob } from '../jobs/job.ts'
import { type ResealDeps, resealSecrets } from './reseal.ts'

export interface ResealJobDeps extends ResealDeps {
  readonly gauge: Gauge<'state'>
}

/** Scheduled every hour. After a rotation of `ENCRYPTION_SECRET` it leaves nothing to the older one. */
export const resealSecretsJob = defineJob({
  name: 'platform.reseal-secrets',
  payload: Type.Object({}),
  retries: 2,
  backoff: { firstSeconds: 10, maxSeconds: 60 },
  timeoutSeconds: 600,
  concurrency: 1,
  async run(_, { gauge, ...deps }: ResealJobDeps, context) {
    const found = await resealSecrets(deps, context)
    const left = { current: found.current + found.older, unreadable: found.unreadable }
    for (const [state, count] of Object.entries(left)) gauge.set({ state }, count)
    if (found.older > 0) context.log.info({ ...found }, 'stored secrets are sealed anew')
    if (found.unreadable > 0) {
      context.log.error(
        { ...found },
        'stored secrets cannot be read: give the ENCRYPTION_SECRET they were sealed with as ENCRYPTION_SECRET_OTHER',
      )
    }
  },
})

import { Type } from 'typebox'
import { defineJob, type Jobs } from '../../../platform/jobs/job.ts'
import { type CheckDeps, checkDomain } from './checking.ts'
import { listDueSites } from './store.ts'

const COMMON = { retries: 2, backoff: { firstSeconds: 30, maxSeconds: 600 } } as const

/** Looks whether the domain of a site is still, or at last, its publisher's. */
export const checkDomainJob = defineJob({
  name: 'inventory.check-domain',
  payload: Type.Object({ siteKey: Type.String({ pattern: '^[0-9]{1,18}$' }) }),
  ...COMMON,
  timeoutSeconds: 120,
  concurrency: 4,
  dedupeKey: ({ siteKey }) => `domain-${siteKey}`,
  run: ({ siteKey }, deps: CheckDeps) => checkDomain(deps, BigInt(siteKey)),
})

const SITES_PER_ROUND = 500

/** Orders the looks that are due. Runs every five minutes. */
export const checkDomainsJob = defineJob({
  name: 'inventory.check-domains',
  payload: Type.Object({}),
  ...COMMON,
  timeoutSeconds: 60,
  concurrency: 1,
  async run(_, deps: Pick<CheckDeps, 'db' | 'clock'> & { readonly jobs: Jobs }) {
    const { db, clock, jobs } = deps
    for (const { id } of await listDueSites(db, clock.now(), SITES_PER_ROUND)) {
      await jobs.enqueue(db, checkDomainJob, { payload: { siteKey: String(id) } })
    }
  },
})

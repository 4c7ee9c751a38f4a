import { bindJob } from '../../platform/jobs/job.ts'
import {
  type CapabilityModule,
  type ProcessBase,
  routeGroup,
  warnOf,
} from '../../platform/module.ts'
import { type ConsentCounts, openConsentCounts } from './counts/consent-counts.ts'
import { dropConsentCountsJob } from './counts/jobs.ts'
import { consentRoutes } from './counts/routes.ts'
import { addConsentCounts } from './counts/store-consent-counts.ts'

export const CONSENT_JOBS = [dropConsentCountsJob]

export const consentApi = (deps: Pick<ProcessBase, 'db' | 'clock'>): CapabilityModule => ({
  name: 'consent',
  routes: [routeGroup('/api/v1/admin', consentRoutes, deps)],
})

export type ConsentServingDeps = Pick<ProcessBase, 'db' | 'clock' | 'timers' | 'metrics' | 'log'>

/** Counts requests by what their readers refuse. */
export function consentServing(
  deps: ConsentServingDeps,
): CapabilityModule & { readonly consentCounts: ConsentCounts } {
  const consentCounts = openConsentCounts({
    ...deps,
    save: (counts) => addConsentCounts(deps.db, counts),
    onError: warnOf(deps, 'counts of consent could not be written'),
  })
  return { name: 'consent counts', consentCounts, stop: () => consentCounts.stop() }
}

export const consentWorker = (deps: Pick<ProcessBase, 'db' | 'clock'>): CapabilityModule => ({
  name: 'consent',
  jobs: [bindJob(dropConsentCountsJob, deps, '17 3 * * *')],
})

import { bindJob } from '../../platform/jobs/job.ts'
import { type CapabilityModule, type ProcessBase, routeGroup } from '../../platform/module.ts'
import type { ResourceDeps } from '../../platform/resources/index.ts'
import { campaignEvents } from '../campaigns/index.ts'
import { forgetChangeSetsJob, workChangeSetJob } from './jobs.ts'
import type { ChangeSetDeps } from './operations.ts'
import { changeSetRoutes } from './routes.ts'

export const CHANGE_SET_JOBS = [workChangeSetJob, forgetChangeSetsJob]

type ProcessDeps = Pick<ProcessBase, keyof ResourceDeps>

/** Edits of many rows: draft, preview, publish, undo. */
export const changeSetsApi = (
  deps: ProcessDeps & Pick<ChangeSetDeps, 'jobs'>,
): CapabilityModule => ({
  name: 'change-sets',
  routes: [
    routeGroup('/api/v1/admin', changeSetRoutes, { ...deps, events: campaignEvents(deps.ids) }),
  ],
})

export const changeSetsWorker = (deps: ProcessDeps): CapabilityModule => ({
  name: 'change-sets',
  jobs: [
    bindJob(workChangeSetJob, { ...deps, events: campaignEvents(deps.ids) }),
    bindJob(forgetChangeSetsJob, deps, '53 * * * *'),
  ],
})

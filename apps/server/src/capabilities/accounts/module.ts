import { bindJob } from '../../platform/jobs/job.ts'
import type { CapabilityModule, ProcessBase } from '../../platform/module.ts'
import { clearSessionsJob } from './jobs.ts'

export const ACCOUNT_JOBS = [clearSessionsJob]

export const accountsWorker = (deps: Pick<ProcessBase, 'db' | 'clock'>): CapabilityModule => ({
  name: 'accounts',
  jobs: [bindJob(clearSessionsJob, deps, '7 * * * *')],
})

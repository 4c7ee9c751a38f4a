import { bindJob } from '../../platform/jobs/job.ts'
import type { CapabilityModule, ProcessBase } from '../../platform/module.ts'
import { proveLedgerJob } from './ledger/proof.ts'

export const BUDGET_JOBS = [proveLedgerJob]

export const budgetsWorker = (deps: Pick<ProcessBase, 'pool' | 'clock'>): CapabilityModule => ({
  name: 'budgets',
  jobs: [bindJob(proveLedgerJob, deps, '57 * * * *')],
})

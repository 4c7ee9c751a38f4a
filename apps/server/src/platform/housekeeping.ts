import { trimChangesJob } from './changes/jobs.ts'
import { clearAnswersJob } from './http/jobs.ts'
import { bindJob } from './jobs/job.ts'
import type { CapabilityModule, ProcessBase } from './module.ts'
import { forgetSilentNodesJob } from './nodes/jobs.ts'
import { trimOutboxJob } from './outbox/jobs.ts'
import { resealSecretsJob } from './sealing/jobs.ts'
import { measureSealed } from './sealing/metrics.ts'
import type { ResealDeps } from './sealing/reseal.ts'
import { forgetSetAsideJob } from './set-aside/jobs.ts'

export const PLATFORM_JOBS = [
  clearAnswersJob,
  trimChangesJob,
  trimOutboxJob,
  forgetSilentNodesJob,
  forgetSetAsideJob,
  resealSecretsJob,
]

export interface HousekeepingDeps
  extends Pick<ProcessBase, 'db' | 'clock' | 'metrics'>, Omit<ResealDeps, 'db'> {
  /** Sinks whose events the outbox must keep. */
  listSinks(): Promise<readonly string[]>
}

/** The platform's own jobs. Each trims a table that every capability writes to. */
export const housekeepingWorker = ({
  db,
  clock,
  metrics,
  listSinks,
  ...sealing
}: HousekeepingDeps): CapabilityModule => ({
  name: 'platform',
  jobs: [
    bindJob(clearAnswersJob, { db, clock }, '17 * * * *'),
    bindJob(trimChangesJob, { db, clock }, '*/15 * * * *'),
    bindJob(trimOutboxJob, { db, clock, listSinks }, '*/15 * * * *'),
    bindJob(forgetSilentNodesJob, { db }, '*/15 * * * *'),
    bindJob(forgetSetAsideJob, { db, clock }, '47 * * * *'),
    bindJob(resealSecretsJob, { db, ...sealing, gauge: measureSealed(metrics) }, '37 * * * *'),
  ],
})

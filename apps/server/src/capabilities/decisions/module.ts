import { bindJob } from '../../platform/jobs/job.ts'
import type { CapabilityModule, ProcessBase } from '../../platform/module.ts'
import type { Config } from '../../settings/config.ts'
import { clearSegmentsJob, keepAuctionDaysJob } from './jobs.ts'

export const DECISION_JOBS = [keepAuctionDaysJob, clearSegmentsJob]

export interface DecisionsWorkerDeps extends Pick<ProcessBase, 'db' | 'clock'> {
  readonly config: Pick<Config, 'AUCTION_RETENTION_DAYS'>
}

export function decisionsWorker({ config, db, clock }: DecisionsWorkerDeps): CapabilityModule {
  const auctionRetentionDays = config.AUCTION_RETENTION_DAYS
  return {
    name: 'decisions',
    jobs: [
      bindJob(keepAuctionDaysJob, { db, clock, auctionRetentionDays }, '27 * * * *'),
      bindJob(clearSegmentsJob, { db, clock }, '37 * * * *'),
    ],
  }
}

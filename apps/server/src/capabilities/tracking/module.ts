import { bindJob } from '../../platform/jobs/job.ts'
import type { CapabilityModule, ProcessBase } from '../../platform/module.ts'
import type { Config } from '../../settings/config.ts'
import { dropDaysJob, forgetUsersJob, makeDaysJob, trimTrackingJob } from './jobs.ts'
import { rescoreJob } from './rescoring/jobs.ts'

export const TRACKING_JOBS = [makeDaysJob, dropDaysJob, forgetUsersJob, rescoreJob, trimTrackingJob]

export interface TrackingWorkerDeps extends Pick<ProcessBase, 'pool' | 'clock'> {
  readonly config: Pick<Config, 'EVENT_RETENTION_DAYS' | 'CONVERSION_RETENTION_DAYS'>
  /** Has the reports of a UTC day worked out again. */
  rebuildStats(day: string): Promise<void>
}

export function trackingWorker({
  config,
  pool,
  clock,
  rebuildStats,
}: TrackingWorkerDeps): CapabilityModule {
  const { EVENT_RETENTION_DAYS: events, CONVERSION_RETENTION_DAYS: conversions } = config
  const retentionDays = { impressions: events, views: events, clicks: events, conversions }
  return {
    name: 'tracking',
    jobs: [
      bindJob(makeDaysJob, { pool, clock }, '3 * * * *'),
      bindJob(dropDaysJob, { pool, clock, retentionDays }, '43 2 * * *'),
      bindJob(forgetUsersJob, { pool, clock }, '*/15 * * * *'),
      bindJob(rescoreJob, { pool, clock, rebuildStats }, '* * * * *'),
      bindJob(trimTrackingJob, { pool, clock }, '47 * * * *'),
    ],
  }
}

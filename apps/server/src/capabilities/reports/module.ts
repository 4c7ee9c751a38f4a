import { bindJob } from '../../platform/jobs/job.ts'
import {
  backgroundWork,
  type CapabilityModule,
  type ProcessBase,
  routeGroup,
} from '../../platform/module.ts'
import type { ResourceDeps } from '../../platform/resources/index.ts'
import type { AssetStorage } from '../creatives/index.ts'
import type { Config } from '../../settings/config.ts'
import { startBuilder } from './cube/builder.ts'
import { observeBuilder } from './cube/observe.ts'
import { requestRebuild } from './cube/store-rebuilds.ts'
import { expireExportsJob, writeExportJob } from './exports/jobs-exports.ts'
import { rollUpStatsJob, sendReportsJob, trimStatsJob } from './jobs.ts'
import type { ExportRouteDeps } from './exports/routes-exports.ts'
import { reportRoutes } from './routes.ts'

export const REPORT_JOBS = [
  rollUpStatsJob,
  sendReportsJob,
  trimStatsJob,
  writeExportJob,
  expireExportsJob,
]

export type ReportsApiDeps = Pick<ProcessBase, keyof ResourceDeps> &
  Pick<ExportRouteDeps, 'jobs' | 'storage' | 'exportDb'>

/** Reports and their exports over HTTP. */
export const reportsApi = (deps: ReportsApiDeps): CapabilityModule => ({
  name: 'reports',
  routes: [routeGroup('/api/v1', reportRoutes, deps)],
})

export interface ReportsWorkerDeps extends Pick<
  ProcessBase,
  'db' | 'clock' | 'ids' | 'timers' | 'log' | 'metrics'
> {
  readonly config: Pick<
    Config,
    | 'BANNER_STATS_ROLLUP_CRON'
    | 'STATS_QUARTER_RETENTION_DAYS'
    | 'STATS_DAY_RETENTION_DAYS'
    | 'PUBLIC_URL'
  >
  /** Storage of export files. */
  readonly storage: AssetStorage
}

export interface Reports {
  /** Rebuilds the sums of a UTC day. */
  rebuildStats(day: string): Promise<void>
}

export function reportsWorker(deps: ReportsWorkerDeps): CapabilityModule & Reports {
  const { config, db, clock, ids, timers, log, metrics, storage } = deps
  const statsRetentionDays = {
    quarters: config.STATS_QUARTER_RETENTION_DAYS,
    days: config.STATS_DAY_RETENTION_DAYS,
  }
  return {
    name: 'reports',
    jobs: [
      bindJob(rollUpStatsJob, { db, clock }, config.BANNER_STATS_ROLLUP_CRON),
      bindJob(sendReportsJob, { db, clock, ids }, '* * * * *'),
      bindJob(writeExportJob, { db, clock, ids, storage, publicUrl: config.PUBLIC_URL }),
      bindJob(expireExportsJob, { db, clock, storage }, '23 * * * *'),
      bindJob(trimStatsJob, { db, clock, statsRetentionDays }, '11 * * * *'),
    ],
    rebuildStats: (day) => requestRebuild(db, day, clock.now()),
    ...backgroundWork((running) => {
      const observer = observeBuilder({ registry: metrics, db, clock, log })
      const builder = startBuilder({ db, clock, timers, observer })
      running.defer(() => builder.stop())
    }),
  }
}

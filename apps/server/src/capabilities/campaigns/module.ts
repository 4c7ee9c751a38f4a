import { bindJob } from '../../platform/jobs/job.ts'
import type { CapabilityModule, ProcessBase } from '../../platform/module.ts'
import type { ResourceDeps } from '../../platform/resources/index.ts'
import type { Config } from '../../settings/config.ts'
import { campaignEvents } from './events.ts'
import { syncScheduleStatusJob } from './jobs.ts'

export const CAMPAIGN_JOBS = [syncScheduleStatusJob]

export interface CampaignsWorkerDeps extends Pick<ProcessBase, keyof ResourceDeps> {
  readonly config: Pick<Config, 'BANNER_SCHEDULE_SYNC_CRON'>
}

export const campaignsWorker = ({ config, ...deps }: CampaignsWorkerDeps): CapabilityModule => ({
  name: 'campaigns',
  jobs: [
    bindJob(
      syncScheduleStatusJob,
      { ...deps, events: campaignEvents(deps.ids) },
      config.BANNER_SCHEDULE_SYNC_CRON,
    ),
  ],
})

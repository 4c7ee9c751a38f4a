import { bindJob } from '../../platform/jobs/job.ts'
import { type CapabilityModule, type ProcessBase, routeGroup } from '../../platform/module.ts'
import type { ResourceDeps } from '../../platform/resources/index.ts'
import type { Config } from '../../settings/config.ts'
import { campaignEvents } from './events.ts'
import { syncScheduleStatusJob } from './jobs.ts'
import { campaignRoutes } from './routes.ts'

export const CAMPAIGN_JOBS = [syncScheduleStatusJob]

/** Advertisers, campaigns, ad sets and ads, with their placements and targeting. */
export const campaignsApi = (deps: Pick<ProcessBase, keyof ResourceDeps>): CapabilityModule => ({
  name: 'campaigns',
  routes: [
    routeGroup('/api/v1/admin', campaignRoutes, { ...deps, events: campaignEvents(deps.ids) }),
  ],
})

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

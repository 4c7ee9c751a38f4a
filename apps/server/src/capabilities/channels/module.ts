import { setTimeout } from 'node:timers/promises'
import { bindJob, type Jobs } from '../../platform/jobs/job.ts'
import {
  type CapabilityModule,
  type Probe,
  type ProcessBase,
  routeGroup,
} from '../../platform/module.ts'
import type { ResourceDeps } from '../../platform/resources/index.ts'
import type { Config } from '../../settings/config.ts'
import { adsManagerRoutes } from './ads-manager/routes.ts'
import { connectionRoutes } from './connections/routes.ts'
import { backfillJob, syncStatsJob, tickJob, trimRawJob, watchJob } from './sync/jobs.ts'
import { metaProvider } from './providers/meta.ts'
import { mockProvider } from './providers/mock.ts'
import { onsiteProvider } from './providers/onsite.ts'
import { findLastTick } from './sync/store-requests.ts'
import { CONNECTION_SECRETS } from './tables.ts'

export const CHANNEL_JOBS = [tickJob, watchJob, trimRawJob, syncStatsJob, backfillJob]

const META_TIMEOUT_MS = 30_000
const TICK_AGE_MAX_MS = 15 * 60_000

export interface ChannelsApiDeps extends Pick<ProcessBase, keyof ResourceDeps | 'secretBoxFor'> {
  readonly config: Pick<Config, 'PLACARD_MODE' | 'MOCK_PROVIDER'>
  readonly jobs: Jobs | undefined
}

/** Connections to other channels, and their figures. */
export const channelsApi = (deps: ChannelsApiDeps): CapabilityModule => ({
  name: 'channels',
  routes: [
    routeGroup('/api/v1/admin', connectionRoutes, { ...deps, ...connectionDeps(deps) }),
    routeGroup('/api/v1', adsManagerRoutes, deps),
  ],
})

export interface ChannelsWorkerDeps extends Pick<
  ProcessBase,
  'db' | 'clock' | 'ids' | 'secretBoxFor'
> {
  readonly config: Pick<
    Config,
    'META_GRAPH_URL' | 'CHANNEL_SYNC_CRON' | 'CHANNEL_RAW_RETENTION_DAYS'
  >
  readonly jobs: Jobs
}

export function channelsWorker(deps: ChannelsWorkerDeps): CapabilityModule {
  const { config, db, clock, ids, jobs } = deps
  const syncing = {
    db,
    clock,
    jobs,
    secretBox: deps.secretBoxFor(CONNECTION_SECRETS.purpose),
    providers: providersOf(deps),
  }
  const trimming = { db, clock, rawRetentionDays: config.CHANNEL_RAW_RETENTION_DAYS }
  return {
    name: 'channels',
    jobs: [
      bindJob(tickJob, syncing, config.CHANNEL_SYNC_CRON),
      bindJob(watchJob, { db, clock, ids }, '4,19,34,49 * * * *'),
      bindJob(trimRawJob, trimming, '31 * * * *'),
      bindJob(syncStatsJob, syncing),
      bindJob(backfillJob, syncing),
    ],
    probes: { channels: isTicking({ db, clock }) },
    healthFacts: () => ({ queue: syncStatsJob.queue ?? '' }),
  }
}

/**
 * Dependencies of connections beyond those of all routes. Their secrets have a key of their own.
 */
export const connectionDeps = ({
  config,
  secretBoxFor,
}: Pick<ChannelsApiDeps, 'config' | 'secretBoxFor'>) => ({
  secretBox: secretBoxFor(CONNECTION_SECRETS.purpose),
  isMockAllowed: config.PLACARD_MODE === 'demo' || config.MOCK_PROVIDER === 'allowed',
})

/** The platforms that syncs read from. */
const providersOf = ({
  config,
  db,
  clock,
}: Pick<ChannelsWorkerDeps, 'config' | 'db' | 'clock'>) => ({
  mock: mockProvider,
  onsite: onsiteProvider({ db }),
  meta: metaProvider({
    clock,
    baseUrl: config.META_GRAPH_URL,
    timeoutMs: META_TIMEOUT_MS,
    pause: async (ms, signal) => {
      await setTimeout(ms, undefined, { signal })
    },
  }),
})

/** False if no tick ran for 15 minutes. A worker that has just started gets 15 minutes. */
export function isTicking({ db, clock }: Pick<ProcessBase, 'db' | 'clock'>): Probe {
  const startedMs = clock.now().getTime()
  return async () => {
    const tickedMs = (await findLastTick(db))?.getTime() ?? 0
    return clock.now().getTime() - Math.max(tickedMs, startedMs) <= TICK_AGE_MAX_MS
  }
}

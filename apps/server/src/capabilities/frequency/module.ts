import {
  type CapabilityModule,
  type ProcessBase,
  routeGroup,
  warnOf,
} from '../../platform/module.ts'
import { bindJob } from '../../platform/jobs/job.ts'
import type { RedisConnection } from '../../platform/redis/connect.ts'
import type { ResourceDeps } from '../../platform/resources/index.ts'
import type { Config } from '../../settings/config.ts'
import type { Counters } from './counters/counters.ts'
import { createCounters } from './memory/memory-counters.ts'
import { listSettledBy } from './settled/reads-settled.ts'
import { frequencyRoutes } from './caps/routes.ts'
import { measureEvicted } from './metrics.ts'
import { forgetVisitsJob } from './visits/jobs.ts'
import { createMemoryVisits } from './visits/memory-visits.ts'
import { pagesOfVisits, saveVisits } from './visits/store-visits.ts'
import { openVisitsBook, type VisitsBook } from './visits/visits-book.ts'
import type { Visits } from './visits/visits.ts'
import { openSharedCounters } from './redis/shared-counters.ts'
import { pagesOfSeen } from './settled/store-counts.ts'

export const FREQUENCY_JOBS = [forgetVisitsJob]

export const frequencyApi = (deps: Pick<ProcessBase, keyof ResourceDeps>): CapabilityModule => ({
  name: 'frequency',
  routes: [routeGroup('/api/v1/admin', frequencyRoutes, deps)],
})

export interface FrequencyServingDeps extends Pick<
  ProcessBase,
  'pool' | 'clock' | 'random' | 'timers' | 'log' | 'metrics' | 'node'
> {
  readonly config: Pick<Config, 'REDIS_TIMEOUT_MS'>
  /** Set if several nodes share the counts. */
  readonly redis: RedisConnection | undefined
}

export interface FrequencyServing {
  readonly counters: Counters
  readonly visits: Visits
}

/** Counts and visits: shared with other nodes in Redis, or in the memory of a single node. */
export async function frequencyServing(
  deps: FrequencyServingDeps,
): Promise<CapabilityModule & FrequencyServing> {
  const { redis, pool } = deps
  const book = openVisitsBook({
    ...deps,
    save: (rows) => saveVisits(pool, rows),
    onError: warnOf(deps, 'visits could not be written'),
  })
  const serving = await (redis ? shared({ ...deps, redis }, book) : inMemory(deps, book))
  const { visits } = serving
  return {
    ...serving,
    name: 'frequency',
    visits: {
      see: (visitor, isDry) => visits.see(visitor, isDry),
      restore: (rows) => visits.restore(rows),
      async forget(visitor) {
        book.forget(visitor)
        await visits.forget(visitor)
      },
    },
    async stop() {
      await serving.stop?.()
      await book.stop()
    },
  }
}

type Serving = FrequencyServing & Omit<CapabilityModule, 'name'>

async function inMemory(
  { pool, clock, random, metrics }: FrequencyServingDeps,
  { note }: VisitsBook,
): Promise<Serving> {
  const counters = createCounters({ clock, random })
  measureEvicted(metrics, counters)
  for await (const seen of pagesOfSeen(pool, clock.now())) counters.restore(seen)
  const visits = createMemoryVisits({ clock, note })
  for await (const rows of pagesOfVisits(pool, clock.now())) visits.restore(rows)
  return { counters, visits }
}

type SharedDeps = FrequencyServingDeps & { readonly redis: RedisConnection }

async function shared(deps: SharedDeps, { note }: VisitsBook): Promise<Serving> {
  const { config, pool } = deps
  const counters = await openSharedCounters({
    ...deps,
    timeoutMs: config.REDIS_TIMEOUT_MS,
    listSeen: (at) => pagesOfSeen(pool, at),
    listSettledBy: (node, at) => listSettledBy(pool, node, at),
    listVisits: (at) => pagesOfVisits(pool, at),
    noteVisit: note,
    onError: warnOf(deps, 'caps could not be checked'),
  })
  return {
    counters,
    visits: counters.visits,
    probes: { redis: async () => counters.isEnforced() },
    healthFacts: () => ({ capsOff: !counters.isEnforced() }),
    stop: () => counters.stop(),
  }
}

/** Forgets readers who stayed away. */
export const frequencyWorker = (deps: Pick<ProcessBase, 'pool' | 'clock'>): CapabilityModule => ({
  name: 'frequency',
  jobs: [bindJob(forgetVisitsJob, deps, '47 * * * *')],
})

import {
  type CapabilityModule,
  type ProcessBase,
  routeGroup,
  warnOf,
} from '../../platform/module.ts'
import type { RedisConnection } from '../../platform/redis/connect.ts'
import type { ResourceDeps } from '../../platform/resources/index.ts'
import type { Config } from '../../settings/config.ts'
import type { Counters } from './counters/counters.ts'
import { createCounters } from './memory/memory-counters.ts'
import { listSettledBy } from './settled/reads-settled.ts'
import { frequencyRoutes } from './caps/routes.ts'
import { openSharedCounters } from './redis/shared-counters.ts'
import { pagesOfSeen } from './settled/store-counts.ts'

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
}

/** Frequency counts: shared with other nodes in Redis, or in the memory of a single node. */
export async function frequencyServing(
  deps: FrequencyServingDeps,
): Promise<CapabilityModule & FrequencyServing> {
  const { config, pool, clock, redis } = deps
  const listSeen = (at: Date) => pagesOfSeen(pool, at)
  if (redis) {
    const counters = await openSharedCounters({
      ...deps,
      redis,
      timeoutMs: config.REDIS_TIMEOUT_MS,
      listSeen,
      listSettledBy: (node, at) => listSettledBy(pool, node, at),
      onError: warnOf(deps, 'caps could not be checked'),
    })
    return {
      name: 'frequency',
      counters,
      probes: { redis: async () => counters.isEnforced() },
      healthFacts: () => ({ capsOff: !counters.isEnforced() }),
      stop: () => counters.stop(),
    }
  }
  const counters = createCounters(deps)
  for await (const seen of listSeen(clock.now())) counters.restore(seen)
  return { name: 'frequency', counters }
}

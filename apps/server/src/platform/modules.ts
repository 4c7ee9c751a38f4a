import { type ChangeFollower, followChanges, isFollowing } from './changes/changes.ts'
import { combineSubscribers } from './changes/combine.ts'
import type { FeedCursor } from './database/ordered-feed.ts'
import type { HealthChecks } from './http/health.ts'
import type { Http } from './http/server.ts'
import { type CapabilityModule, type ProcessBase, warnOf } from './module.ts'

type Modules = readonly CapabilityModule[]

/** The stack stops the modules in reverse order, also when a later one cannot be made. */
export const stoppedBy =
  (stack: AsyncDisposableStack) =>
  <Module extends CapabilityModule>(module: Module): Module =>
    stack.adopt(module, async () => module.stop?.())

/** Starts modules in order. */
export async function startModules(modules: Modules): Promise<void> {
  for (const module of modules) await module.start?.()
}

/** One follower of the change feed for all modules. Take the cursor before the modules load. */
export const followersOf = (
  modules: Modules,
  base: Pick<ProcessBase, 'db' | 'url' | 'timers' | 'log'> & { readonly from: FeedCursor },
): ChangeFollower =>
  followChanges({
    ...base,
    subscriber: combineSubscribers(
      base.db,
      modules.flatMap(({ followers = [] }) => followers),
      { onError: warnOf(base, 'a follower of changes was left behind') },
    ),
    onError: warnOf(base, 'changes could not be followed'),
  })

/** A node whose change feed is stuck gets no traffic. */
export const followingOf = (follower: ChangeFollower): CapabilityModule => ({
  name: 'changes',
  probes: { changes: async () => isFollowing(follower) },
  isReady: () => isFollowing(follower),
})

/** Adds the hooks of all modules. Call it before any route is mounted. */
export function addHooks(http: Http, modules: Modules): void {
  for (const module of modules) module.addHooks?.(http)
}

/** Mounts each group of routes under its own prefix. */
export async function mountRoutes(http: Http, modules: Modules): Promise<void> {
  for (const { prefix, add } of modules.flatMap(({ routes = [] }) => routes)) {
    await http.register(async (scoped) => add(scoped as Http), { prefix })
  }
}

/** `/health` and `/health/ready` over all modules. */
export const healthOf = (modules: Modules): Required<HealthChecks> => ({
  isReady: () => modules.every((module) => module.isReady?.() !== false),
  probes: Object.assign({}, ...modules.map(({ probes = {} }) => probes)),
  facts: () => Object.assign({}, ...modules.map((module) => module.healthFacts?.() ?? {})),
})

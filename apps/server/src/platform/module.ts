import type { FastifyBaseLogger } from 'fastify'
import type { Pool } from 'pg'
import type { Registry } from 'prom-client'
import type { Timers } from './background/timers.ts'
import type { ChangeSubscriber } from './changes/changes.ts'
import type { HealthChecks } from './http/health.ts'
import type { Http } from './http/server.ts'
import type { ScheduledJob } from './jobs/job.ts'
import type { ResourceDeps } from './resources/index.ts'
import type { SecretBox } from './secret-box.ts'

/**
 * What a capability brings to a process. Everything it needs is passed in, typed.
 *
 * A capability's `module.ts` has one function per kind of work: `budgetsApi` makes the routes for
 * managing, `budgetsServing` answers ad requests, `budgetsWorker` does background work. `compose/`
 * calls them; other capabilities use `index.ts`. The function loads what the module answers from.
 * `start` begins background work once every module is made; `stop` ends it and closes what was opened.
 */
export interface CapabilityModule {
  readonly name: string
  /** Adds hooks for every request of the process. Called before any route is mounted. */
  addHooks?(http: Http): void
  /** Mounted under its own prefix; the walkers find them here. */
  readonly routes?: readonly RouteGroup[]
  /** Each job closes over the dependencies it names: the list needs no type parameter. */
  readonly jobs?: readonly ScheduledJob[]
  /** Receive every change of the catalogue, in the order of the modules. */
  readonly followers?: readonly ChangeSubscriber[]
  /** False degrades `/health`. */
  readonly probes?: Readonly<Record<string, Probe>>
  /** False takes the node out of the load balancer. */
  isReady?(): boolean
  /** Further fields of `/health`. */
  healthFacts?(): HealthFacts
  start?(): Promise<void>
  stop?(): Promise<void>
}

export type Probe = () => Promise<boolean>
export type HealthFacts = ReturnType<NonNullable<HealthChecks['facts']>>

export interface RouteGroup {
  readonly prefix: string
  add(http: Http): void | Promise<void>
}

/** What every process has. A module names the parts it uses. */
export interface ProcessBase extends ResourceDeps {
  readonly pool: Pool
  /** The same database, for connections that LISTEN or settle. */
  readonly url: string
  readonly timers: Timers
  readonly log: FastifyBaseLogger
  readonly metrics: Registry
  /** Other nodes find what this process left behind by this name. */
  readonly node: string
  /** The `source` of every event we publish. */
  readonly source: string
  /** Encrypts stored secrets; each purpose has its own key. */
  secretBoxFor(purpose: string): SecretBox
}

/** Routes with their dependencies, which the compiler compares with those the routes name. */
export const routeGroup = <Deps>(
  prefix: string,
  routes: (http: Http, deps: Deps) => void | Promise<void>,
  deps: NoInfer<Deps>,
): RouteGroup => ({ prefix, add: (http) => routes(http, deps) })

/**
 * `start` and `stop` of background work that begins together and ends in reverse order. If one part
 * fails to begin, `stop` ends those that did.
 */
export function backgroundWork(
  begin: (running: AsyncDisposableStack) => void | Promise<void>,
): Required<Pick<CapabilityModule, 'start' | 'stop'>> {
  const running = new AsyncDisposableStack()
  return {
    start: async () => begin(running),
    stop: () => running.disposeAsync(),
  }
}

/** Logs a failure of background work and continues. */
export const warnOf =
  ({ log }: Pick<ProcessBase, 'log'>, message: string) =>
  (error: unknown): void =>
    log.warn({ err: error }, message)

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
 * What a capability brings to a process. Everything it needs came in as arguments, typed.
 *
 * A capability has one function per kind of work, in its `module.ts`: `budgetsApi` makes the routes of
 * those who manage, `budgetsServing` what answers ad requests, `budgetsWorker` background work.
 * `compose/` calls them; other capabilities use `index.ts`. The function loads what the module answers
 * from. `start` begins its background work once every module is made, and `stop` ends that work and
 * closes what was opened.
 */
export interface CapabilityModule {
  readonly name: string
  /** Adds hooks that every request of the process passes. Called before any route is mounted. */
  addHooks?(http: Http): void
  /** Mounted under its own prefix; the walkers find them here. */
  readonly routes?: readonly RouteGroup[]
  /** Each job closes over the dependencies it names: the list needs no type parameter. */
  readonly jobs?: readonly ScheduledJob[]
  /** Get every change of the catalogue, in the order of the modules. */
  readonly followers?: readonly ChangeSubscriber[]
  /** False degrades `/health`. */
  readonly probes?: Readonly<Record<string, Probe>>
  /** False takes the node out of the load balancer. */
  isReady?(): boolean
  /** What else `/health` reports. */
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

/** What every process has, whatever it is for. A module names the part of it that it uses. */
export interface ProcessBase extends ResourceDeps {
  readonly pool: Pool
  /** Of the same database, for connections that listen or settle. */
  readonly url: string
  readonly timers: Timers
  readonly log: FastifyBaseLogger
  readonly metrics: Registry
  /** Under this name other nodes find what this process left behind. */
  readonly node: string
  /** The `source` of every event that leaves. */
  readonly source: string
  /** Secrets at rest; each purpose has a key of its own. */
  secretBoxFor(purpose: string): SecretBox
}

/** Routes with their dependencies, checked against what the routes name. */
export const routeGroup = <Deps>(
  prefix: string,
  routes: (http: Http, deps: Deps) => void | Promise<void>,
  deps: NoInfer<Deps>,
): RouteGroup => ({ prefix, add: (http) => routes(http, deps) })

/**
 * `start` and `stop` of a module whose background work begins together and ends in reverse order.
 * If one part does not begin, `stop` ends those that did.
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

/** Logs a failure of background work, which goes on. */
export const warnOf =
  ({ log }: Pick<ProcessBase, 'log'>, message: string) =>
  (error: unknown): void =>
    log.warn({ err: error }, message)

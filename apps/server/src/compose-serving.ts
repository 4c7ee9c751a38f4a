import type { FastifyBaseLogger } from 'fastify'
import type { Registry } from 'prom-client'
import type { BudgetBook } from './capabilities/budgets/index.ts'
import {
  createDecisionMetrics,
  measureCatalogue,
  openCatalogue,
  type Readers,
  type Recorder,
  servingRoutes,
  SitePacing,
} from './capabilities/decisions/index.ts'
import type { Counters } from './capabilities/frequency/index.ts'
import {
  type ChangeFollower,
  combineSubscribers,
  followChanges,
} from './platform/changes/changes.ts'
import type { Chance } from './platform/chance.ts'
import type { Clock } from './platform/clock.ts'
import type { Database } from './platform/database/connect.ts'
import type { Http } from './platform/http/server.ts'
import { idsFrom } from './platform/ids.ts'
import { openSwitches } from './platform/switches/view.ts'
import { systemTimers, type Timers } from './platform/timers.ts'
import { SWITCHES } from './switches.ts'

/** What decisions ask of others: money, counts, the reader, and a place for records. */
export interface ServingPorts {
  readonly budgets: BudgetBook
  readonly counters: Counters
  readonly readers: Readers
  readonly recorder: Recorder
}

export interface ServingSurroundings {
  readonly db: Database
  /** For the connection that listens for changes. */
  readonly url: string
  readonly clock: Clock
  readonly chance: Chance
  readonly log: FastifyBaseLogger
  readonly metrics: Registry
  readonly timers?: Timers
}

export interface Serving {
  readonly follower: ChangeFollower
  addRoutes(http: Http): void
  /** Writes what is still to be recorded, and follows no more changes. */
  stop(): Promise<void>
}

/** Loads the catalogue and keeps it fresh: one follower of the change feed for all that need it. */
export async function openServing(
  surroundings: ServingSurroundings,
  ports: ServingPorts,
): Promise<Serving> {
  const { db, url, clock, log, metrics, timers = systemTimers } = surroundings
  const catalogue = await openCatalogue({ db, clock, budgets: ports.budgets })
  const switches = await openSwitches(db, SWITCHES)
  measureCatalogue(metrics, catalogue, clock)
  const follower = followChanges({
    db,
    url,
    timers,
    from: catalogue.cursor,
    subscriber: combineSubscribers(db, [catalogue.subscriber, switches.subscriber]),
    onError: (error) => log.warn({ err: error }, 'changes could not be followed'),
  })
  const deps = {
    ...ports,
    catalogue,
    switches,
    clock,
    chance: surroundings.chance,
    ids: idsFrom(surroundings),
    sitePacing: new SitePacing({ content: catalogue.content, budgets: ports.budgets }),
    metrics: createDecisionMetrics(metrics),
  }
  return {
    follower,
    addRoutes: (http) => servingRoutes(http, deps),
    async stop() {
      await follower.stop()
      await ports.recorder.flush()
    },
  }
}

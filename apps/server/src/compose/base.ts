import { hostname } from 'node:os'
import type { FastifyBaseLogger } from 'fastify'
import type { Pool } from 'pg'
import type { Registry } from 'prom-client'
import { argon2Passwords, auditTo, type Passwords } from '../capabilities/accounts/index.ts'
import type { AssetStorage } from '../capabilities/creatives/index.ts'
import { proposeWith } from '../capabilities/proposals/index.ts'
import { systemTimers, type Timers } from '../platform/background/timers.ts'
import type { Clock } from '../platform/clock.ts'
import type { Database } from '../platform/database/connect.ts'
import { idsFrom } from '../platform/ids.ts'
import type { JobDefinition, Jobs } from '../platform/jobs/job.ts'
import type { ProcessBase } from '../platform/module.ts'
import type { Random } from '../platform/random.ts'
import type { RedisConnection } from '../platform/redis/connect.ts'
import { secretBoxOf } from '../platform/secret-box.ts'
import type { Tracing } from '../platform/telemetry/tracing.ts'
import type { Config } from '../settings/config.ts'
import type { Secrets } from '../settings/secrets.ts'
import { JOBS } from './jobs.ts'

/** What every process has: settings, database, clock, log. */
export interface PlacardBase extends ProcessBase {
  readonly config: Config
  readonly secrets: Secrets
}

export interface BaseParts {
  readonly config: Config
  readonly secrets: Secrets
  readonly db: Database
  readonly pool: Pool
  readonly url: string
  readonly clock: Clock
  readonly random: Random
  readonly log: FastifyBaseLogger
  readonly metrics: Registry
  readonly timers?: Timers
}

export function baseOf({ timers = systemTimers, ...parts }: BaseParts): PlacardBase {
  const { config, secrets, clock } = parts
  const ids = idsFrom(parts)
  return {
    ...parts,
    timers,
    ids,
    audit: auditTo({ ids, clock }),
    node: `${hostname()} ${process.pid}`,
    source: sourceOf(config),
    secretBoxFor: (purpose) => secretBoxOf(secrets, purpose),
  }
}

/** What an API process has in addition. */
export interface ApiBase extends PlacardBase {
  readonly storage: AssetStorage
  readonly passwords: Passwords
  /** Names of the settings given in the environment. */
  readonly givenSettings: ReadonlySet<string>
  /** Name of this process in the fleet. */
  readonly nodeId: string | undefined
  /** The job queue. */
  readonly jobs: Jobs | undefined
  readonly knownJobs: readonly JobDefinition[]
  readonly redis: RedisConnection | undefined
  /** Own connections for exports, whose readers may be slow. */
  readonly exportDb: Database | undefined
  readonly tracing: Tracing | undefined
}

/** Parts left out stay undefined. */
export const apiBaseOf = (
  base: PlacardBase,
  parts: Pick<ApiBase, 'storage'> & Partial<Omit<ApiBase, keyof PlacardBase>>,
): ApiBase => ({
  passwords: argon2Passwords(),
  givenSettings: new Set(),
  nodeId: undefined,
  jobs: undefined,
  knownJobs: JOBS,
  redis: undefined,
  exportDb: undefined,
  tracing: undefined,
  ...base,
  propose: proposeWith(base),
  ...parts,
})

/** The `source` of every event we publish. */
const sourceOf = ({ PUBLIC_URL }: Pick<Config, 'PUBLIC_URL'>): string => PUBLIC_URL ?? 'urn:placard'

/** Closed unless the operator opens it. The demo is open, so that a first look needs no key. */
export function metricsAccess({ METRICS_ACCESS, PLACARD_MODE }: Config) {
  const open = METRICS_ACCESS ? METRICS_ACCESS === 'open' : PLACARD_MODE === 'demo'
  return open ? 'public' : 'operations:read'
}

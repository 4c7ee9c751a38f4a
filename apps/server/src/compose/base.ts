import { hostname } from 'node:os'
import type { FastifyBaseLogger } from 'fastify'
import type { Pool } from 'pg'
import type { Registry } from 'prom-client'
import { auditTo } from '../capabilities/accounts/index.ts'
import { systemTimers, type Timers } from '../platform/background/timers.ts'
import type { Clock } from '../platform/clock.ts'
import type { Database } from '../platform/database/connect.ts'
import { idsFrom } from '../platform/ids.ts'
import type { ProcessBase } from '../platform/module.ts'
import type { Random } from '../platform/random.ts'
import { openSecretBox } from '../platform/secret-box.ts'
import type { Config } from '../settings/config.ts'
import type { Secrets } from '../settings/secrets.ts'

/** What every process of Placard has: its settings, its database, its clock, its log. */
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
    secretBoxFor: (purpose) => openSecretBox(secrets.encryptionSecret, purpose),
  }
}

/** The `source` of every event that leaves. */
export const sourceOf = ({ PUBLIC_URL }: Pick<Config, 'PUBLIC_URL'>): string =>
  PUBLIC_URL ?? 'urn:placard'

/** Closed unless the operator opens it. The demo is open, so that a first look needs no key. */
export function metricsAccess({ METRICS_ACCESS, PLACARD_MODE }: Config) {
  const open = METRICS_ACCESS ? METRICS_ACCESS === 'open' : PLACARD_MODE === 'demo'
  return open ? 'public' : 'operations:read'
}

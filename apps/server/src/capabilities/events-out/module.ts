import { logSink } from '../../platform/outbox/log-sink.ts'
import { startRelay } from '../../platform/outbox/relay.ts'
import { bindJob } from '../../platform/jobs/job.ts'
import {
  backgroundWork,
  type CapabilityModule,
  type ProcessBase,
  routeGroup,
  warnOf,
} from '../../platform/module.ts'
import { observeRelay } from '../../platform/telemetry/job-metrics.ts'
import type { ResourceDeps } from '../../platform/resources/index.ts'
import type { Config } from '../../settings/config.ts'
import { startDispatcher } from './delivery/dispatcher.ts'
import { trimEventsJob } from './jobs.ts'
import { observeWebhooks } from './metrics.ts'
import { redisSink } from './sinks/redis-sink.ts'
import { senderFor, type SenderSettings } from './delivery/webhook-client.ts'
import { EVENT_SOURCES } from './sources/sources.ts'
import { eraseFromDeliveries, listWebhookSinks } from './delivery/store.ts'
import { webhookRoutes } from './webhooks/routes.ts'
import { WEBHOOK_SECRETS } from './tables.ts'

export const EVENT_JOBS = [trimEventsJob]

export type EventsApiDeps = Pick<ProcessBase, keyof ResourceDeps | 'secretBoxFor' | 'source'>

/** Webhook endpoints and their deliveries over HTTP. */
export const eventsApi = (deps: EventsApiDeps): CapabilityModule => ({
  name: 'events-out',
  routes: [
    routeGroup('/api/v1/admin', webhookRoutes, {
      ...deps,
      secretBox: deps.secretBoxFor(WEBHOOK_SECRETS.purpose),
    }),
  ],
})

export interface EventsWorkerDeps extends ProcessBase {
  readonly config: SenderSettings &
    Pick<
      Config,
      | 'EVENT_SINKS'
      | 'REDIS_URL'
      | 'REDIS_PASSWORD'
      | 'EVENT_STREAM'
      | 'EVENT_STREAM_LENGTH_MAX'
      | 'WEBHOOK_ATTEMPTS_MAX'
      | 'WEBHOOK_RETENTION_DAYS'
    >
}

export interface EventsOut {
  /** Names of the sinks that still need events from the outbox. */
  listSinks(): Promise<readonly string[]>
  /** Erases users from the bodies of webhook deliveries, and returns how many that were. */
  eraseFromDeliveries(userKeys: readonly string[]): Promise<number>
}

/** Sends events to the configured sinks: the log, a Redis stream, webhooks. */
export function eventsWorker(deps: EventsWorkerDeps): CapabilityModule & EventsOut {
  const { config, db, clock, log, timers, url, source, metrics: registry } = deps
  const chosen = new Set(config.EVENT_SINKS.split(/[\s,]+/).filter(Boolean))
  const onError = warnOf(deps, 'events could not be delivered')
  const stream = chosen.has('redis') ? streamOf(deps, onError) : undefined
  const sinks = [...(chosen.has('log') ? [logSink(log)] : []), ...(stream ? [stream] : [])]
  const webhookRetentionDays = config.WEBHOOK_RETENTION_DAYS
  return {
    name: 'events-out',
    jobs: [bindJob(trimEventsJob, { db, clock, webhookRetentionDays }, '53 * * * *')],
    listSinks: async () => [...sinks.map(({ name }) => name), ...(await listWebhookSinks(db))],
    eraseFromDeliveries: eraseFromDeliveries.bind(undefined, db),
    ...backgroundWork((running) => {
      if (stream) running.defer(() => stream.close())
      const observer = observeRelay({ registry, clock, log })
      const relay = startRelay({ url, sinks, sources: EVENT_SOURCES, source, timers, observer })
      running.defer(() => relay.stop())
      if (!chosen.has('webhooks')) return
      const dispatcher = startDispatcher({
        ...deps,
        secretBox: deps.secretBoxFor(WEBHOOK_SECRETS.purpose),
        sender: senderFor(deps),
        attemptsMax: config.WEBHOOK_ATTEMPTS_MAX,
        observer: observeWebhooks({ registry, db, clock, log }),
        onError,
      })
      running.defer(() => dispatcher.stop())
    }),
  }
}

const streamOf = ({ config }: EventsWorkerDeps, onError: (error: unknown) => void) =>
  redisSink({
    url: config.REDIS_URL!,
    password: config.REDIS_PASSWORD,
    stream: config.EVENT_STREAM,
    lengthMax: config.EVENT_STREAM_LENGTH_MAX,
    onError,
  })

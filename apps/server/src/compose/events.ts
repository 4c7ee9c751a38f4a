import {
  createWebhookSender,
  EVENT_SOURCES,
  listWebhookSinks,
  observeWebhooks,
  redisSink,
  startDispatcher,
} from '../capabilities/events-out/index.ts'
import { sourceOf, type Surroundings, webhookSecretBox } from './api.ts'
import { idsFrom } from '../platform/ids.ts'
import { logSink } from '../platform/outbox/log-sink.ts'
import { startRelay } from '../platform/outbox/relay.ts'
import { observeRelay } from '../platform/telemetry/job-metrics.ts'
import { systemTimers } from '../platform/background/timers.ts'

export interface EventsOut {
  /** Names of the sinks that still have to get what is in the outbox. */
  listSinks(): Promise<readonly string[]>
  stop(): Promise<void>
}

const listOf = (text: string) => text.split(/[\s,]+/).filter(Boolean)

/** Calls others, as the settings allow. */
export const senderOf = ({ config, clock }: Pick<Surroundings, 'config' | 'clock'>) =>
  createWebhookSender({
    clock,
    timeoutMs: config.WEBHOOK_TIMEOUT_SECONDS * 1_000,
    allowedHosts: listOf(config.WEBHOOK_ALLOWED_HOSTS),
  })

/** What happened is told where the settings say: the log, a Redis stream, webhooks. */
export function composeEvents(surroundings: Surroundings & { readonly url: string }): EventsOut {
  const { config, db, url, log, metrics: registry, clock } = surroundings
  const chosen = new Set(listOf(config.EVENT_SINKS))
  const source = sourceOf(config)
  const stack = new AsyncDisposableStack()
  const onError = (error: unknown) => log.warn({ err: error }, 'events could not be told')

  const sinks = chosen.has('log') ? [logSink(log)] : []
  if (chosen.has('redis')) {
    const stream = redisSink({
      url: config.REDIS_URL!,
      password: config.REDIS_PASSWORD,
      stream: config.EVENT_STREAM,
      lengthMax: config.EVENT_STREAM_LENGTH_MAX,
      onError,
    })
    stack.defer(() => stream.close())
    sinks.push(stream)
  }
  const observer = observeRelay({ registry, clock, log })
  const timers = systemTimers
  const relay = startRelay({ url, sinks, sources: EVENT_SOURCES, source, timers, observer })
  stack.defer(() => relay.stop())
  if (chosen.has('webhooks')) {
    const dispatcher = startDispatcher({
      ...surroundings,
      ids: idsFrom(surroundings),
      secretBox: webhookSecretBox(surroundings),
      timers,
      source,
      sender: senderOf(surroundings),
      attemptsMax: config.WEBHOOK_ATTEMPTS_MAX,
      observer: observeWebhooks({ registry, db, clock, log }),
      onError,
    })
    stack.defer(() => dispatcher.stop())
  }
  return {
    listSinks: async () => [...sinks.map(({ name }) => name), ...(await listWebhookSinks(db))],
    stop: () => stack.disposeAsync(),
  }
}

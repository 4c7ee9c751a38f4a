import { Redis } from 'ioredis'
import type { Sink } from '../../../platform/outbox/relay.ts'

export interface RedisSinkOptions {
  readonly url: string
  readonly password: string | undefined
  readonly stream: string
  /** The stream keeps about this many events. */
  readonly lengthMax: number
  onError(error: unknown): void
}

export interface RedisSink extends Sink {
  close(): void
}

const COMMAND_MS = 10_000

/** Appends events to a Redis stream: id, type and subject as fields, the event as JSON. */
export function redisSink(options: RedisSinkOptions): RedisSink {
  const { url, password, stream, lengthMax, onError } = options
  const redis = new Redis(url, {
    ...(password && { password }),
    maxRetriesPerRequest: 1,
    commandTimeout: COMMAND_MS,
    connectionName: 'placard-events',
  })
  redis.on('error', onError)
  return {
    name: 'redis',
    async deliver(events) {
      const pipeline = redis.pipeline()
      for (const event of events) {
        const { id, type, subject } = event
        const fields = ['id', id, 'type', type, 'subject', subject, 'event', JSON.stringify(event)]
        pipeline.xadd(stream, 'MAXLEN', '~', lengthMax, '*', ...fields)
      }
      for (const [error] of (await pipeline.exec()) ?? []) if (error) throw error
    },
    close: () => redis.disconnect(),
  }
}

import { Cluster, Redis } from 'ioredis'
import type { Timers } from '../background/timers.ts'

export type RedisConnection = Redis | Cluster

export interface RedisSettings {
  /** One address, or those of some nodes of a Cluster, with commas between them. */
  readonly url: string
  readonly password?: string | undefined
  /** How long a command may take before it has failed; a connection that waits for news has no limit. */
  readonly commandTimeoutMs?: number
  /** Commands that carry many questions already: they are sent at once, without waiting for others. */
  readonly gatheredCommands?: readonly string[]
  onError(error: unknown): void
}

const CONNECT_TIMEOUT_MS = 2_000
const RECONNECT_MS_MAX = 1_000

/** Connects by itself and again whenever it breaks; until then commands fail at once. */
export function connectRedis(settings: RedisSettings): RedisConnection {
  const urls = settings.url.split(',')
  const options = optionsOf(settings)
  const connection =
    urls.length > 1
      ? new Cluster(urls, {
          enableOfflineQueue: options.enableOfflineQueue,
          clusterRetryStrategy: waitBeforeRetry,
          redisOptions: options,
        })
      : new Redis(settings.url, options)
  connection.on('error', settings.onError)
  return connection
}

function optionsOf({ url, password, commandTimeoutMs, gatheredCommands = [] }: RedisSettings) {
  return {
    ...(password && !new URL(url.split(',')[0]!).password && { password }),
    ...(commandTimeoutMs !== undefined && { commandTimeout: commandTimeoutMs }),
    connectTimeout: CONNECT_TIMEOUT_MS,
    maxRetriesPerRequest: null,
    // BullMQ would ask for the version once; if that fails, so does the queue, for ever.
    skipVersionCheck: commandTimeoutMs !== undefined,
    enableOfflineQueue: commandTimeoutMs === undefined,
    retryStrategy: waitBeforeRetry,
    enableAutoPipelining: commandTimeoutMs !== undefined && !url.includes(','),
    autoPipeliningIgnoredCommands: [...gatheredCommands],
  }
}

const AWAY_NAMES = new Set(['MaxRetriesPerRequestError', 'ClusterAllFailedError'])
const AWAY =
  /^Command timed out|^Connection is closed|^Stream isn't writeable|^Cluster isn't ready|ECONNREFUSED|ECONNRESET|ETIMEDOUT|EPIPE/

/** Redis did not answer, or not in time: nothing is wrong with the question. */
export const isRedisAway = (error: unknown): boolean =>
  error instanceof Error && (AWAY_NAMES.has(error.name) || AWAY.test(error.message))

const waitBeforeRetry = (times: number) => Math.min(times * 50, RECONNECT_MS_MAX)

/** Waits for the connection, but not for ever: true when it is there. */
export async function untilReady(
  connection: RedisConnection,
  { timers, ms }: { timers: Timers; ms: number },
): Promise<boolean> {
  if (connection.status === 'ready') return true
  const { promise, resolve } = Promise.withResolvers<void>()
  const cancel = timers.after(ms, resolve)
  connection.once('ready', resolve)
  await promise
  cancel()
  return (connection.status as string) === 'ready'
}

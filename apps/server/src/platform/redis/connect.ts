import { Cluster, Redis } from 'ioredis'
import type { Timers } from '../background/timers.ts'

export type RedisConnection = Redis | Cluster

export interface RedisSettings {
  /** One address, or several nodes of a Cluster, separated by commas. */
  readonly url: string
  readonly password?: string | undefined
  /** Time limit of a command; none for a connection that blocks. */
  readonly commandTimeoutMs?: number
  /** Commands that already carry many questions: sent at once, not pipelined with others. */
  readonly gatheredCommands?: readonly string[]
  onError(error: unknown): void
}

const CONNECT_TIMEOUT_MS = 2_000
const RECONNECT_MS_MAX = 1_000

/** Connects and reconnects by itself. Until connected, commands fail at once. */
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
    // BullMQ asks for the version only once. If that failed, the queue would never work.
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

/** Redis did not answer in time; the command itself was fine. */
export const isRedisAway = (error: unknown): boolean =>
  error instanceof Error && (AWAY_NAMES.has(error.name) || AWAY.test(error.message))

const waitBeforeRetry = (times: number) => Math.min(times * 50, RECONNECT_MS_MAX)

/** Waits for the connection, for a limited time. True once connected. */
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

import type { FastifyInstance } from 'fastify'
import type { Random } from '../random.ts'
import { systemClock } from '../clock.ts'
import type { Database } from '../database/connect.ts'
import type { Identify } from '../http/access.ts'
import { idsFrom } from '../ids.ts'
import { PREFIX, startBullMq } from './bullmq/bullmq.ts'
import { openQueues } from './bullmq/queues.ts'
import type { JobLog, JobObserver, Jobs, JobDefinition } from './job.ts'
import { startPgBoss } from './pg-boss/pg-boss.ts'
import { connectRedis } from '../redis/connect.ts'

interface QueueSettings {
  readonly REDIS_URL?: string | undefined
  readonly REDIS_PASSWORD?: string | undefined
}

export interface QueueDeps {
  readonly config: QueueSettings
  readonly db: Database
  readonly url: string
  readonly log: JobLog
  readonly random: Random
  readonly role: 'enqueuer' | 'worker'
  readonly jobs: readonly JobDefinition[]
  readonly observer: JobObserver
}

const COMMAND_TIMEOUT_MS = 5_000

const connectTo = ({ REDIS_URL, REDIS_PASSWORD }: QueueDeps['config'], log: JobLog) => ({
  url: REDIS_URL!,
  password: REDIS_PASSWORD,
  onError: (error: unknown) => log.warn({ err: error }, 'Redis connection failed'),
})

/** This node's queue: in Redis if there is one, else in PostgreSQL. */
export async function openJobs(options: QueueDeps): Promise<Jobs> {
  const { config, log } = options
  // The queue uses the machine's time even if PLACARD_CLOCK_OFFSET_MS shifts the process clock.
  const clock = systemClock(0)
  const deps = { ...options, clock, ids: idsFrom({ clock, random: options.random }) }
  if (!config.REDIS_URL) return startPgBoss(deps)

  const settings = connectTo(config, log)
  const redis = connectRedis({ ...settings, commandTimeoutMs: COMMAND_TIMEOUT_MS })
  const patientRedis = connectRedis(settings)
  const jobs = await startBullMq({ ...deps, redis, patientRedis })
  return {
    ...jobs,
    async stop() {
      await jobs.stop()
      redis.disconnect()
      patientRedis.disconnect()
    },
  }
}

/** Shows the queues to operators if they are in Redis and `QUEUE_BOARD` is on. */
export async function openQueueBoard(
  http: FastifyInstance,
  {
    config,
    log,
    jobs,
    identify,
  }: {
    readonly config: QueueSettings & { readonly QUEUE_BOARD: string }
    readonly log: JobLog
    readonly jobs: readonly JobDefinition[]
    readonly identify: Identify
  },
): Promise<void> {
  if (config.QUEUE_BOARD === 'off') return
  const redis = connectRedis({ ...connectTo(config, log), commandTimeoutMs: COMMAND_TIMEOUT_MS })
  const queues = openQueues(jobs, { redis, prefix: PREFIX })
  // Imported only when needed, to keep the start short.
  const { addQueueBoard } = await import('./board.ts')
  await addQueueBoard(http, { queues, identify })
  http.addHook('onClose', async () => {
    await queues.close()
    redis.disconnect()
  })
}

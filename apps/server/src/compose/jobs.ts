import type { FastifyInstance } from 'fastify'
import type { Config } from '../settings/config.ts'
import type { Random } from '../platform/random.ts'
import { systemClock } from '../platform/clock.ts'
import type { Database } from '../platform/database/connect.ts'
import type { Identify } from '../platform/http/access.ts'
import { idsFrom } from '../platform/ids.ts'
import { PREFIX, startBullMq } from '../platform/jobs/bullmq.ts'
import { openQueues } from '../platform/jobs/bullmq-queues.ts'
import type { JobLog, JobObserver, Jobs, RunnableJob } from '../platform/jobs/job.ts'
import { startPgBoss } from '../platform/jobs/pg-boss.ts'
import { connectRedis } from '../platform/redis/connect.ts'

export interface JobsSurroundings {
  readonly config: Pick<Config, 'REDIS_URL' | 'REDIS_PASSWORD'>
  readonly db: Database
  readonly url: string
  readonly log: JobLog
  readonly random: Random
  readonly role: 'enqueuer' | 'worker'
  readonly jobs: readonly RunnableJob<never>[]
  readonly observer: JobObserver
}

const COMMAND_TIMEOUT_MS = 5_000

const connectTo = ({ REDIS_URL, REDIS_PASSWORD }: JobsSurroundings['config'], log: JobLog) => ({
  url: REDIS_URL!,
  password: REDIS_PASSWORD,
  onError: (error: unknown) => log.warn({ err: error }, 'Redis connection failed'),
})

/** The queue of this node: in Redis where there is one, else in PostgreSQL. */
export async function openJobs(surroundings: JobsSurroundings): Promise<Jobs> {
  const { config, log } = surroundings
  // Queues go by the machine's time, whatever the clock of the decisions says.
  const clock = systemClock(0)
  const deps = { ...surroundings, clock, ids: idsFrom({ clock, random: surroundings.random }) }
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

/** Shows the queues to operators, where they are in Redis and the settings want it. */
export async function composeQueueBoard(
  http: FastifyInstance,
  {
    config,
    log,
    jobs,
    identify,
  }: {
    readonly config: Pick<Config, 'REDIS_URL' | 'REDIS_PASSWORD' | 'QUEUE_BOARD'>
    readonly log: JobLog
    readonly jobs: readonly RunnableJob<never>[]
    readonly identify: Identify
  },
): Promise<void> {
  if (config.QUEUE_BOARD === 'off') return
  const redis = connectRedis({ ...connectTo(config, log), commandTimeoutMs: COMMAND_TIMEOUT_MS })
  const queues = openQueues(jobs, { redis, prefix: PREFIX })
  // Loaded only where it is wanted: it costs start-up time.
  const { addQueueBoard } = await import('../platform/jobs/board.ts')
  await addQueueBoard(http, { queues, identify })
  http.addHook('onClose', async () => {
    await queues.close()
    redis.disconnect()
  })
}

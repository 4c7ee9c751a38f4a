import type { Config } from './config.ts'
import type { Chance } from './platform/chance.ts'
import { systemClock } from './platform/clock.ts'
import type { Database } from './platform/database/connect.ts'
import { idsFrom } from './platform/ids.ts'
import { startBullMq } from './platform/jobs/bullmq.ts'
import type { JobLog, JobObserver, Jobs, RunnableJob } from './platform/jobs/job.ts'
import { startPgBoss } from './platform/jobs/pg-boss.ts'
import { connectRedis } from './platform/redis/connect.ts'

export interface JobsSurroundings {
  readonly config: Pick<Config, 'REDIS_URL' | 'REDIS_PASSWORD'>
  readonly db: Database
  readonly url: string
  readonly log: JobLog
  readonly chance: Chance
  readonly role: 'enqueuer' | 'worker'
  readonly jobs: readonly RunnableJob<never>[]
  readonly observer: JobObserver
}

const COMMAND_TIMEOUT_MS = 5_000

/** The queue of this node: in Redis where there is one, else in PostgreSQL. */
export async function openJobs(surroundings: JobsSurroundings): Promise<Jobs> {
  const { config, log } = surroundings
  // Queues go by the machine's time, whatever the clock of the decisions says.
  const clock = systemClock(0)
  const deps = { ...surroundings, clock, ids: idsFrom({ clock, chance: surroundings.chance }) }
  if (!config.REDIS_URL) return startPgBoss(deps)

  const settings = {
    url: config.REDIS_URL,
    password: config.REDIS_PASSWORD,
    onError: (error: unknown) => log.warn({ err: error }, 'Redis connection failed'),
  }
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

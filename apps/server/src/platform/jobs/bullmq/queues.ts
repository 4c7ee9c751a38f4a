import { DAY_SECONDS } from '@placard/calendar'
import { Queue } from 'bullmq'
import type { RedisConnection } from '../../redis/connect.ts'
import { queueOf, type JobDefinition } from '../job.ts'
import type { JobOrder } from '../orders/orders.ts'

const KEEP_FINISHED = { age: DAY_SECONDS, count: 10_000 }
const KEEP_DEAD_LETTERS = { age: 30 * DAY_SECONDS, count: 10_000 }

export interface Queues {
  readonly jobs: ReadonlyMap<string, JobDefinition>
  readonly byName: ReadonlyMap<string, Queue>
  of(job: JobDefinition): Queue
  close(): Promise<void>
}

export interface QueueSettings {
  readonly redis: RedisConnection
  /** Prefix of all keys, with a hash tag so that a Cluster keeps them on one node. */
  readonly prefix: string
}

export function openQueues(
  jobs: readonly JobDefinition[],
  { redis, prefix }: QueueSettings,
): Queues {
  const names = new Set(jobs.map(queueOf))
  const byName = new Map(
    [...names].map((name) => [name, new Queue(name, { connection: redis, prefix })]),
  )
  return {
    byName,
    jobs: new Map(jobs.map((job) => [job.name, job])),
    of: (job) => byName.get(queueOf(job))!,
    async close() {
      await Promise.all([...byName.values()].map((queue) => queue.close()))
    },
  }
}

const limitsOf = (job: JobDefinition) => ({
  attempts: job.retries + 1,
  backoff: { type: 'custom' },
  removeOnComplete: KEEP_FINISHED,
  removeOnFail: KEEP_DEAD_LETTERS,
})

/** Idempotent: the queue ignores an id it knows. Jobs of other releases stay in the table. */
export async function handOver(
  queues: Queues,
  orders: readonly JobOrder[],
  now: Date,
): Promise<void> {
  const known = orders.filter(({ job }) => queues.jobs.has(job))
  const byQueue = Map.groupBy(known, ({ job }) => queueOf(queues.jobs.get(job)!))
  for (const [name, members] of byQueue) {
    await queues.byName.get(name)!.addBulk(
      members.map((order) => {
        const delay = order.dueAt.getTime() - now.getTime()
        return {
          name: order.job,
          data: order.payload,
          opts: {
            ...limitsOf(queues.jobs.get(order.job)!),
            jobId: order.id,
            // An overdue job has been waiting since it was due.
            timestamp: delay > 0 ? now.getTime() : order.dueAt.getTime(),
            ...(delay > 0 && { delay }),
          },
        }
      }),
    )
  }
}

/** Of releases that left cron to BullMQ. */
export async function dropOldSchedules(queues: Queues): Promise<void> {
  for (const queue of queues.byName.values()) {
    for (const { key } of await queue.getJobSchedulers()) await queue.removeJobScheduler(key)
  }
}

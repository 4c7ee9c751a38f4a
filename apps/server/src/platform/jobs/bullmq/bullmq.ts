import { Job as BullJob } from 'bullmq'
import type { Random } from '../../random.ts'
import type { Database } from '../../database/connect.ts'
import type { Ids } from '../../ids.ts'
import type { RedisConnection } from '../../redis/connect.ts'
import { systemTimers, type Timers } from '../../background/timers.ts'
import { dropOldSchedules, handOver, openQueues, type Queues } from './queues.ts'
import {
  countQueues,
  dueOfOrder,
  findRun,
  letterOf,
  listDeadLetters,
  listRuns,
  type QueueReads,
} from './reads.ts'
import { type QueueWorker, startWorker } from './work.ts'
import {
  type Jobs,
  queueOf,
  refuseMisfit,
  refuseUnknown,
  SCHEDULED_KEY,
  type JobDefinition,
} from '../job.ts'
import { startOrderRelay } from '../orders/order-relay.ts'
import { addOrder, deleteOrders, takeKeyAgain } from '../orders/orders.ts'
import { type RunnerDeps, runnerFor } from '../run-job.ts'
import { startScheduler, type Scheduler } from '../schedules/scheduler.ts'
import { together } from '../together.ts'

export interface BullMqOptions extends RunnerDeps {
  /** For commands; fails if Redis does not answer. */
  readonly redis: RedisConnection
  /** For workers, which block until there is work. */
  readonly patientRedis: RedisConnection
  readonly prefix?: string
  readonly db: Database
  /** The same database, for the connection that listens for new orders. */
  readonly url: string
  /** An enqueuer writes orders and reads. A worker also moves orders to Redis and runs jobs. */
  readonly role: 'enqueuer' | 'worker'
  /** Every job. Queues are created and counted from this list. */
  readonly jobs: readonly JobDefinition[]
  readonly ids: Ids
  readonly random: Random
  readonly timers?: Timers
  readonly drainSeconds?: number
  /** How long to wait for further orders before handing them over together. */
  readonly gatherMs?: number
}

/** Prefix of all keys; the hash tag keeps them on one node of a Cluster. */
export const PREFIX = '{placard-jobs}'
const DRAIN_SECONDS = 30
const GATHER_MS = 50
/** Time to record aborted runs; closing a connection to a Redis that is down may never finish. */
const LET_GO_SECONDS = 5

/** Jobs in Redis. Enqueuing writes a row in the caller's transaction; a relay moves it to Redis after commit. */
export async function startBullMq(options: BullMqOptions): Promise<Jobs> {
  const { redis, db, clock, log, timers = systemTimers } = options
  const prefix = options.prefix ?? PREFIX
  const queues = openQueues(options.jobs, { redis, prefix })
  const onError = (error: unknown) => log.error({ err: error }, 'job queue failed')
  for (const queue of queues.byName.values()) queue.on('error', onError)
  const workers: QueueWorker[] = []
  const relay =
    options.role === 'worker'
      ? startOrderRelay({
          url: options.url,
          timers,
          gatherMs: options.gatherMs ?? GATHER_MS,
          handOver: (orders) => handOver(queues, orders, clock.now()),
          onError,
        })
      : undefined
  if (options.role === 'worker') await dropOldSchedules(queues)
  const scheduler = startScheduler({
    db,
    clock,
    timers,
    order: async (db, { schedule: { job, payload }, dueAt }) => {
      const dedupeKey = job.dedupeKey?.(payload, dueAt) ?? SCHEDULED_KEY
      const order = { id: options.ids.next(), job: job.name, payload, dedupeKey, dueAt }
      await addOrder(db, { ...order, enqueuedAt: dueAt })
    },
    onError,
  })
  const drain = async () => {
    await scheduler.stop()
    await Promise.all(workers.map((worker) => worker.drain()))
  }

  const letGo = async () => {
    const drained = drain()
    await within(drained, { seconds: options.drainSeconds ?? DRAIN_SECONDS, timers })
    for (const worker of workers) worker.abort()
    await relay?.stop()
    await within(drained, { seconds: LET_GO_SECONDS, timers })
    await queues.close()
  }
  let stopped: Promise<void> | undefined

  return {
    ...asking(queues, { scheduler, options }),
    ...watching({ queues, redis, db, now: () => clock.now() }),
    async work(jobs) {
      const tasks = jobs.map((scheduled) => {
        const job = scheduled.definition
        refuseUnknown(queues.jobs, job)
        return { job, run: runnerFor(scheduled, options) }
      })
      const settings = {
        redis: options.patientRedis,
        prefix,
        clock,
        timers,
        random: options.random,
        onStart: together((ids: readonly string[]) => deleteOrders(db, ids)),
        onError,
      }
      const byQueue = Map.groupBy(tasks, ({ job }) => queueOf(job))
      for (const [queue, members] of byQueue) workers.push(startWorker(queue, members, settings))
    },
    drain,
    stop: () => (stopped ??= letGo()),
  }
}

type Enqueuing = Pick<Jobs, 'enqueue' | 'schedule' | 'unschedule'>

function asking(
  queues: Queues,
  { scheduler, options }: { scheduler: Scheduler; options: BullMqOptions },
): Enqueuing {
  return {
    async enqueue(db, job, { payload, delaySeconds = 0 }) {
      refuseUnknown(queues.jobs, job)
      refuseMisfit(job, payload)
      const id = options.ids.next()
      const enqueuedAt = options.clock.now()
      const dueAt = new Date(enqueuedAt.getTime() + delaySeconds * 1_000)
      const dedupeKey = job.dedupeKey?.(payload, dueAt)
      const isAdded = await addOrder(db, {
        id,
        job: job.name,
        payload,
        dedupeKey,
        enqueuedAt,
        dueAt,
      })
      return isAdded ? id : undefined
    },
    async schedule(job, cron, payload) {
      refuseUnknown(queues.jobs, job)
      refuseMisfit(job, payload)
      await scheduler.keep({ job, cron, payload })
    },
    unschedule: (job) => scheduler.drop(job),
  }
}

type Watching = Pick<Jobs, 'find' | 'listRuns' | 'counts' | 'listDeadLetters' | 'requeue'>

const watching = (reading: QueueReads): Watching => ({
  find: (job, id) => findRun(reading, job, id),
  listRuns: (job, limit) => listRuns(reading, job, limit),
  counts: () => countQueues(reading),
  listDeadLetters: (page) => listDeadLetters(reading, page),
  requeue: (id) => requeue(reading, id),
})

async function requeue({ queues, db, now }: QueueReads, id: string) {
  const found = await Promise.all(
    [...queues.byName.values()].map((queue) => BullJob.fromId(queue, id)),
  )
  const run = found.find((run) => run !== undefined)
  const job = run && queues.jobs.get(run.name)
  if (!run || !job || !(await run.isFailed())) return 'not-found'

  const dedupeKey = job.dedupeKey?.(run.data, dueOfOrder(run))
  const { payload, enqueuedAt } = letterOf(run)
  const order = { id, job: job.name, payload, dedupeKey, enqueuedAt, dueAt: now() }
  if (dedupeKey !== undefined && !(await takeKeyAgain(db, order))) return 'one-waits-already'
  try {
    await run.retry('failed', { resetAttemptsMade: true, resetAttemptsStarted: true })
    return 'requeued'
  } catch (error) {
    // Another one was faster, and the run may be over already.
    if (dedupeKey !== undefined) await deleteOrders(db, [id])
    if (await run.isFailed()) throw error
    return 'not-found'
  }
}

async function within(
  work: Promise<void>,
  { seconds, timers }: { seconds: number; timers: Timers },
): Promise<void> {
  const { promise: timeOver, resolve } = Promise.withResolvers<void>()
  const cancel = timers.after(seconds * 1_000, resolve)
  await Promise.race([work, timeOver])
  cancel()
}

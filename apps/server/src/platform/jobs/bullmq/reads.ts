import { Job as BullJob, type Queue } from 'bullmq'
import type { Database } from '../../database/connect.ts'
import type { RedisConnection } from '../../redis/connect.ts'
import type { Queues } from './queues.ts'
import {
  type DeadLetter,
  type DeadLetterPage,
  type JobProgress,
  type JobRun,
  queueOf,
  type QueueCounts,
  type JobDefinition,
} from '../job.ts'
import { findOrder, listOpenOrders, type OpenOrder } from '../orders/orders.ts'

export interface QueueReads {
  readonly queues: Queues
  readonly redis: RedisConnection
  readonly db: Database
  readonly now: () => Date
}

const PAGE_MAX = 200
/** BullMQ keeps the due time of a delayed job in the upper bits of its score. */
const SCORE_PER_MS = 0x1000

const RUN_STATES: Readonly<Record<string, JobRun['state']>> = {
  active: 'running',
  completed: 'succeeded',
  failed: 'failed',
}

export async function findRun(
  { queues, db, redis }: QueueReads,
  job: JobDefinition,
  id: string,
): Promise<JobRun | undefined> {
  const queue = queues.of(job)
  const run = await queue.getJob(id)
  if (!run) {
    const order = await findOrder(db, id)
    if (!order) return undefined
    const { dueAt, dedupeKey } = order
    return { id, state: 'waiting', dueAt, dedupeKey, retries: 0, progress: undefined }
  }
  const state = RUN_STATES[await run.getState()] ?? 'waiting'
  const score = await redis.zscore(queue.toKey('delayed'), id)
  return {
    id,
    state,
    dueAt: score ? dueOf(score) : new Date(run.timestamp + run.delay),
    dedupeKey: job.dedupeKey?.(run.data, dueOfOrder(run)),
    retries: state === 'running' ? run.attemptsMade : Math.max(0, run.attemptsMade - 1),
    progress: progressOf(run),
  }
}

const STATES = ['active', 'waiting', 'delayed', 'completed', 'failed'] as const

/** Covers what Redis has; an order gets there within seconds. */
export async function listRuns(
  reading: QueueReads,
  job: JobDefinition,
  limit: number,
): Promise<readonly JobRun[]> {
  const runs = await reading.queues.of(job).getJobs([...STATES], 0, PAGE_MAX - 1)
  const newest = runs
    .filter(({ name }) => name === job.name)
    .toSorted((a, b) => b.timestamp - a.timestamp)
    .slice(0, limit)
  const found = await Promise.all(newest.map(({ id }) => findRun(reading, job, id!)))
  return found.filter((run) => run !== undefined)
}

const dueOf = (score: string | number): Date => new Date(Math.floor(Number(score) / SCORE_PER_MS))

/** When it was to run first; between two tries a run is due later. */
export const dueOfOrder = ({ timestamp, opts }: BullJob): Date =>
  new Date(timestamp + (opts.delay ?? 0))

const progressOf = ({ progress }: BullJob): JobProgress | undefined =>
  typeof progress === 'object' && 'done' in progress ? (progress as JobProgress) : undefined

/** Newest first, over all queues. */
export async function listDeadLetters(
  { queues, redis }: QueueReads,
  { limit, before }: DeadLetterPage,
): Promise<readonly DeadLetter[]> {
  const count = Math.min(limit, PAGE_MAX)
  const lists = await Promise.all(
    [...queues.byName.values()].map((queue) => newestFailed(redis, queue, { count, before })),
  )
  return lists.flat().toSorted(newestFirst).slice(0, count)
}

async function newestFailed(
  redis: RedisConnection,
  queue: Queue,
  { count, before }: { count: number; before: DeadLetterPage['before'] },
): Promise<readonly DeadLetter[]> {
  // One more than asked for: some with the same time may be on the previous page.
  const newest = before ? String(before.failedAt.getTime()) : '+inf'
  const ids = await redis.zrevrangebyscore(
    queue.toKey('failed'),
    newest,
    '-inf',
    'LIMIT',
    0,
    count + PAGE_MAX,
  )
  const runs = await Promise.all(ids.map((id) => BullJob.fromId(queue, id)))
  const letters = runs.flatMap((run) => (run ? [letterOf(run)] : []))
  return letters.filter((letter) => !before || newestFirst(before, letter) < 0)
}

export const letterOf = (run: BullJob): DeadLetter => ({
  id: run.id!,
  job: run.name,
  payload: run.data,
  reason: run.failedReason || 'unknown',
  retries: Math.max(0, run.attemptsMade - 1),
  enqueuedAt: new Date(run.timestamp),
  failedAt: new Date(run.finishedOn ?? run.timestamp),
})

type Place = Pick<DeadLetter, 'id' | 'failedAt'>

function newestFirst(a: Place, b: Place): number {
  const difference = b.failedAt.getTime() - a.failedAt.getTime()
  if (difference !== 0 || a.id === b.id) return difference
  return a.id < b.id ? 1 : -1
}

/** If more orders than this are on their way to a queue, counts are a lower bound. */
const ORDERS_MAX = 10_000

/**
 * Counts each order once: reads the orders first, then asks each queue, in one call, what it holds and
 * which of those orders have arrived.
 */
export async function countQueues(reading: QueueReads): Promise<readonly QueueCounts[]> {
  const now = reading.now()
  const orders = await listOpenOrders(reading.db, ORDERS_MAX)
  const queueOfOrder = ({ job }: OpenOrder) => {
    const known = reading.queues.jobs.get(job)
    return known && queueOf(known)
  }
  const byQueue = Map.groupBy(orders, queueOfOrder)
  return Promise.all(
    [...reading.queues.byName].map(([name, queue]) =>
      countQueue(reading.redis, queue, { now, orders: byQueue.get(name) ?? [] }),
    ),
  )
}

interface Moment {
  readonly now: Date
  readonly orders: readonly OpenOrder[]
}

async function countQueue(
  redis: RedisConnection,
  queue: Queue,
  { now, orders }: Moment,
): Promise<QueueCounts> {
  const due = String((now.getTime() + 1) * SCORE_PER_MS - 1)
  const delayedKey = queue.toKey('delayed')
  const asked = redis
    .multi()
    .llen(queue.toKey('wait'))
    .llen(queue.toKey('active'))
    .zcard(queue.toKey('failed'))
    .zcount(delayedKey, '-inf', due)
    .zcard(delayedKey)
    .lrange(queue.toKey('wait'), -1, -1)
    .zrange(delayedKey, '0', '0', 'WITHSCORES')
  for (const { id } of orders) asked.exists(queue.toKey(id))
  const [waiting, active, failed, late, delayed, oldestIds, first, ...isThere] = answersOf(
    await asked.exec(),
  ) as [number, number, number, number, number, string[], string[], ...number[]]

  const elsewhere = orders.filter((_, i) => isThere[i] === 0).map(({ dueAt }) => dueAt.getTime())
  const dueElsewhere = elsewhere.filter((ms) => ms <= now.getTime())
  const oldest = oldestIds[0] === undefined ? undefined : await BullJob.fromId(queue, oldestIds[0])
  const dueMs = [
    now.getTime(),
    ...dueElsewhere,
    ...(oldest ? [oldest.timestamp + oldest.delay] : []),
    ...(late > 0 ? [dueOf(first[1]!).getTime()] : []),
  ]
  return {
    queue: queue.name,
    waiting: waiting + late + dueElsewhere.length,
    delayed: delayed - late + elsewhere.length - dueElsewhere.length,
    active,
    failed,
    oldestSeconds: (now.getTime() - Math.min(...dueMs)) / 1_000,
  }
}

function answersOf(answers: readonly [Error | null, unknown][] | null): unknown[] {
  return (answers ?? []).map(([error, answer]) => {
    if (error) throw error
    return answer
  })
}

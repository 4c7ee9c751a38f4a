import { DAY_SECONDS } from '@placard/calendar'
import { sql } from 'drizzle-orm'
import {
  type Clock as BossClock,
  type Db,
  fromDrizzle,
  type JobResult,
  PgBoss,
  type QueueOptions,
  systemClock,
} from 'pg-boss'
import type { Timers } from '../../background/timers.ts'
import type { Database } from '../../database/connect.ts'
import type { Ids } from '../../ids.ts'
import {
  type JobProgress,
  type JobRun,
  type Jobs,
  type QueueCounts,
  queueOf,
  refuseMisfit,
  refuseUnknown,
  SCHEDULED_KEY,
  type JobDefinition,
} from '../job.ts'
import {
  countByJob,
  DEAD_LETTERS,
  listDeadLetters,
  listRuns,
  progressOf,
  saveProgress,
  type StoredRun,
  whyNotRequeued,
} from './reads.ts'
import { type RunnerDeps, runnerFor } from '../run-job.ts'
import { type Schedule, startScheduler, type Scheduler } from '../schedules/scheduler.ts'

export interface PgBossOptions extends RunnerDeps {
  readonly db: Database
  readonly url: string
  /** An enqueuer has no maintenance and no workers: an api process that only asks for work. */
  readonly role: 'enqueuer' | 'worker'
  /** Every job. Queues are created and counted from this list. */
  readonly jobs: readonly JobDefinition[]
  readonly ids: Ids
  readonly connectionsMax?: number
  /** How late a retry or delayed job may start; new jobs wake their worker at once. */
  readonly pollSeconds?: number
  readonly drainSeconds?: number
  /** Clock and timers of pg-boss; tests control them. */
  readonly time?: BossClock
}

const KEEP_FINISHED_SECONDS = DAY_SECONDS
const KEEP_DEAD_LETTERS_SECONDS = 30 * DAY_SECONDS
/** A worker is considered dead after this long without a heartbeat. */
const HEARTBEAT_SECONDS = 30

/** Jobs in PostgreSQL, in pg-boss's own schema. */
export async function startPgBoss(options: PgBossOptions): Promise<Jobs> {
  const { log, role, time = systemClock } = options
  const boss = new PgBoss({
    connectionString: options.url,
    schema: 'pgboss',
    application_name: 'placard-jobs',
    max: options.connectionsMax ?? (role === 'worker' ? 6 : 2),
    supervise: role === 'worker',
    // Its cron looks every 30 seconds; ours is on time.
    schedule: false,
    useListenNotify: role === 'worker',
    clock: time,
  })
  boss.on('error', (error) => log.error({ err: error }, 'job queue failed'))
  boss.on('warning', ({ message, data }) => log.warn({ data }, message))
  try {
    await boss.start()
    await makeQueues(boss, options.jobs)
    if (role === 'worker') await dropOldSchedules(boss)
  } catch (error) {
    await boss.stop({ graceful: false })
    throw error
  }

  const known = new Set(options.jobs.map(({ name }) => name))
  const working = new Set<string>()
  const scheduler = startScheduler({
    db: options.db,
    clock: options.clock,
    timers: timersOf(time),
    order: (db, due) => orderDue({ boss, ids: options.ids }, db, due),
    onError: (error) => log.error({ err: error }, 'schedule failed'),
  })
  const drain = async () => {
    await scheduler.stop()
    await Promise.all([...working].map((name) => boss.offWork(name, { wait: true })))
  }
  const letGo = async () => {
    await within(drain(), { seconds: options.drainSeconds ?? 30, time })
    await boss.stop({ graceful: false })
  }
  let stopped: Promise<void> | undefined

  return {
    ...asking(boss, { options, known, scheduler }),
    ...watching(boss, options.jobs),
    async work(jobs) {
      for (const scheduled of jobs) {
        const job = scheduled.definition
        refuseUnknown(known, job)
        working.add(job.name)
        await startWorkers(boss, { job, run: runnerFor(scheduled, options), options })
      }
    },
    drain,
    stop: () => (stopped ??= letGo()),
  }
}

/** Written on every start: a new release may have changed them. */
async function makeQueues(boss: PgBoss, jobs: readonly JobDefinition[]): Promise<void> {
  await boss.createQueue(DEAD_LETTERS, { retentionSeconds: KEEP_DEAD_LETTERS_SECONDS })
  for (const job of jobs) {
    const settings = { ...limitsOf(job), deadLetter: DEAD_LETTERS, notify: true }
    // At most one waits per key. A queue's policy cannot change later, so all queues have this one, and
    // a job without a dedupe key gets a unique key.
    await boss.createQueue(job.name, { ...settings, policy: 'short' })
    await boss.updateQueue(job.name, settings)
  }
}

const limitsOf = (job: JobDefinition): QueueOptions => ({
  retryLimit: job.retries,
  retryBackoff: true,
  retryDelay: job.backoff.firstSeconds,
  retryDelayMax: job.backoff.maxSeconds,
  expireInSeconds: job.timeoutSeconds,
  heartbeatSeconds: HEARTBEAT_SECONDS,
  deleteAfterSeconds: KEEP_FINISHED_SECONDS,
})

/** Of releases that left cron to pg-boss. */
async function dropOldSchedules(boss: PgBoss): Promise<void> {
  for (const { name, key } of await boss.getSchedules()) await boss.unschedule(name, key)
}

type Enqueuing = Pick<Jobs, 'enqueue' | 'schedule' | 'unschedule'>

interface Asking {
  readonly options: PgBossOptions
  readonly known: ReadonlySet<string>
  readonly scheduler: Scheduler
}

function asking(boss: PgBoss, { options, known, scheduler }: Asking): Enqueuing {
  const { ids, clock } = options
  return {
    async enqueue(db, job, { payload, delaySeconds = 0 }) {
      refuseUnknown(known, job)
      refuseMisfit(job, payload)
      const id = ids.next()
      const dueAt = new Date(clock.now().getTime() + delaySeconds * 1_000)
      const sent = await boss.send(job.name, payload as object, {
        id,
        singletonKey: job.dedupeKey?.(payload, dueAt) ?? id,
        db: fromDrizzle(db, sql),
        ...(delaySeconds && { startAfter: delaySeconds }),
      })
      return sent ?? undefined
    },
    async schedule(job, cron, payload) {
      refuseUnknown(known, job)
      refuseMisfit(job, payload)
      await scheduler.keep({ job, cron, payload })
    },
    unschedule: (job) => scheduler.drop(job),
  }
}

interface Ordering {
  readonly boss: PgBoss
  readonly ids: Ids
}

async function orderDue(
  { boss, ids }: Ordering,
  db: Database,
  { schedule: { job, payload }, dueAt }: { schedule: Schedule; dueAt: Date },
): Promise<void> {
  await boss.send(job.name, payload, {
    id: ids.next(),
    singletonKey: job.dedupeKey?.(payload, dueAt) ?? SCHEDULED_KEY,
    startAfter: dueAt,
    db: fromDrizzle(db, sql),
  })
}

type Watching = Pick<Jobs, 'find' | 'listRuns' | 'counts' | 'listDeadLetters' | 'requeue'>

function watching(boss: PgBoss, jobs: readonly JobDefinition[]): Watching {
  const db = boss.getDb()
  return {
    async find(job, id) {
      const [run] = await boss.findJobs<object>(job.name, { id })
      return run && presentRun(run)
    },
    async listRuns(job, limit) {
      return (await listRuns(db, job.name, limit)).map(presentRun)
    },
    async counts() {
      return sumByQueue(jobs, await countByJob(db))
    },
    listDeadLetters: (page) => listDeadLetters(db, page),
    async requeue(deadLetterId) {
      const moved = await boss.redrive(DEAD_LETTERS, { ids: [deadLetterId] })
      return moved > 0 ? 'requeued' : whyNotRequeued(db, deadLetterId)
    },
  }
}

const RUN_STATES = {
  created: 'waiting',
  retry: 'waiting',
  active: 'running',
  completed: 'succeeded',
  cancelled: 'failed',
  failed: 'failed',
} as const

const presentRun = (run: StoredRun): JobRun => ({
  id: run.id,
  state: RUN_STATES[run.state],
  dueAt: run.startAfter,
  dedupeKey: keyOf(run),
  retries: run.retryCount,
  progress: progressOf(run.output),
})

/** A job without a key has one that only this adapter needs. */
const keyOf = ({ id, singletonKey }: StoredRun): string | undefined =>
  singletonKey === null || singletonKey === id || singletonKey === SCHEDULED_KEY
    ? undefined
    : singletonKey

function sumByQueue(
  jobs: readonly JobDefinition[],
  counted: Awaited<ReturnType<typeof countByJob>>,
): readonly QueueCounts[] {
  const byName = new Map(counted.map((counts) => [counts.name, counts]))
  const byQueue = Map.groupBy(jobs, queueOf)
  return [...byQueue].map(([queue, members]) => {
    const rows = members.flatMap(({ name }) => byName.get(name) ?? [])
    const sum = (field: 'waiting' | 'delayed' | 'active' | 'failed') =>
      rows.reduce((total, row) => total + row[field], 0)
    return {
      queue,
      waiting: sum('waiting'),
      delayed: sum('delayed'),
      active: sum('active'),
      failed: sum('failed'),
      oldestSeconds: Math.max(0, ...rows.map((row) => row.oldestSeconds)),
    }
  })
}

interface Working {
  readonly job: JobDefinition
  readonly run: ReturnType<typeof runnerFor>
  readonly options: PgBossOptions
}

async function startWorkers(boss: PgBoss, { job, run, options }: Working): Promise<void> {
  const pollSeconds = options.pollSeconds ?? 2
  const settings = {
    perJobResults: true,
    pollingIntervalSeconds: pollSeconds,
    notifyPollingIntervalSeconds: pollSeconds,
  } as const

  for (let worker = 0; worker < job.concurrency; worker++) {
    const id: string = await boss.work<object>(job.name, settings, async ([attempt]) => {
      if (!attempt) return []
      const reports = progressReports(boss.getDb(), attempt)
      const verdict = await run({
        payload: attempt.data,
        signal: attempt.signal,
        progress: reports.write,
      })
      const progress = await reports.last()
      // A worker that found a job looks for the next at once instead of waiting for the poll.
      boss.notifyWorker(id)
      return [recordVerdict(attempt.id, verdict, progress)]
    })
  }
}

const RESULTS = { succeeded: 'completed', failed: 'failed', misfit: 'deadletter' } as const

function recordVerdict(
  id: string,
  verdict: Awaited<ReturnType<Working['run']>>,
  progress: JobProgress | undefined,
): JobResult {
  const status = RESULTS[verdict.kind]
  if (verdict.kind === 'succeeded' && progress === undefined) return { id, status }
  const reason = verdict.kind === 'succeeded' ? {} : { message: verdict.reason }
  return { id, status, output: { ...reason, ...(progress && { progress }) } }
}

/** One write at a time, always of the latest report: a tight loop may report a million times. */
function progressReports(db: Db, run: { readonly name: string; readonly id: string }) {
  let latest: JobProgress | undefined
  let unwritten: JobProgress | undefined
  let writing: Promise<void> | undefined

  const writeAll = async () => {
    for (let report = unwritten; report; report = unwritten) {
      unwritten = undefined
      await saveProgress(db, run, report)
    }
  }
  return {
    write(progress: JobProgress) {
      latest = progress
      unwritten = progress
      // A lost report costs nothing: the result carries the last one.
      writing ??= writeAll()
        .catch(() => {})
        .finally(() => (writing = undefined))
    },
    async last() {
      await writing
      return latest
    },
  }
}

const timersOf = (time: BossClock): Timers => ({
  after(ms, call) {
    const timer = time.setTimeout(call, ms)
    return () => time.clearTimeout(timer)
  },
})

async function within(
  work: Promise<void>,
  { seconds, time }: { seconds: number; time: BossClock },
): Promise<void> {
  const { promise: timeOver, resolve } = Promise.withResolvers<void>()
  const timer = time.setTimeout(resolve, seconds * 1_000)
  await Promise.race([work, timeOver])
  time.clearTimeout(timer)
}

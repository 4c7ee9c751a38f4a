import { type Backoff, jitteredBackoffMs } from '../../background/backoff.ts'
import { DelayedError, type Job as BullJob, UnrecoverableError, Worker } from 'bullmq'
import type { Random } from '../../random.ts'
import type { Clock } from '../../clock.ts'
import type { Timers } from '../../background/timers.ts'
import type { QueueSettings } from './queues.ts'
import type { JobProgress, JobDefinition } from '../job.ts'
import type { RunVerdict, runnerFor } from '../run-job.ts'

export interface Task {
  readonly job: JobDefinition
  readonly run: ReturnType<typeof runnerFor>
}

export interface WorkSettings extends QueueSettings {
  readonly clock: Clock
  readonly timers: Timers
  readonly random: Random
  /** Frees the dedupe key before the run reads anything. */
  onStart(id: string): Promise<void>
  onError(error: unknown): void
}

export interface QueueWorker {
  /** Takes no more work, waits for running jobs, and closes. */
  drain(): Promise<void>
  /** Fails the running jobs, so that they are tried again. */
  abort(): void
}

/** How late a job may start if no wake-up announced it. */
const DRAIN_DELAY_SECONDS = 2
const LOCK_MS = 30_000
const STALLS_MAX = 3
/** A job that this process may not run now is delayed by this much. */
const PUT_BACK_MS = 1_000

/** One worker for all jobs of a queue; each job keeps its own limit of concurrent runs. */
export function startWorker(
  queue: string,
  tasks: readonly Task[],
  settings: WorkSettings,
): QueueWorker {
  const byName = new Map(tasks.map((task) => [task.job.name, task]))
  const running = new Map<string, number>()
  const attempts = new Set<AbortController>()

  const attempt = async (run: BullJob, token: string | undefined): Promise<void> => {
    const task = byName.get(run.name)
    const active = running.get(run.name) ?? 0
    // Another release may know the job, or another process may have capacity.
    if (!task || active >= task.job.concurrency) {
      await run.moveToDelayed(settings.clock.now().getTime() + PUT_BACK_MS, token)
      throw new DelayedError()
    }
    running.set(run.name, active + 1)
    try {
      await settings.onStart(run.id!)
      recordVerdict(await attemptInTime(task, run, { attempts, timers: settings.timers }))
    } finally {
      running.set(run.name, running.get(run.name)! - 1)
    }
  }
  const worker = new Worker(queue, attempt, {
    connection: settings.redis,
    prefix: settings.prefix,
    concurrency: tasks.reduce((sum, { job }) => sum + job.concurrency, 0),
    drainDelay: DRAIN_DELAY_SECONDS,
    lockDuration: LOCK_MS,
    maxStalledCount: STALLS_MAX,
    settings: {
      backoffStrategy: (attempts, ...[, , run]) =>
        jitteredBackoffMs(backoffOf(byName.get(run!.name)!.job), attempts, settings.random),
    },
  })
  worker.on('error', settings.onError)
  return {
    // Not its `pause`, which reconnects at the end; on a Cluster that never finishes.
    drain: () => worker.close(),
    abort() {
      for (const attempt of attempts) attempt.abort()
    },
  }
}

const backoffOf = ({ backoff }: JobDefinition): Backoff => ({
  firstMs: backoff.firstSeconds * 1_000,
  maxMs: backoff.maxSeconds * 1_000,
})

function recordVerdict(verdict: RunVerdict): void {
  if (verdict.kind === 'succeeded') return
  if (verdict.kind === 'misfit') throw new UnrecoverableError(verdict.reason)
  throw new Error(verdict.reason)
}

interface Bounds {
  /** The running ones, for `abort`. */
  readonly attempts: Set<AbortController>
  readonly timers: Timers
}

async function attemptInTime(task: Task, run: BullJob, { attempts, timers }: Bounds) {
  const attempt = new AbortController()
  attempts.add(attempt)
  const cancel = timers.after(task.job.timeoutSeconds * 1_000, () => attempt.abort())
  const reports = progressReports(run)
  try {
    const verdict = await task.run({
      payload: run.data,
      signal: attempt.signal,
      progress: reports.write,
    })
    await reports.written()
    return verdict
  } finally {
    attempts.delete(attempt)
    cancel()
  }
}

/** One write at a time, always of the latest report: a tight loop may report a million times. */
function progressReports(run: BullJob) {
  let unwritten: JobProgress | undefined
  let writing: Promise<void> | undefined

  const writeAll = async () => {
    for (let report = unwritten; report; report = unwritten) {
      unwritten = undefined
      await run.updateProgress(report)
    }
  }
  const write = (progress: JobProgress) => {
    unwritten = progress
    writing ??= writeAll()
      // A lost report costs nothing.
      .catch(() => {})
      .finally(() => (writing = undefined))
  }
  return {
    write,
    async written() {
      await writing
    },
  }
}

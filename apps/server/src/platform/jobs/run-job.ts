import type { Clock } from '../clock.ts'
import {
  describeMisfit,
  type JobContext,
  type JobLog,
  type JobObserver,
  payloadFaults,
  type ScheduledJob,
} from './job.ts'

export interface RunnerDeps {
  readonly clock: Clock
  readonly observer: JobObserver
  readonly log: JobLog
}

/** One attempt, as the queue delivers it. */
export interface Attempt {
  readonly payload: unknown
  readonly signal: AbortSignal
  readonly progress: JobContext['progress']
}

/** `misfit` is not retried: the payload will not fit next time either. */
export type RunVerdict =
  | { readonly kind: 'succeeded' }
  | { readonly kind: 'failed' | 'misfit'; readonly reason: string }

/** Makes the function that runs one attempt of a job, the same for all adapters. */
export function runnerFor({ definition: job, run }: ScheduledJob, runner: RunnerDeps) {
  return async ({ payload, signal, progress }: Attempt): Promise<RunVerdict> => {
    const faults = payloadFaults(job, payload)
    if (faults.length > 0) return { kind: 'misfit', reason: describeMisfit(faults) }

    const { clock, observer, log } = runner
    const startedMs = clock.now().getTime()
    const durationMs = () => clock.now().getTime() - startedMs
    observer.started(job.name)
    try {
      await untilAborted(run(payload, { signal, progress, log }), signal)
      observer.succeeded(job.name, durationMs())
      return { kind: 'succeeded' }
    } catch (error) {
      observer.failed(job.name, durationMs())
      log.warn({ err: error, job: job.name }, 'job failed')
      return { kind: 'failed', reason: error instanceof Error ? error.message : String(error) }
    }
  }
}

/** Stops waiting when the signal aborts: a run that ignores it must not block the worker. */
function untilAborted(running: Promise<void>, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const giveUp = () => reject(new Error('The run was stopped before it was done'))
    signal.addEventListener('abort', giveUp, { once: true })
    // Some queues also abort the signal of a finished run.
    const forget = () => signal.removeEventListener('abort', giveUp)
    void running.finally(forget).then(resolve, reject)
  })
}

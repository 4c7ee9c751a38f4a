import type { Static, TSchema } from 'typebox'
import { Compile, type Validator } from 'typebox/compile'
import type { Database } from '../database/connect.ts'
import type { Fault } from '../problem.ts'

/** The logger methods that jobs need; pino has them. */
export interface JobLog {
  info(fields: object, message: string): void
  warn(fields: object, message: string): void
  error(fields: object, message: string): void
}

export interface JobProgress {
  readonly done: number
  readonly total: number
}

export interface JobContext {
  /** Shown to whoever watches the run. Cheap to call often: only the latest report is written. */
  progress(progress: JobProgress): void
  /** Aborts when the time limit is over or the process must stop; long work should check it. */
  readonly signal: AbortSignal
  readonly log: JobLog
}

/**
 * Background work, run by a worker.
 *
 * A job may run twice, even at the same time: a worker can die after the work and before it is marked
 * done, and a run past its time limit goes on until it checks its signal. Write `run` so that the second
 * time changes nothing.
 */
export interface Job<Payload extends TSchema, Deps> {
  /** `<capability>.<verb-noun>`, without ':'. */
  readonly name: string
  /** Groups the counts; default: the capability's name. */
  readonly queue?: string
  readonly payload: Payload
  /** Retries after the first failure. */
  readonly retries: number
  /** Doubles from the first pause to the longest, plus a random part. */
  readonly backoff: { readonly firstSeconds: number; readonly maxSeconds: number }
  readonly timeoutSeconds: number
  /** Concurrent runs in one worker process. */
  readonly concurrency: number
  /**
   * At most one job per key waits. The key is free as soon as that job starts, because it may read its
   * data before the change that asks for the next one.
   */
  readonly dedupeKey?: (payload: Static<Payload>, dueAt: Date) => string
  readonly run: (payload: Static<Payload>, deps: Deps, context: JobContext) => Promise<void>
}

/** A job without its work: enough to enqueue it, to create its queue and to show it to operators. */
export interface JobDefinition extends Omit<Job<TSchema, never>, 'dedupeKey' | 'run'> {
  /** A method, because lists hold jobs with different payloads; called with a valid one. */
  dedupeKey?(payload: unknown, dueAt: Date): string
}

/** A job with its dependencies. A list of these needs no type parameter. */
export interface ScheduledJob {
  readonly definition: JobDefinition
  /** Its schedule in UTC; undefined if it only runs when enqueued. */
  readonly cron: string | undefined
  /** Call it only with a payload that fits the definition's schema. */
  run(payload: unknown, context: JobContext): Promise<void>
}

/** Only a job with an empty payload can be scheduled. */
type Schedule<Payload extends TSchema> = {} extends Static<Payload> ? [cron?: string] : []

/** Gives a job its dependencies. The compiler compares them with those that `run` names. */
export function bindJob<Payload extends TSchema, Deps>(
  job: Job<Payload, Deps>,
  deps: NoInfer<Deps>,
  ...[cron]: Schedule<Payload>
): ScheduledJob {
  return {
    definition: job,
    cron,
    run: (payload, context) => job.run(payload as Static<Payload>, deps, context),
  }
}

export interface JobRun {
  readonly id: string
  readonly state: 'waiting' | 'running' | 'succeeded' | 'failed'
  /** A waiting run does not start earlier. */
  readonly dueAt: Date
  readonly dedupeKey: string | undefined
  /** Retries so far. */
  readonly retries: number
  readonly progress: JobProgress | undefined
}

export interface DeadLetter {
  readonly id: string
  readonly job: string
  readonly payload: unknown
  readonly reason: string
  readonly retries: number
  readonly enqueuedAt: Date
  readonly failedAt: Date
}

export interface DeadLetterPage {
  readonly limit: number
  /** Continues after this one, towards older ones. */
  readonly before?: Pick<DeadLetter, 'id' | 'failedAt'>
}

export type RequeueOutcome = 'requeued' | 'one-waits-already' | 'not-found'

export interface QueueCounts {
  readonly queue: string
  /** Due, not started. */
  readonly waiting: number
  /** Not due yet: delayed, or waiting for the next attempt. */
  readonly delayed: number
  readonly active: number
  /** Dead letters. */
  readonly failed: number
  /** Seconds since the oldest was due; 0 if nothing waits. */
  readonly oldestSeconds: number
}

/** The queue, whatever stores it. Every adapter passes the same suite, `jobs-contract.ts`. */
export interface Jobs {
  /**
   * Part of the caller's transaction: a rollback takes the job with it.
   * Returns the run's id, or undefined if one with the same dedupe key is already waiting.
   */
  enqueue<Payload extends TSchema>(
    db: Database,
    job: Job<Payload, never>,
    order: { readonly payload: Static<Payload>; readonly delaySeconds?: number },
  ): Promise<string | undefined>

  /** Ordered once in the whole fleet, at its minute in UTC. A job has one schedule; a new one replaces it. */
  schedule(job: JobDefinition, cron: string, payload: object): Promise<void>
  unschedule(job: JobDefinition): Promise<void>

  work(jobs: readonly ScheduledJob[]): Promise<void>

  find(job: JobDefinition, id: string): Promise<JobRun | undefined>
  /** Newest first. */
  listRuns(job: JobDefinition, limit: number): Promise<readonly JobRun[]>
  counts(): Promise<readonly QueueCounts[]>
  listDeadLetters(page: DeadLetterPage): Promise<readonly DeadLetter[]>
  requeue(deadLetterId: string): Promise<RequeueOutcome>

  /** Takes no more work and waits for running jobs. */
  drain(): Promise<void>
  /** Drains for a limited time, then aborts running jobs, which are tried again, and closes. */
  stop(): Promise<void>
}

/** Receives measurements of runs. */
export interface JobObserver {
  started(job: string): void
  succeeded(job: string, durationMs: number): void
  failed(job: string, durationMs: number): void
}

/** What is asked for by a schedule, when its job has no key: one such run waits at a time. */
export const SCHEDULED_KEY = 'scheduled'

const JOB_NAME = /^[a-z][a-z0-9-]*\.[a-z][a-z0-9_-]*$/

export function defineJob<Payload extends TSchema, Deps>(
  job: Job<Payload, Deps>,
): Job<Payload, Deps> {
  if (!JOB_NAME.test(job.name)) {
    throw new Error(`"${job.name}" is no job name: write <capability>.<verb-noun>`)
  }
  return job
}

export const queueOf = (job: JobDefinition): string => job.queue ?? job.name.split('.')[0]!

/** Every mismatch between the payload and the job's schema. */
export function payloadFaults(job: JobDefinition, payload: unknown): readonly Fault[] {
  const validator = validatorOf(job.payload)
  if (validator.Check(payload)) return []
  return validator
    .Errors(payload)
    .map(({ instancePath, message }) => ({ path: instancePath, message }))
}

const validators = new WeakMap<TSchema, Validator>()

/** Compiled on first use; payloads are checked when enqueued and when run. */
function validatorOf(schema: TSchema): Validator {
  const known = validators.get(schema)
  if (known !== undefined) return known
  const validator = Compile(schema)
  validators.set(schema, validator)
  return validator
}

/** A mismatched payload as one sentence. */
export const describeMisfit = (faults: readonly Fault[]): string =>
  `The payload does not fit: ${faults.map(({ path, message }) => `${path || '/'} ${message}`).join('; ')}`

export function refuseUnknown(
  known: { has(name: string): boolean },
  job: Pick<JobDefinition, 'name'>,
): void {
  if (!known.has(job.name)) throw new Error(`${job.name} is not in the list of jobs`)
}

export function refuseMisfit(job: JobDefinition, payload: unknown): void {
  const faults = payloadFaults(job, payload)
  if (faults.length > 0) throw new TypeError(`${job.name}: ${describeMisfit(faults)}`)
}

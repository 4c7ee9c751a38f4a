import type { Static, TSchema } from 'typebox'
import { Compile, type Validator } from 'typebox/compile'
import type { Database } from '../database/connect.ts'
import type { Fault } from '../problem.ts'

/** The part of a logger that jobs need; pino fits. */
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
  /** Aborted when the time is over or the process must stop; long work should look at it. */
  readonly signal: AbortSignal
  readonly log: JobLog
}

/**
 * Work that happens later, in a worker.
 *
 * A job may run twice, even at the same time: a worker can die after the work and before the note
 * that it is done, and a run past its time goes on until it looks at its signal. Write `run` so that
 * the second time changes nothing.
 */
export interface Job<Payload extends TSchema, Deps> {
  /** `<capability>.<verb-noun>`, without ':'. */
  readonly name: string
  /** What counts are grouped by; the capability's name unless told. */
  readonly queue?: string
  readonly payload: Payload
  /** How often it is tried again after its first failure. */
  readonly retries: number
  /** Doubles from the first wait up to the longest, with some chance in it. */
  readonly backoff: { readonly firstSeconds: number; readonly maxSeconds: number }
  readonly timeoutSeconds: number
  /** How many run side by side in one worker process. */
  readonly concurrency: number
  /**
   * Of jobs with the same key one waits at a time. The key is free once that one has started,
   * because it may have read its data before the change that asks for the next.
   */
  readonly dedupeKey?: (payload: Static<Payload>) => string
  readonly run: (payload: Static<Payload>, deps: Deps, context: JobContext) => Promise<void>
}

/** A job without its work: enough to enqueue it, to make its queue, and to show it to operators. */
export interface JobDefinition extends Omit<Job<TSchema, never>, 'dedupeKey' | 'run'> {
  /** A method, because lists hold jobs of many payloads; it is called with one that fits. */
  dedupeKey?(payload: unknown): string
}

/** A job that has what it needs to run. A list of these needs no type parameter. */
export interface ScheduledJob {
  readonly definition: JobDefinition
  /** When it runs by itself, in UTC; undefined when something must enqueue it. */
  readonly cron: string | undefined
  /** Call it only with a payload that fits the definition's schema. */
  run(payload: unknown, context: JobContext): Promise<void>
}

/** Only a job that runs on an empty payload can run by itself. */
type Schedule<Payload extends TSchema> = {} extends Static<Payload> ? [cron?: string] : []

/** Gives a job its dependencies. The compiler checks them against what the job's `run` names. */
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
  /** A waiting run does not start before. */
  readonly dueAt: Date
  /** How often it has been tried again. */
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
  /** Continues behind this one; the newest come first. */
  readonly before?: Pick<DeadLetter, 'id' | 'failedAt'>
}

export type RequeueOutcome = 'requeued' | 'one-waits-already' | 'not-found'

export interface QueueCounts {
  readonly queue: string
  /** Due and not started. */
  readonly waiting: number
  /** Not due yet: delayed, or between two tries. */
  readonly delayed: number
  readonly active: number
  /** Dead letters. */
  readonly failed: number
  /** How long the oldest one has been due; 0 when nothing waits. */
  readonly oldestSeconds: number
}

/** The queue, whatever keeps it. Adapters pass one contract suite, `jobs-contract.ts`. */
export interface Jobs {
  /**
   * Part of the caller's transaction: a rollback takes the job with it.
   * Returns the run's id, or undefined if one with the same dedupe key waits already.
   */
  enqueue<Payload extends TSchema>(
    db: Database,
    job: Job<Payload, never>,
    order: { readonly payload: Static<Payload>; readonly delaySeconds?: number },
  ): Promise<string | undefined>

  /** Fires once in the whole fleet, in UTC. One schedule per job: a new one replaces the old. */
  schedule(job: JobDefinition, cron: string, payload: object): Promise<void>
  unschedule(job: JobDefinition): Promise<void>

  work(jobs: readonly ScheduledJob[]): Promise<void>

  find(job: JobDefinition, id: string): Promise<JobRun | undefined>
  /** The newest first. */
  listRuns(job: JobDefinition, limit: number): Promise<readonly JobRun[]>
  counts(): Promise<readonly QueueCounts[]>
  listDeadLetters(page: DeadLetterPage): Promise<readonly DeadLetter[]>
  requeue(deadLetterId: string): Promise<RequeueOutcome>

  /** Takes no more work and waits for what runs. */
  drain(): Promise<void>
  /** Drains for a bounded time, then aborts what still runs (it is tried again) and lets go. */
  stop(): Promise<void>
}

/** What is measured about runs. */
export interface JobObserver {
  started(job: string): void
  succeeded(job: string, durationMs: number): void
  failed(job: string, durationMs: number): void
}

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

/** Every way in which the payload is not what the job asks for. */
export function payloadFaults(job: JobDefinition, payload: unknown): readonly Fault[] {
  const validator = validatorOf(job.payload)
  if (validator.Check(payload)) return []
  return validator
    .Errors(payload)
    .map(({ instancePath, message }) => ({ path: instancePath, message }))
}

const validators = new WeakMap<TSchema, Validator>()

/** Compiled when it is first needed: a payload is looked at when it is asked for and when it runs. */
function validatorOf(schema: TSchema): Validator {
  const known = validators.get(schema)
  if (known !== undefined) return known
  const validator = Compile(schema)
  validators.set(schema, validator)
  return validator
}

/** One sentence about a payload that does not fit. */
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

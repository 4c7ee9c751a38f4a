import { Type } from 'typebox'
import { expect, vi } from 'vitest'
import type { Database } from '../../database/connect.ts'
import {
  bindJob,
  defineJob,
  type Job,
  type JobContext,
  type JobObserver,
  type Jobs,
} from '../job.ts'

/** Some processes on one queue, and the time they share. What it opens, it stops after the test. */
export interface JobsFleet {
  readonly db: Database
  open(options: ProcessOptions): Promise<Jobs>
  /** Lets time pass for every process and for the queue. */
  pass(seconds: number): Promise<void>
  now(): Date
}

export interface ProcessOptions {
  readonly role: 'enqueuer' | 'worker'
  readonly jobs: readonly Job<typeof Name, Deps>[]
  readonly observer?: JobObserver
}

export const Name = Type.Object({ name: Type.String({ maxLength: 20 }) })

export interface Deps {
  run(name: string, context: JobContext): Promise<void> | void
}

/** A job that does what the test's `run` says. */
export const jobWith = (settings: Partial<Job<typeof Name, Deps>> = {}) =>
  defineJob({
    name: 'testing.run-it',
    payload: Name,
    retries: 0,
    backoff: { firstSeconds: 10, maxSeconds: 1_000 },
    timeoutSeconds: 600,
    concurrency: 1,
    async run({ name }, { run }: Deps, context) {
      await run(name, context)
    },
    ...settings,
  })

export const order = (name: string, delaySeconds?: number) => ({
  payload: { name },
  ...(delaySeconds && { delaySeconds }),
})

/** A run that waits until the test lets it go on. */
export function gate() {
  const { promise: opened, resolve: open } = Promise.withResolvers<void>()
  const { promise: reached, resolve: reach } = Promise.withResolvers<void>()
  const wait = async () => {
    reach()
    await opened
  }
  return { open, reached, wait }
}

/** Waits for what is so soon, by looking again; fails the test when it never is. */
export const eventually = <Value>(look: () => Promise<Value> | Value) =>
  vi.waitFor(look, { timeout: 5_000, interval: 10 })

export type OpenFleet = () => Promise<JobsFleet>

/** One worker that runs one job and notes the names it ran. */
export async function workerOn(fleet: JobsFleet, job = jobWith(), run: Deps['run'] = () => {}) {
  const jobs = await fleet.open({ role: 'worker', jobs: [job] })
  const ran: string[] = []
  const deps = {
    async run(name: string, context: JobContext) {
      ran.push(name)
      await run(name, context)
    },
  }
  await jobs.work([bindJob(job, deps)])
  return { job, jobs, ran }
}

export async function expectDeadLetters(jobs: Jobs, count: number) {
  const letters = await jobs.listDeadLetters({ limit: 10 })
  expect(letters).toHaveLength(count)
  return letters
}

export const fail = () => {
  throw new Error('no luck')
}

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

/** Several processes on one queue with a shared clock. It stops them after the test. */
export interface JobsFleet {
  readonly db: Database
  open(options: ProcessOptions): Promise<Jobs>
  /** Moves the time of every process and of the queue. */
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

/** A job that runs the test's function. */
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

/** A run that waits until the test opens the gate. */
export function gate() {
  const { promise: opened, resolve: open } = Promise.withResolvers<void>()
  const { promise: reached, resolve: reach } = Promise.withResolvers<void>()
  const wait = async () => {
    reach()
    await opened
  }
  return { open, reached, wait }
}

/** Polls until the look succeeds; fails the test if it never does. */
export const eventually = <Value>(look: () => Promise<Value> | Value) =>
  vi.waitFor(look, { timeout: 5_000, interval: 10 })

export type OpenFleet = () => Promise<JobsFleet>

/** A worker with one job, and the names it ran. */
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

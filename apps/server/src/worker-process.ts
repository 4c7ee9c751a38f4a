import { fork, type ChildProcess } from 'node:child_process'
import path from 'node:path'
import type { FastifyBaseLogger } from 'fastify'
import { type Backoff, backoffMs } from './platform/background/backoff.ts'
import { systemUptime, type Uptime } from './platform/clock.ts'

export interface WorkerProcess {
  /** False from when it ended until the next one says that it has started. */
  isWorking(): boolean
  stop(): Promise<void>
}

export interface WorkerProcessOptions {
  readonly environment: Readonly<Record<string, string | undefined>>
  readonly databaseUrl: string
  readonly log: Pick<FastifyBaseLogger, 'error'>
  /** For tests: what is started, and how soon again. */
  readonly program?: string
  readonly backoff?: Backoff
  readonly uptime?: Uptime
}

const PROGRAM = path.join(import.meta.dirname, 'main.ts')

/** A worker that ends again and again is started ever more rarely. */
const BACKOFF = { firstMs: 2_000, maxMs: 60_000 }
/** Who has worked for so long starts anew without a past. */
const STEADY_MS = 300_000
const STOP_MS = 40_000

/** Background work in a process of its own, so that it never delays an answer; it comes back if it dies. */
export function startWorkerProcess(options: WorkerProcessOptions): WorkerProcess {
  const { log, uptime = systemUptime, backoff = BACKOFF } = options
  let stopping = false
  let timer: NodeJS.Timeout | undefined
  let failures = 0
  let isWorking = true
  let child = begin()

  function begin(): ChildProcess {
    const startedMs = uptime.nowMs()
    const env = {
      ...options.environment,
      DATABASE_URL: options.databaseUrl,
      PLACARD_ROLE: 'worker',
    }
    const process = fork(options.program ?? PROGRAM, { env })
    process.once('message', () => (isWorking = true))
    process.once('exit', (code, signal) => {
      isWorking = false
      if (stopping) return
      failures = uptime.nowMs() - startedMs > STEADY_MS ? 1 : failures + 1
      const waitMs = backoffMs(backoff, failures)
      log.error({ code, signal, failures, waitMs }, 'the worker process ended and is started again')
      timer = setTimeout(() => (child = begin()), waitMs)
    })
    return process
  }

  return {
    isWorking: () => isWorking,
    async stop() {
      stopping = true
      clearTimeout(timer)
      if (child.exitCode !== null || child.signalCode !== null) return
      const exited = new Promise((resolve) => child.once('exit', resolve))
      const impatience = setTimeout(() => child.kill('SIGKILL'), STOP_MS)
      child.kill('SIGTERM')
      await exited
      clearTimeout(impatience)
    },
  }
}

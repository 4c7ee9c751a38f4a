import { fork, type ChildProcess } from 'node:child_process'
import path from 'node:path'
import type { FastifyBaseLogger } from 'fastify'
import type { Backoff } from './platform/background/backoff.ts'
import { createRestarts } from './platform/background/restarts.ts'
import { systemUptime, type Uptime } from './platform/clock.ts'

export interface WorkerProcess {
  /** False from the end of one worker until the next one has started. */
  isWorking(): boolean
  stop(): Promise<void>
}

export interface WorkerProcessOptions {
  readonly environment: Readonly<Record<string, string | undefined>>
  readonly databaseUrl: string
  readonly log: Pick<FastifyBaseLogger, 'error'>
  /** For tests: the program to start, and the pause before a restart. */
  readonly program?: string
  readonly backoff?: Backoff
  readonly uptime?: Uptime
}

const PROGRAM = path.join(import.meta.dirname, 'main.ts')

const BACKOFF = { firstMs: 2_000, maxMs: 60_000 }
const STOP_MS = 40_000

/** Runs background work in its own process, so that it never delays an answer. Restarts it if it ends. */
export function startWorkerProcess(options: WorkerProcessOptions): WorkerProcess {
  const { log, uptime = systemUptime, backoff = BACKOFF } = options
  let stopping = false
  let timer: NodeJS.Timeout | undefined
  const restarts = createRestarts(backoff, uptime)
  let isWorking = true
  let child = begin()

  function begin(): ChildProcess {
    restarts.started()
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
      const { failures, waitMs } = restarts.ended()
      log.error({ code, signal, failures, waitMs }, 'the worker process ended and is restarted')
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

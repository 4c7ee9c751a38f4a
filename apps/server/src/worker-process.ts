import { fork, type ChildProcess } from 'node:child_process'
import path from 'node:path'
import type { FastifyBaseLogger } from 'fastify'

export interface WorkerProcess {
  stop(): Promise<void>
}

export interface WorkerProcessOptions {
  readonly environment: Readonly<Record<string, string | undefined>>
  readonly databaseUrl: string
  readonly log: FastifyBaseLogger
}

const RESTART_MS = 2_000
const STOP_MS = 40_000

/** Background work in a process of its own, so that it never delays an answer; it comes back if it dies. */
export function startWorkerProcess(options: WorkerProcessOptions): WorkerProcess {
  let stopping = false
  let timer: NodeJS.Timeout | undefined
  let child = begin()

  function begin(): ChildProcess {
    const env = {
      ...options.environment,
      DATABASE_URL: options.databaseUrl,
      PLACARD_ROLE: 'worker',
    }
    const process = fork(path.join(import.meta.dirname, 'main.ts'), {
      env: env,
    })
    process.once('exit', (code) => {
      if (stopping) return
      options.log.error({ code }, 'the worker process ended and is started again')
      timer = setTimeout(() => (child = begin()), RESTART_MS)
    })
    return process
  }

  return {
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

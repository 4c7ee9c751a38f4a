import { spawn } from 'node:child_process'
import { once } from 'node:events'
import path from 'node:path'
import { onTestFinished } from 'vitest'
import type { AtEnd } from './database.ts'
import { ENVIRONMENT } from './environment.ts'
import { START_FLAGS } from '../../settings/start-flags.ts'
import { within } from '../until.ts'

export interface NodeProcess {
  readonly pid: number
  /** Resolves when the text appears on standard output; rejects if the process ends first. */
  says(words: string): Promise<string>
  kill(signal: NodeJS.Signals): void
  /** Exit code and all output. */
  readonly ended: Promise<{ code: number | null; stderr: string; stdout: string }>
}

const MAIN = [...START_FLAGS, path.join(import.meta.dirname, '../../main.ts')]
/** What `npm start` runs. */
const STARTER = [path.join(import.meta.dirname, '../../../../../scripts/start.ts')]

type Settings = Readonly<Record<string, string>>

/** Placard as an operator starts it, with only these settings. Ended after the test. */
export const startPlacard = (settings: Settings, atEnd: AtEnd = onTestFinished): NodeProcess =>
  startNode(MAIN, { settings, atEnd })

/** The same through the script behind `npm start`. */
export const startByScript = (settings: Settings): NodeProcess =>
  startNode(STARTER, { settings, atEnd: onTestFinished })

function startNode(
  args: readonly string[],
  { settings, atEnd }: { readonly settings: Settings; readonly atEnd: AtEnd },
): NodeProcess {
  const child = spawn(process.execPath, args, {
    env: { ...ENVIRONMENT, API_PORT: '0', WORKER_PORT: '0', ...settings },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let stdout = ''
  let stderr = ''
  child.stdout.on('data', (chunk: Buffer) => (stdout += chunk.toString()))
  child.stderr.on('data', (chunk: Buffer) => (stderr += chunk.toString()))
  const ended = once(child, 'close').then(([code]) => ({
    code: code as number | null,
    stderr,
    stdout,
  }))
  atEnd(async () => {
    child.kill('SIGTERM')
    await ended
  })

  return {
    pid: child.pid!,
    kill: (signal) => void child.kill(signal),
    ended,
    async says(words) {
      while (!stdout.includes(words)) {
        const more = once(child.stdout, 'data')
        const next = Promise.race([more.then(() => false), ended.then(() => true)])
        const isOver = await within(`it says "${words}" after: ${stdout}${stderr}`, next)
        if (isOver && !stdout.includes(words)) throw new Error(`It ended: ${stdout}${stderr}`)
      }
      return stdout
    },
  }
}

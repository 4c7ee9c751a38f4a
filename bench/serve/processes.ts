import { type ChildProcess, fork, spawn, spawnSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { START_FLAGS } from '../../apps/server/src/start-flags.ts'

export interface Running {
  readonly port: number
  /** CPU seconds the process has used so far. */
  cpuSeconds(): number
  /** Ends it without a word. */
  kill(): void
  stop(): Promise<void>
}

const CLOCK_TICKS = 100
const SERVER_CORE = '0'
const GENERATOR_CORE = '1'
const ANY_CORE = `${SERVER_CORE},${GENERATOR_CORE}`

export interface Program {
  readonly args?: string[]
  readonly env?: Record<string, string>
  readonly port: number
  /** What it answers once it is ready. */
  readonly readyPath?: string
  /** Whether its main thread keeps to the first core; else it runs where there is room. */
  readonly isPinned?: boolean
}

/**
 * Starts a server and waits until it answers. Its main thread has the first core, unless it is not
 * pinned; what collects its garbage runs on whichever core has room, as on any machine with more than one.
 */
export async function startProgram(
  file: string,
  { args = [], env = {}, port, readyPath, isPinned = true }: Program,
): Promise<Running> {
  const child = fork(path.join(import.meta.dirname, file), args, {
    env: { ...process.env, ...env },
    execArgv: [...process.execArgv, ...START_FLAGS],
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  })
  await untilReady(port, readyPath)
  pin(child.pid!, isPinned ? SERVER_CORE : ANY_CORE)
  for (const thread of helpersOf(child.pid!)) pin(thread, ANY_CORE)
  return {
    port,
    cpuSeconds: () => cpuSecondsOf(child.pid!),
    kill: () => void child.kill('SIGKILL'),
    stop: () => stopChild(child),
  }
}

function cpuSecondsOf(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]!.split(' ')
  return (Number(fields[11]) + Number(fields[12])) / CLOCK_TICKS
}

/** Leaves the first core to servers: this process and all it starts from now on have the other. */
export function leaveServerCore(): void {
  pin(process.pid, GENERATOR_CORE)
}

/** One thread, and what it starts later. */
function pin(thread: number, cores: string): void {
  spawnSync('taskset', ['-p', '-c', cores, String(thread)], { stdio: 'ignore' })
}

const helpersOf = (pid: number): readonly number[] =>
  readdirSync(`/proc/${pid}/task`)
    .map(Number)
    .filter((thread) => thread !== pid)

async function stopChild(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const exited = new Promise((resolve) => child.once('exit', resolve))
  child.kill('SIGTERM')
  await exited
}

async function untilReady(port: number, path = '/'): Promise<void> {
  for (let attempt = 0; attempt < 600; attempt++) {
    try {
      const response = await fetch(`http://127.0.0.1:${port}${path}`)
      if (response.status < 500) return
    } catch {
      // Not listening yet.
    }
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
  throw new Error(`nothing answers on port ${port}`)
}

/**
 * Runs a generator on the second core and reads its one line of JSON. It stands for other machines:
 * where the system allows it, it never waits for what else runs on that core, because its waiting
 * would be counted as the server's.
 */
export function generate<Result>(command: string, args: readonly string[]): Promise<Result> {
  const mayGoFirst = spawnSync('chrt', ['-r', '1', 'true'], { stdio: 'ignore' }).status === 0
  // The helper threads of Node go after its main one: compiling, they held it up for milliseconds.
  const helpersLast = command === process.execPath ? ['-R'] : []
  const goFirst = mayGoFirst ? ['chrt', ...helpersLast, '-r', '1'] : []
  return figuresOf<Result>([...goFirst, command, ...args])
}

/** Runs a program on the second core and reads its one line of JSON. */
export function figuresOf<Result>(command: readonly string[]): Promise<Result> {
  return new Promise((resolve, reject) => {
    const child = spawn('taskset', ['-c', GENERATOR_CORE, ...command], {
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    let output = ''
    child.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()))
    child.on('error', reject)
    child.on('close', () => {
      const line = output
        .trim()
        .split('\n')
        .findLast((text) => text.startsWith('{'))
      if (line) resolve(JSON.parse(line) as Result)
      else reject(new Error(`${command.join(' ')} printed no figures: ${output}`))
    })
  })
}

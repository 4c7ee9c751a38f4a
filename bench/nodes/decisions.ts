import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { cpuSecondsOfTree } from '../cpu.ts'
import { Dice } from '../engine/dice.ts'
import { median, rounded, tell } from '../scratch.ts'
import { generate, type Running } from '../serve/processes.ts'
import { addressesByCountry, serveRequest, wrkScript } from '../serve/requests.ts'
import { type Market, openMarket, postmasterOf, startNode, startRedis } from './fleet.ts'

const ADS = 1_000
/** As many, whether one process answers or two: they share the other core with the database and Redis. */
const GENERATORS = 2
/** Of each process: a second one is there because there is more to do. */
const CONNECTIONS = 32
/** As in `serve`: with fewer, the same readers would ask several times a second, and hold hundreds of places. */
const REQUESTS = 20_000
const USERS = 200_000

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

interface Measured extends Window {
  readonly cpuMicros: number
  readonly of: Cpu
  /** How much of the machine the nodes had. */
  readonly cores: number
}

const CORES_MIN = 0.3
const RETAKEN_MAX = 3

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
  const turns = await startLoop(windows.count, async () => ({
    memory: await measure([memory], alone),
    redis: await measure([one], shared),
    both: await measure([one, two], shared),
  }))
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
    ...(await strand(shared, { survivor: one, killed: two })),
  }
}

interface Turn {
  readonly memory: Measured
  readonly redis: Measured
  readonly both: Measured
}

/** A turn in which others had the machine says nothing; it is taken again, but not for ever. */
async function startLoop(count: number, take: () => Promise<Turn>): Promise<readonly Turn[]> {
  const turns: Turn[] = []
  for (let taken = 0; turns.length < count && taken < count + RETAKEN_MAX; taken++) {
    const turn = await take()
    const isUsable = Object.values(turn).every(({ cores }: Measured) => cores >= CORES_MIN)
    if (isUsable) turns.push(turn)
    const place = isUsable ? `turn ${turns.length} of ${count}` : 'starved, taken again'
    tell(`${place}: ${describe(turn)}`)
  }
  if (turns.length === 0) throw new Error('others had this machine all the time')
  return turns
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
  const mix = { placements, users: USERS, addresses }
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
  const generators = Math.min(GENERATORS, load.connections)
  const windows = await Promise.all(
    Array.from({ length: generators }, (_, i) =>
      generate<Window>('wrk', [
        '-t1',
        `-c${(load.connections * nodes.length) / generators}`,
        `-d${load.seconds}s`,
        '-s',
        load.script,
        `http://127.0.0.1:${nodes[i % nodes.length]!.port}`,
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
    cores: (of.nodes * perSecond) / 1e6,
  }
}

const EXPIRY_SECONDS_MAX = 60

/** What a node that ends without a word keeps from the others, and for how long. */
async function strand(
  { database }: Market,
  { survivor, killed }: Record<'survivor' | 'killed', Running>,
) {
  const leased = await metricOf(killed, 'placard_budget_leased_micros')
  killed.kill()
  tell('one node is killed: waiting for its leases to expire')
  const startedMs = performance.now()
  const seconds = () => (performance.now() - startedMs) / 1_000
  const holders = async () => (await database.pool.query('select from lease_holders')).rowCount
  while ((await holders()) !== 1 && seconds() < EXPIRY_SECONDS_MAX) {
    await new Promise((resolve) => setTimeout(resolve, 500))
  }
  return {
    strandedMicros: await metricOf(survivor, 'placard_budget_stranded_micros'),
    strandedBeforeExpiryMicros: leased,
    strandedSeconds: rounded(seconds(), 0),
  }
}

async function metricOf({ port }: Running, name: string): Promise<number> {
  const text = await (await fetch(`http://127.0.0.1:${port}/metrics`)).text()
  return Number(new RegExp(`^${name} (\\S+)$`, 'm').exec(text)?.[1])
}

import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { cpuSecondsOfTree } from '../cpu.ts'
import { Dice } from '../engine/dice.ts'
import { median, rounded, say } from '../scratch.ts'
import { generate, type Running } from '../serve/processes.ts'
import { addressesByCountry, serveRequest, wrkScript } from '../serve/requests.ts'
import { type Market, openMarket, postmasterOf, startNode, startRedis } from './fleet.ts'

const ADS = 1_000
/** The same number for one process and for two: they share the other core with PostgreSQL and Redis. */
const GENERATORS = 2
/** Connections per process: a second process exists because there is more load. */
const CONNECTIONS = 32
/** As in `serve`: with fewer readers, each would ask several times per second and have hundreds of holds. */
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
  /** Cores that the nodes could use. */
  readonly cores: number
}

const CORES_MIN = 0.3
const RETAKEN_MAX = 3

/** Caps in the process against caps in Redis, and one node against two, in alternating windows. */
export async function measureDecisions(windows: Windows) {
  await using stack = new AsyncDisposableStack()
  say('starting two databases, Redis and three nodes')
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

  say('warming up')
  await measure([memory], alone)
  await measure([one, two], shared)
  const rounds = await measureRounds(windows.count, async () => ({
    memory: await measure([memory], alone),
    redis: await measure([one], shared),
    both: await measure([one, two], shared),
  }))
  say('one request at a time')
  const calm = await measure([one], shared, 1)
  const medianOf = (value: (round: Round) => number) => rounded(median(rounds.map(value)), 3)
  return {
    redisDecisionP50Ms: rounded(calm.p50Ms, 3),
    redisRatio: medianOf(({ memory, redis }) => redis.perSecond / memory.perSecond),
    redisCpuRatio: medianOf(({ memory, redis }) => memory.cpuMicros / redis.cpuMicros),
    twoProcessGain: medianOf(({ redis, both }) => redis.cpuMicros / both.cpuMicros),
    memoryPerSecond: medianOf(({ memory }) => memory.perSecond),
    // Input of a capacity model: one node with Redis, and its load on PostgreSQL and Redis.
    decisionCpuMicros: {
      api: medianOf(({ redis }) => redis.of.nodes),
      postgres: medianOf(({ redis }) => redis.of.postgres),
      redis: medianOf(({ redis }) => redis.of.redis),
    },
    ...(await strand(shared, { survivor: one, killed: two })),
  }
}

interface Round {
  readonly memory: Measured
  readonly redis: Measured
  readonly both: Measured
}

/** Repeats rounds in which other load used the machine, a limited number of times. */
async function measureRounds(count: number, take: () => Promise<Round>): Promise<readonly Round[]> {
  const rounds: Round[] = []
  for (let taken = 0; rounds.length < count && taken < count + RETAKEN_MAX; taken++) {
    const round = await take()
    const isUsable = Object.values(round).every(({ cores }: Measured) => cores >= CORES_MIN)
    if (isUsable) rounds.push(round)
    const place = isUsable ? `round ${rounds.length} of ${count}` : 'starved, repeated'
    say(`${place}: ${describe(round)}`)
  }
  if (rounds.length === 0) throw new Error('other load used this machine all the time')
  return rounds
}

const describe = (round: Round): string =>
  Object.entries(round)
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

/** Money that a killed node keeps from the others, and for how long. */
async function strand(
  { database }: Market,
  { survivor, killed }: Record<'survivor' | 'killed', Running>,
) {
  const leased = await metricOf(killed, 'placard_budget_leased_micros')
  killed.kill()
  say('one node is killed: waiting for its leases to expire')
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

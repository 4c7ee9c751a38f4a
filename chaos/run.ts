import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { readBooks, readStranded, type Span } from './books.ts'
import { CAP_MAX } from './catalogue.ts'
import {
  type Books,
  type ClientLog,
  countPlantedCaught,
  judge,
  listPassed,
  type NodesAtRest,
  type Verdict,
} from './checker.ts'
import { cause, faultsOf } from './faults.ts'
import { type ChaosOptions, HOLD_SECONDS, LEASE_SECONDS, startWorld, type World } from './world.ts'

export interface ChaosLine extends Verdict {
  readonly seed: number
  readonly nodes: number
  readonly kills: number
  readonly plantedCaught: number
  readonly unsettled: number
  /** 503 answers, while PostgreSQL is down and the spool is full. */
  readonly refused: number
  readonly resent: number
  readonly slowestKillPerSecond: number
  readonly decisions: number
  /** Impressions of capped ads, and those while no counter was available. */
  readonly cappedShowings: number
  readonly openShowings: number
}

const RECOVERY_SECONDS = 90
const TOLD_MAX = 10

/** Injects faults under load, then counts. */
export async function runChaos(options: ChaosOptions): Promise<ChaosLine> {
  const stack = new AsyncDisposableStack()
  try {
    const folder = await mkdtemp(path.join(tmpdir(), 'placard-chaos-'))
    stack.defer(() => rm(folder, { recursive: true, force: true, maxRetries: 5 }))
    const events = new Map<string, boolean>()
    const world = await startWorld(options, { folder, log: events, stack })
    const from = new Date()
    const startMs = performance.now()
    world.load.start()
    world.readers.start()
    const rates = await causeAll(world)
    await untilEnough(world, startMs)
    await recover(world)
    const { losses, outages, readers } = world
    const log = { events, showings: readers.showings, capMax: CAP_MAX, losses, outages }
    const books = await settledBooks(world, { from, to: new Date() }, log)
    for (const { showing, earlier } of listPassed(log).slice(0, TOLD_MAX)) {
      options.say(`cap passed: ${JSON.stringify(showing)} after ${JSON.stringify(earlier)}`)
    }
    return lineOf(world, { rates, log, books })
  } finally {
    await stack.disposeAsync()
  }
}

interface Found {
  readonly rates: readonly number[]
  readonly log: ClientLog
  readonly books: Books
}

const lineOf = ({ options, load, readers }: World, { rates, log, books }: Found): ChaosLine => ({
  seed: options.seed,
  nodes: options.nodes,
  kills: rates.length,
  ...judge(log, books),
  plantedCaught: countPlantedCaught(log, books),
  unsettled: books.unsettled,
  refused: load.refused,
  resent: load.resent,
  slowestKillPerSecond: Math.min(...rates),
  decisions: readers.requested,
  cappedShowings: log.showings.length,
  openShowings: log.showings.filter(({ isHeld }) => !isHeld).length,
})

/** Injects every kind of fault, in an order from the seed. Returns the rate of events at each. */
async function causeAll(world: World): Promise<number[]> {
  const { dice, options } = world
  const faults = faultsOf(world)
  const rates: number[] = []
  while (rates.length < options.kills) {
    const fault = faults[rates.length] ?? dice.pick(faults)
    const rate = await underLoad(world, dice.below(1_500))
    options.say(
      `${rates.length + 1}: ${fault}, at ${rate.toFixed(0)} events/s after ${performance.now().toFixed(0)} ms`,
    )
    rates.push(rate)
    await cause(world, fault)
    world.load.forgetRate()
  }
  return rates
}

/** Waits for the load and then for a random moment, at which the load must be high enough. */
async function underLoad({ load, options }: World, momentMs: number): Promise<number> {
  const until = performance.now() + RECOVERY_SECONDS * 1_000
  while (performance.now() < until) {
    if (load.ratePerSecond() >= options.underPerSecond) {
      await pause(momentMs)
      const rate = load.ratePerSecond()
      if (rate >= options.underPerSecond) return rate
    }
    await pause(50)
  }
  throw new Error(`no ${options.underPerSecond} events/s after ${RECOVERY_SECONDS} s`)
}

async function untilEnough({ load, options }: World, startMs: number): Promise<void> {
  const until = performance.now() + (options.seconds + RECOVERY_SECONDS) * 1_000
  const isEnough = () =>
    load.acknowledged() >= options.acknowledged &&
    performance.now() - startMs >= options.seconds * 1_000
  while (!isEnough() && performance.now() < until) await pause(200)
}

async function recover({ apis, workers, load, readers, lasting }: World): Promise<void> {
  await Promise.all(lasting)
  for (const node of [...apis, ...workers]) await node.untilReady()
  await readers.stop()
  await load.stop()
}

const SETTLE_SECONDS = 60

/** Waits until staged and spooled events are settled. Those still missing are lost. */
async function settledBooks(world: World, span: Span, log: ClientLog): Promise<Books> {
  const { postgres, redis, apis } = world
  const places = { databaseUrl: postgres.url, redisUrl: redis?.url }
  const until = performance.now() + SETTLE_SECONDS * 1_000
  for (let isSettled = false; !isSettled && performance.now() < until;) {
    await pause(500)
    const books = { ...(await readBooks(places, span)), atRest: REST }
    isSettled = books.unsettled === 0 && judge(log, books).lost === 0
  }
  const atRest = await untilAtRest(world)
  await Promise.all(apis.map((api) => api.stop()))
  return { ...(await readBooks(places, span)), atRest }
}

const REST: NodesAtRest = { reservations: 0, strandedMicros: 0 }
const REST_SECONDS = 10

/** Waits until holds have ended and the leases of a node that is killed now are returned. */
async function untilAtRest({ apis, postgres }: World): Promise<NodesAtRest> {
  const reservations = await untilZero(HOLD_SECONDS + REST_SECONDS, async () => {
    const open = await Promise.all(apis.map((api) => api.metric('placard_budget_reservations')))
    return open.reduce<number>((sum, count) => sum + (count ?? 1), 0)
  })
  apis[0]!.kill()
  await pause(LEASE_SECONDS * 1_000)
  const strandedMicros = await untilZero(REST_SECONDS, () => readStranded(postgres.url))
  return { reservations, strandedMicros }
}

/** Polls until the value is 0 or the time is over. Returns the last value. */
async function untilZero(seconds: number, look: () => Promise<number>): Promise<number> {
  const until = performance.now() + seconds * 1_000
  let value = await look()
  while (value !== 0 && performance.now() < until) {
    await pause(500)
    value = await look()
  }
  return value
}

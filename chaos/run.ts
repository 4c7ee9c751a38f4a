import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import pg from 'pg'
import { Dice } from '../bench/engine/dice.ts'
import { freePort } from '../apps/server/src/platform/database/embedded.ts'
import { systemChance } from '../apps/server/src/platform/chance.ts'
import { systemClock } from '../apps/server/src/platform/clock.ts'
import { idsFrom } from '../apps/server/src/platform/ids.ts'
import { readBooks, type Span } from './books.ts'
import { type Books, type ClientLog, countPlantedCaught, judge, type Verdict } from './checker.ts'
import { killNow, PlacardNode, Postgres } from './cluster.ts'
import { Load } from './load.ts'
import { addCatalogue, listCampaigns, Market } from './market.ts'

export interface ChaosOptions {
  readonly seed: number
  readonly kills: number
  readonly seconds: number
  readonly eventsPerSecond: number
  /** A kill waits until so many events a second are acknowledged. */
  readonly underPerSecond: number
  /** At least so many events in all. */
  readonly acknowledged: number
  say(text: string): void
}

export interface ChaosLine extends Verdict {
  readonly seed: number
  readonly kills: number
  readonly plantedCaught: number
  readonly unsettled: number
  /** Answers 503: while the database is away and the spool is full. */
  readonly refused: number
  readonly resent: number
  readonly slowestKillPerSecond: number
}

const KEYS = `1:${'chaos-'.repeat(8)}`
/** Holds a second or two of events: an outage fills it. */
const SPOOL_BYTES_MAX = 2_000_000
const CLOCK_OFFSET_MS_MAX = 300_000
const OUTAGE_MS_MAX = 4_000
const RECOVERY_SECONDS = 90

const SETTINGS = {
  PLACARD_MODE: 'production',
  LOG_LEVEL: 'silent',
  JWT_SECRET: 'a secret of the chaos, long enough to sign',
  USER_KEY_SECRET: 'a secret of the chaos, long enough to hide',
  ENCRYPTION_SECRET: 'a secret of the chaos, long enough to seal',
  TRACKING_KEYS: KEYS,
  SPOOL_BYTES_MAX: String(SPOOL_BYTES_MAX),
  BURST_EVENTS_PER_SECOND: '100000',
  BURST_EVENTS_MAX: '1000000',
}

interface World {
  readonly dice: Dice
  readonly postgres: Postgres
  readonly api: PlacardNode
  readonly worker: PlacardNode
  readonly load: Load
  readonly options: ChaosOptions
}

/** Kills and cuts under load; then counts. */
export async function runChaos(options: ChaosOptions): Promise<ChaosLine> {
  const stack = new AsyncDisposableStack()
  try {
    const folder = await mkdtemp(path.join(tmpdir(), 'placard-chaos-'))
    stack.defer(() => rm(folder, { recursive: true, force: true, maxRetries: 5 }))
    const log = new Map<string, boolean>()
    const world = await startWorld(options, { folder, log, stack })
    const from = new Date()
    world.load.start()
    const rates = await killAll(world)
    await untilEnough(world)
    await recover(world)
    const clientLog = { events: log, showings: new Map<string, number>(), capMax: 0 }
    const books = await settledBooks(world, { from, to: new Date() }, clientLog)

    return {
      seed: options.seed,
      kills: rates.length,
      ...judge(clientLog, books),
      plantedCaught: countPlantedCaught(clientLog, books),
      unsettled: books.unsettled,
      refused: world.load.refused,
      resent: world.load.resent,
      slowestKillPerSecond: Math.min(...rates),
    }
  } finally {
    await stack.disposeAsync()
  }
}

interface Scene {
  readonly folder: string
  readonly log: Map<string, boolean>
  readonly stack: AsyncDisposableStack
}

async function startWorld(options: ChaosOptions, { folder, log, stack }: Scene): Promise<World> {
  const dice = new Dice(options.seed)
  const postgres = await Postgres.start(path.join(folder, 'postgres'))
  stack.defer(() => postgres.stop())
  const settings = { ...SETTINGS, DATABASE_URL: postgres.url, PLACARD_HOME: folder }
  const clockOffsetMs = () => Math.round((dice.next() * 2 - 1) * CLOCK_OFFSET_MS_MAX)
  const { say } = options
  const node = async (role: 'api' | 'worker') =>
    new PlacardNode({ role, settings, port: await freePort(), clockOffsetMs, say })
  const api = await node('api')
  stack.defer(() => api.stop())
  await api.start()
  const worker = await node('worker')
  stack.defer(() => worker.stop())
  await worker.start()

  await addCatalogue(postgres.url)
  const clock = systemClock()
  const market = new Market({
    campaigns: await listCampaigns(postgres.url),
    trackingKeys: KEYS,
    seed: options.seed,
    ids: idsFrom({ clock, chance: systemChance }),
    now: () => clock.now(),
  })
  const { seed, eventsPerSecond } = options
  const load = new Load({ market, seed, eventsPerSecond, targets: [api.url], log })
  return { dice, postgres, api, worker, load, options }
}

type Victim = 'api' | 'worker' | 'postgres' | 'backend'
const VICTIMS: readonly Victim[] = ['api', 'backend', 'postgres', 'worker']

/** Returns the rate of events at each kill. Each kind comes up, the seed decides in which order. */
async function killAll(world: World): Promise<number[]> {
  const { dice, options } = world
  const rates: number[] = []
  while (rates.length < options.kills) {
    const isFirstRound = rates.length < VICTIMS.length
    const victim = isFirstRound ? VICTIMS[rates.length]! : dice.pick(VICTIMS)
    const rate = await underLoad(world, dice.below(1_500))
    options.say(
      `kill ${rates.length + 1}: ${victim}, at ${rate.toFixed(0)} events/s after ${performance.now().toFixed(0)} ms`,
    )
    rates.push(rate)
    await kill(world, victim)
    world.load.forgetRate()
  }
  return rates
}

async function kill(world: World, victim: Victim): Promise<void> {
  if (victim === 'api') world.api.kill()
  else if (victim === 'worker') world.worker.kill()
  else if (victim === 'backend') await killBackend(world.postgres.url)
  else {
    await world.postgres.kill()
    await pause(world.dice.below(OUTAGE_MS_MAX))
    await world.postgres.restart()
  }
}

/** One of the processes that settle events: PostgreSQL then ends all others and recovers. */
async function killBackend(url: string): Promise<void> {
  const client = new pg.Client({ connectionString: url })
  client.on('error', () => {})
  await client.connect()
  const { rows } = await client.query<{ pid: number }>(
    `select pid from pg_stat_activity where application_name = 'placard ingest'
      order by (state = 'active') desc limit 1`,
  )
  if (rows[0]) killNow(rows[0].pid)
  await client.end().catch(() => {})
}

/** Waits for the load, then for a moment that chance has chosen, at which the load must still be there. */
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

async function untilEnough({ load, options }: World): Promise<void> {
  const from = performance.now()
  while (load.acknowledged() < options.acknowledged) {
    if (performance.now() - from > (options.seconds + RECOVERY_SECONDS) * 1_000) return
    await pause(200)
  }
}

async function recover({ api, worker, load }: World): Promise<void> {
  await api.untilReady()
  await worker.untilReady()
  await load.stop()
}

const SETTLE_SECONDS = 60

/** What was noted or spooled is settled soon; what is still missing then is lost. */
async function settledBooks({ postgres, api }: World, span: Span, log: ClientLog): Promise<Books> {
  const until = performance.now() + SETTLE_SECONDS * 1_000
  for (let isSettled = false; !isSettled && performance.now() < until;) {
    await pause(500)
    const books = await readBooks(postgres.url, span)
    isSettled = books.unsettled === 0 && judge(log, books).lost === 0
  }
  await api.stop()
  return readBooks(postgres.url, span)
}

import { setTimeout as pause } from 'node:timers/promises'
import pg from 'pg'
import { killNow, type PlacardNode } from './cluster.ts'
import type { World } from './world.ts'

export type Fault =
  | 'kill api'
  | 'kill worker'
  | 'kill postgres'
  | 'kill backend'
  | 'kill redis'
  | 'pause api'
  | 'pause worker'
  | 'pause redis'

const ONE_NODE: readonly Fault[] = ['kill api', 'kill backend', 'kill postgres', 'kill worker']
const MANY_NODES: readonly Fault[] = [
  'kill api',
  'kill redis',
  'pause api',
  'kill worker',
  'kill backend',
  'pause worker',
  'pause redis',
  'kill postgres',
]

export const faultsOf = ({ redis }: World): readonly Fault[] => (redis ? MANY_NODES : ONE_NODE)

const OUTAGE_MS_MAX = 4_000
const PAUSE_MS = 10_000
const CONNECTS_MAX = 300
/** Redis writes its file every second, or later if the disk is slow. */
const UNWRITTEN_MS = 2_000

export async function cause(world: World, fault: Fault): Promise<void> {
  const { dice, apis, workers, redis, postgres } = world
  const one = (nodes: readonly PlacardNode[]) => {
    const awake = nodes.filter(({ isPaused }) => !isPaused)
    return dice.pick(awake.length > 0 ? awake : nodes)
  }
  if (fault === 'kill api') {
    // Without Redis, holds are counted in the process.
    if (!redis) world.losses.push({ fromMs: 0, toMs: performance.now() })
    one(apis).kill()
  } else if (fault === 'kill worker') one(workers).kill()
  else if (fault === 'kill backend') await killBackend(postgres.url)
  else if (fault === 'kill postgres') {
    await postgres.kill()
    await pause(dice.below(OUTAGE_MS_MAX))
    await postgres.restart()
  } else if (fault === 'pause api') last(world, one(apis).pause(PAUSE_MS))
  else if (fault === 'pause worker') last(world, one(workers).pause(PAUSE_MS))
  else await takeRedisAway(world, fault)
}

/** Other faults happen meanwhile. */
function last(world: World, fault: Promise<void>): void {
  world.lasting.add(fault)
  void fault.finally(() => world.lasting.delete(fault))
}

/** No caps are counted while Redis is down, and until every node has connected again. */
async function takeRedisAway(world: World, fault: 'kill redis' | 'pause redis'): Promise<void> {
  const { redis, dice, outages } = world
  const outage = { fromMs: performance.now(), toMs: Infinity }
  outages.push(outage)
  if (fault === 'kill redis') {
    const toMs = performance.now()
    world.losses.push({ fromMs: toMs - UNWRITTEN_MS, toMs })
    await redis!.kill()
    await pause(dice.below(OUTAGE_MS_MAX))
    await redis!.restart()
  } else {
    await redis!.pause(OUTAGE_MS_MAX)
  }
  const pauses = [...world.lasting]
  last(
    world,
    (async () => {
      await Promise.all(pauses)
      await pause(NOTICE_MS)
      await untilCounted(world)
      outage.toMs = performance.now()
    })(),
  )
}

/** Time in which a node must notice that its connection is lost. */
const NOTICE_MS = 2_000
const COUNTED_SECONDS_MAX = 30

/** A node that does not count by then is found by its impressions. */
async function untilCounted({ apis }: World): Promise<void> {
  const until = performance.now() + COUNTED_SECONDS_MAX * 1_000
  while (performance.now() < until) {
    const counted = await Promise.all(apis.map(isCounting))
    if (counted.every(Boolean)) return
    await pause(200)
  }
}

const isCounting = async (api: PlacardNode) =>
  (await api.metric('placard_frequency_enforced')) === 1

/** Kills a backend that settles events: PostgreSQL then ends all others and recovers. */
async function killBackend(url: string): Promise<void> {
  const client = await connectWithRetry(url)
  const { rows } = await client.query<{ pid: number }>(
    `select pid from pg_stat_activity where application_name = 'placard ingest'
      order by (state = 'active') desc limit 1`,
  )
  if (rows[0]) killNow(rows[0].pid)
  await client.end().catch(() => {})
}

/** PostgreSQL may still be recovering from the previous fault. */
async function connectWithRetry(url: string): Promise<pg.Client> {
  for (let tries = 0; ; tries++) {
    const client = new pg.Client({ connectionString: url })
    client.on('error', () => {})
    try {
      await client.connect()
      return client
    } catch (error) {
      if (tries === CONNECTS_MAX) throw error
      await pause(100)
    }
  }
}

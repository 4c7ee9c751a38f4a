import path from 'node:path'
import { Dice } from '../bench/engine/dice.ts'
import { systemRandom } from '../apps/server/src/platform/random.ts'
import { systemClock } from '../apps/server/src/platform/clock.ts'
import { freePort } from '../apps/server/src/platform/database/embedded.ts'
import { idsFrom } from '../apps/server/src/platform/ids.ts'
import { addCatalogue, listCampaigns } from './catalogue.ts'
import type { Span } from './checker.ts'
import { PlacardNode, Postgres, RedisServer, type Settings } from './cluster.ts'
import { Load } from './load.ts'
import { Market } from './market.ts'
import { Readers } from './readers.ts'

export interface ChaosOptions {
  readonly seed: number
  /** Number of api processes. With more than one, there are two workers and a Redis. */
  readonly nodes: number
  readonly kills: number
  /** Shortest duration of the load. */
  readonly seconds: number
  readonly eventsPerSecond: number
  readonly decisionsPerSecond: number
  /** Events per second that must be acknowledged before a kill. */
  readonly underPerSecond: number
  /** Smallest total number of events. */
  readonly acknowledged: number
  say(text: string): void
  /** What readers without a key may hold is bounded as in production. */
  readonly isBounded: boolean
}

export interface World {
  readonly options: ChaosOptions
  readonly dice: Dice
  readonly postgres: Postgres
  readonly redis: RedisServer | undefined
  readonly apis: readonly PlacardNode[]
  readonly workers: readonly PlacardNode[]
  readonly load: Load
  readonly readers: Readers
  /** What the checker must know about the faults. */
  readonly losses: Span[]
  readonly outages: Span[]
  /** Faults that last while other faults happen. */
  readonly lasting: Set<Promise<void>>
}

export interface Scene {
  readonly folder: string
  readonly log: Map<string, boolean>
  readonly stack: AsyncDisposableStack
}

export const HOLD_SECONDS = 45
/** Shorter than a pause, so that a paused node has lost its leases when it continues. */
export const LEASE_SECONDS = 8
/** Room for one or two seconds of events, so that an outage fills it. */
const SPOOL_BYTES_MAX = 2_000_000
const CLOCK_OFFSET_MS_MAX = 300_000
const KEYS = '1:a-secret-of-the-chaos-long-enough-to-seal'

const SETTINGS = {
  PLACARD_MODE: 'production',
  LOG_LEVEL: 'silent',
  METRICS_ACCESS: 'open',
  JWT_SECRET: 'a secret of the chaos, long enough to sign',
  USER_KEY_SECRET: 'a secret of the chaos, long enough to hide',
  ENCRYPTION_SECRET: 'a secret of the chaos, long enough to seal',
  TRACKING_KEYS: KEYS,
  SPOOL_BYTES_MAX: String(SPOOL_BYTES_MAX),
  // All readers come through one proxy. Limits per reader stay as they are.
  RATE_PER_ADDRESS: '1000000,10000000,1000000000,1000000000',
  BUDGET_LEASE_SECONDS: String(LEASE_SECONDS),
  RESERVATION_SECONDS: String(HOLD_SECONDS),
  // They send no key either: what they hold is held as long.
  RESERVATION_UNVOUCHED_SECONDS: String(HOLD_SECONDS),
  // This machine is busy: a slow Redis must not count as unavailable.
  REDIS_TIMEOUT_MS: '3000',
}

/** All readers have one address, so its bounds would leave most of them without an ad. */
const UNBOUNDED = {
  RESERVATIONS_PER_READER: '10000000',
  RESERVATION_PERCENT_PER_READER: '100',
  RESERVATION_PERCENT_UNVOUCHED: '100',
}

export async function startWorld(options: ChaosOptions, scene: Scene): Promise<World> {
  const { folder, stack } = scene
  const dice = new Dice(options.seed)
  const postgres = await Postgres.start(path.join(folder, 'postgres'))
  stack.defer(() => postgres.stop())
  const redis = options.nodes > 1 ? await RedisServer.start(path.join(folder, 'redis')) : undefined
  if (redis) stack.defer(() => redis.kill())
  const settings = {
    ...SETTINGS,
    ...(!options.isBounded && UNBOUNDED),
    DATABASE_URL: postgres.url,
    ...(redis && { REDIS_URL: redis.url }),
  }
  const start = startsNodes(options, { settings, dice, scene })
  // The first process creates the tables.
  const [first] = await start('api', 1)
  const [others, workers] = await Promise.all([
    start('api', options.nodes - 1, 1),
    start('worker', redis ? 2 : 1),
  ])
  await addCatalogue(postgres.url)
  const apis = [first!, ...others]
  return {
    options,
    dice,
    postgres,
    redis,
    apis,
    workers,
    ...(await loadOn({ options, postgres, apis, scene })),
    losses: [],
    outages: [],
    lasting: new Set(),
  }
}

interface Ground {
  readonly settings: Settings
  readonly dice: Dice
  readonly scene: Scene
}

/** Each node has a folder, and a new clock at each start. */
const startsNodes =
  ({ say }: ChaosOptions, { settings, dice, scene }: Ground) =>
  (role: 'api' | 'worker', count: number, from = 0): Promise<PlacardNode[]> =>
    Promise.all(
      Array.from({ length: count }, async (_, i) => {
        const name = `${role} ${from + i + 1}`
        const home = path.join(scene.folder, name.replace(' ', '-'))
        const node = new PlacardNode({
          name,
          role,
          settings: { ...settings, PLACARD_HOME: home },
          port: await freePort(),
          clockOffsetMs: () => Math.round((dice.next() * 2 - 1) * CLOCK_OFFSET_MS_MAX),
          say,
        })
        scene.stack.defer(() => node.stop())
        await node.start()
        return node
      }),
    )

async function loadOn({
  options,
  postgres,
  apis,
  scene,
}: Pick<World, 'options' | 'postgres' | 'apis'> & { readonly scene: Scene }) {
  const { seed, eventsPerSecond, decisionsPerSecond } = options
  const clock = systemClock()
  const market = new Market({
    campaigns: await listCampaigns(postgres.url),
    trackingKeys: KEYS,
    seed,
    ids: idsFrom({ clock, random: systemRandom }),
    now: () => clock.now(),
  })
  const targets = apis.map(({ url }) => url)
  const load: Load = new Load({
    market,
    seed,
    eventsPerSecond,
    targets,
    log: scene.log,
    acknowledged: (eventId) => readers.acknowledged(eventId),
  })
  const readers = new Readers({
    seed,
    decisionsPerSecond,
    targets,
    trackingKeys: KEYS,
    report: (event) => load.add(event),
  })
  return { load, readers }
}

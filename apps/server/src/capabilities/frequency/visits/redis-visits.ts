import { DAY_MS } from '@placard/calendar'
import DataLoader from 'dataloader'
import type { Clock } from '../../../platform/clock.ts'
import type { RedisConnection } from '../../../platform/redis/connect.ts'
import { type Attempt, inBatches, unguarded, USERS_PER_CALL } from '../redis/gathered.ts'
import { RESTORE_VISITS, SEE_VISITS } from './visit-scripts.ts'
import { dayOf, REMEMBERED_DAYS, type Visitor, type VisitRow, type Visits } from './visits.ts'

export interface RedisVisitsOptions {
  readonly redis: RedisConnection
  /** Must be the same on all nodes. */
  readonly clock: Clock
  /** Wraps the calls of decisions. Default: calls go straight to Redis. */
  readonly attempt?: Attempt
  /** Takes visits that the database should know. */
  note?(row: VisitRow): void
  /** Of one publisher. With more, those who were away longest are forgotten. */
  readonly readersMax?: number
}

export interface RedisVisits extends Visits {
  /** Loads the script of decisions into Redis. */
  prepare(): Promise<void>
}

const READERS_MAX = 1_000_000
/** A publisher's readers are spread over so many hashes, so that none is large and hot. */
const SHARDS = 64
const KEEP_MS = (REMEMBERED_DAYS + 2) * DAY_MS

type Argument = string | number

interface ScriptedRedis {
  visitsSee(keys: number, names: readonly string[], args: readonly Argument[]): Promise<string>
  visitsRestore(keys: 2, names: readonly string[], args: readonly Argument[]): Promise<number>
}

interface Seeing extends Visitor {
  readonly isDry: boolean
}

/**
 * Visits that many nodes share. Each publisher has hashes of its own, in two halves like the memory
 * of one process. Rejects while Redis is unavailable.
 */
export function createRedisVisits(options: RedisVisitsOptions): RedisVisits {
  const { redis, clock, note, attempt = unguarded, readersMax = READERS_MAX } = options
  redis.defineCommand('visitsSee', { lua: SEE_VISITS })
  redis.defineCommand('visitsRestore', { lua: RESTORE_VISITS })
  const scripts = redis as unknown as ScriptedRedis
  const halfMax = Math.max(1, Math.floor(readersMax / SHARDS / 2))
  const bounds = () => {
    const seconds = Math.floor(clock.now().getTime() / 1_000)
    return { seconds, args: [seconds, dayOf(seconds), halfMax, KEEP_MS] }
  }

  const seeAll = async (asked: readonly Seeing[]): Promise<readonly number[]> => {
    const { seconds, args } = bounds()
    const names = asked.flatMap(halvesOf)
    const each = asked.flatMap(({ userKey, isDry }) => [userKey, isDry ? 1 : 0])
    const answers = (await scripts.visitsSee(names.length, names, [...args, ...each])).split(',')
    return asked.map(({ userKey, publisherKey }, at) => {
      const [first, isNews] = answers[at]!.split(' ')
      const firstSeconds = Number(first)
      if (isNews === '1') note?.({ userKey, publisherKey, firstSeconds, seenDay: dayOf(seconds) })
      return firstSeconds * 1_000
    })
  }
  const sees = new DataLoader<Seeing, number | undefined>(
    (asked) =>
      attempt<number | undefined>(() => seeAll(asked), { answer: undefined, users: asked.length }),
    { cache: false, maxBatchSize: redis.isCluster ? 1 : USERS_PER_CALL },
  )
  return {
    see: ({ userKey, publisherKey }, isDry) => sees.load({ userKey, publisherKey, isDry }),
    async prepare() {
      await scripts.visitsSee(0, [], bounds().args)
    },
    async restore(rows) {
      const byShard = Map.groupBy(rows, (row) => shardOf(row))
      await inBatches([...byShard.values()], (own) => {
        const states = own.flatMap(({ userKey, firstSeconds, seenDay }) => [
          userKey,
          firstSeconds,
          seenDay,
        ])
        return scripts.visitsRestore(2, halvesOf(own[0]!), [halfMax, KEEP_MS, ...states])
      })
    },
    async forget(visitor) {
      await Promise.all(halvesOf(visitor).map((name) => redis.hdel(name, visitor.userKey)))
    },
  }
}

/** User keys are hashes, so their first character spreads them evenly. */
const shardOf = ({ userKey, publisherKey }: Visitor) =>
  `${publisherKey}.${userKey.charCodeAt(0) % SHARDS}`

/** The newer and the older half, on one node of a Cluster. */
function halvesOf(visitor: Visitor): readonly [string, string] {
  const shard = shardOf(visitor)
  return [`placard:visits:{${shard}}:newer`, `placard:visits:{${shard}}:older`]
}

import { DAY_MS, MINUTE_MS } from '@placard/calendar'
import type { CapScope, FrequencyWindow } from '@placard/decision-engine'
import DataLoader from 'dataloader'
import type { Random } from '../../../platform/random.ts'
import type { Clock } from '../../../platform/clock.ts'
import type { RedisConnection } from '../../../platform/redis/connect.ts'
import type {
  CapKey,
  CountedThing,
  Counters,
  Hold,
  SeenRow,
  UserCounts,
} from '../counters/counters.ts'
import { type Attempt, inBatches, unguarded, USERS_PER_CALL } from './gathered.ts'
import { FORGET, HOLD, PROLONG, READ, RESTORE } from './redis-scripts.ts'
import { fieldOf, SeenLine } from './seen-line.ts'
import { CurrentWindows, kindOf, stampOf } from '../counters/windows.ts'

export interface RedisCountersOptions {
  readonly redis: RedisConnection
  /** Must be the same on all nodes, or they would end a window at different moments. */
  readonly clock: Clock
  readonly random: Random
  /** Wraps the calls of decisions. Default: calls go straight to Redis. */
  readonly attempt?: Attempt
}

const KEEP_MS = 62 * DAY_MS
/** A user of whom only a hold is known is kept little longer than that: anybody can make users up. */
const HOLD_SLACK_MS = MINUTE_MS
const KEEP_LIFETIME_MS = 400 * DAY_MS
/** Maximum number of counts and holds of one user. */
const FIELDS_MAX = 1_000
/** 9 bytes: among a billion holds of one user, two are equal with a probability of 1 in 10,000. */
const MARK_BYTES = 9
const MARK_LENGTH = 12

type Argument = string | number

interface ScriptedRedis {
  capsRead(users: number, keys: readonly string[]): Promise<string>
  capsHold(users: number, keys: readonly string[], args: readonly Argument[]): Promise<string>
  capsProlong(users: 1, key: string, ...args: Argument[]): Promise<number>
  capsRestore(users: 1, key: string, ...args: Argument[]): Promise<number>
  capsForget(users: 1, key: string): Promise<number>
}

const SCRIPTS = {
  capsRead: READ,
  capsHold: HOLD,
  capsProlong: PROLONG,
  capsRestore: RESTORE,
  capsForget: FORGET,
}

/** Counts are unknown and nothing is held: the ad is served. */
const UNCOUNTED_HOLD: Hold = { id: 'uncounted' }
const UNCOUNTED: UserCounts = { seen: () => 0, hold: () => UNCOUNTED_HOLD }

export interface RedisCounters extends Counters {
  /**
   * Loads the scripts of decisions into Redis. Otherwise the first call, which carries the script,
   * takes twice as long.
   */
  prepare(): Promise<void>
}

/**
 * Counts that many nodes share: one round trip to read, one to hold. Rejects while Redis is
 * unavailable.
 */
export function createRedisCounters(options: RedisCountersOptions): RedisCounters {
  const { redis, clock } = options
  for (const [name, lua] of Object.entries(SCRIPTS)) redis.defineCommand(name, { lua })
  const scripts = redis as unknown as ScriptedRedis
  const windows = new CurrentWindows()
  const nowMs = () => {
    const ms = clock.now().getTime()
    windows.moveTo(ms)
    return ms
  }
  const calls = { ...options, scripts, nowMs, stamps: windows.stamps }
  const { read } = gatherCalls(calls)
  return {
    read,
    async prepare() {
      await Promise.all([scripts.capsRead(0, []), scripts.capsHold(0, [], [nowMs(), FIELDS_MAX])])
    },
    async prolong(holdIds, holdMs) {
      const now = nowMs()
      await inBatches(
        holdIds.flatMap((holdId) => placeOf(holdId) ?? []),
        ({ key, mark }) => scripts.capsProlong(1, key, now, KEEP_MS, mark, now + holdMs),
      )
    },
    async release(holdId) {
      const place = placeOf(holdId)
      if (place) await redis.hdel(place.key, `h${place.mark}`)
    },
    forget: (userKey) => scripts.capsForget(1, keyOf(userKey)),
    async restore(rows, ended = []) {
      const now = nowMs()
      const current = [...rows].filter(
        ({ window, atMs }) => stampOf(window, atMs) === stampOf(window, now),
      )
      const seenBy = Map.groupBy(current, ({ userKey }) => keyOf(userKey))
      const endedOf = Map.groupBy(
        ended.flatMap((holdId) => placeOf(holdId) ?? []),
        ({ key }) => key,
      )
      await inBatches([...new Set([...seenBy.keys(), ...endedOf.keys()])], (key) => {
        const seen = seenBy.get(key) ?? []
        const marks = (endedOf.get(key) ?? []).map(({ mark }) => mark)
        const args = [marks.length, ...marks, ...seen.flatMap(restored)]
        return scripts.capsRestore(1, key, now, ttlOf(seen), ...args)
      })
    },
  }
}

interface RedisCalls extends RedisCountersOptions {
  readonly scripts: ScriptedRedis
  readonly stamps: Int32Array
  nowMs(): number
}

interface HoldRequest {
  readonly userKey: string
  readonly caps: readonly CapKey[]
  readonly holdMs: number
}

/**
 * Gathers the calls of one event-loop tick into one command with one answer. In a Cluster each user
 * is a call of its own, because users are on different nodes.
 */
function gatherCalls(calls: RedisCalls) {
  const { attempt = unguarded, redis, scripts, stamps, nowMs } = calls
  const options = { cache: false, maxBatchSize: redis.isCluster ? 1 : USERS_PER_CALL }

  const readAll = async (userKeys: readonly string[]): Promise<readonly UserCounts[]> => {
    const lines = (await scripts.capsRead(userKeys.length, userKeys.map(keyOf))).split('\n')
    const moment = { nowMs: nowMs(), stamps }
    return userKeys.map(
      (userKey, i) => new SeenByUser(userKey, new SeenLine(lines[i]!, moment), hold),
    )
  }
  const reads = new DataLoader<string, UserCounts>(
    (userKeys) => attempt(() => readAll(userKeys), { answer: UNCOUNTED, users: userKeys.length }),
    options,
  )
  const holds = new DataLoader<HoldRequest, Hold | undefined>(
    (requests) =>
      attempt(() => holdAll(calls, requests), { answer: UNCOUNTED_HOLD, users: requests.length }),
    options,
  )
  const hold = (request: HoldRequest) => holds.load(request)
  return { read: (userKey: string) => reads.load(userKey) }
}

async function holdAll(
  { scripts, stamps, random, nowMs }: RedisCalls,
  requests: readonly HoldRequest[],
): Promise<readonly (Hold | undefined)[]> {
  const now = nowMs()
  const marks = Buffer.from(random.bytes(MARK_BYTES * requests.length)).toString('base64url')
  const markOf = (i: number) => marks.slice(MARK_LENGTH * i, MARK_LENGTH * (i + 1))
  const args: Argument[] = [now, FIELDS_MAX]
  for (const [i, { caps, holdMs }] of requests.entries()) {
    args.push(holdMs + HOLD_SLACK_MS, now + holdMs, markOf(i), caps.length)
    for (const { scope, key, window, impressionsMax } of caps) {
      const kind = kindOf(scope, window)
      args.push(fieldOf(kind, key), stamps[kind]!, impressionsMax)
    }
  }
  const keys = requests.map(({ userKey }) => keyOf(userKey))
  const answers = await scripts.capsHold(requests.length, keys, args)
  return requests.map(({ userKey }, i) =>
    answers[i] === '1' ? { id: `${userKey}~${markOf(i)}` } : undefined,
  )
}

const keyOf = (userKey: string) => `placard:caps:{${userKey}}`

const restored = ({ scope, key, window, atMs, impressions }: SeenRow) => [
  fieldOf(kindOf(scope, window), key),
  stampOf(window, atMs),
  impressions,
]

const ttlOf = (things: readonly CountedThing[]) =>
  things.some(({ window }) => window === 'Lifetime') ? KEEP_LIFETIME_MS : KEEP_MS

/** A hold id names its user, so that the hold can be found by its id. */
function placeOf(holdId: string) {
  const at = holdId.lastIndexOf('~')
  return at === -1 ? undefined : { key: keyOf(holdId.slice(0, at)), mark: holdId.slice(at + 1) }
}

class SeenByUser implements UserCounts {
  private readonly userKey: string
  private readonly line: SeenLine
  private readonly holdOne: (request: HoldRequest) => Promise<Hold | undefined>

  constructor(userKey: string, line: SeenLine, hold: SeenByUser['holdOne']) {
    this.userKey = userKey
    this.line = line
    this.holdOne = hold
  }

  seen(scope: CapScope, key: number, window: FrequencyWindow): number {
    return this.line.seen(scope, key, window)
  }

  hold(caps: readonly CapKey[], holdMs: number): Hold | Promise<Hold | undefined> {
    if (caps.length === 0) return UNCOUNTED_HOLD
    return this.holdOne({ userKey: this.userKey, caps, holdMs })
  }
}

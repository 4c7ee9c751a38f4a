import type { CapScope, FrequencyWindow } from '@placard/decision-engine'
import type { Chance } from '../../platform/chance.ts'
import type { Clock } from '../../platform/clock.ts'
import type { RedisConnection } from '../../platform/redis/connect.ts'
import type { CapKey, CountedThing, Counters, Hold, SeenRow, UserCounts } from './counters.ts'
import { FORGET, HOLD, PROLONG, RESTORE } from './redis-scripts.ts'
import { CurrentWindows, kindOf, stampOf } from './windows.ts'

export interface RedisCountersOptions {
  readonly redis: RedisConnection
  /** The same for all nodes, or they would end a window at different moments. */
  readonly clock: Clock
  readonly chance: Chance
}

const DAY_MS = 86_400_000
const KEEP_MS = 62 * DAY_MS
const KEEP_LIFETIME_MS = 400 * DAY_MS
/** Counts and holds of one user. */
const FIELDS_MAX = 1_000
const PIPELINE_MAX = 500

interface ScriptedRedis {
  capsHold(key: string, ...args: (string | number)[]): Promise<number>
  capsProlong(key: string, ...args: (string | number)[]): Promise<number>
  capsRestore(key: string, ...args: (string | number)[]): Promise<number>
  capsForget(key: string): Promise<number>
}

const SCRIPTS = {
  capsHold: HOLD,
  capsProlong: PROLONG,
  capsRestore: RESTORE,
  capsForget: FORGET,
}

/** Counts that many nodes share: a round trip to read, and one to hold. Rejects when Redis is away. */
export function createRedisCounters({ redis, clock, chance }: RedisCountersOptions): Counters {
  for (const [name, lua] of Object.entries(SCRIPTS)) {
    redis.defineCommand(name, { numberOfKeys: 1, lua })
  }
  const scripts = redis as unknown as ScriptedRedis
  const windows = new CurrentWindows()
  const nowMs = () => {
    const ms = clock.now().getTime()
    windows.moveTo(ms)
    return ms
  }
  const stampNow = (kind: number) => windows.stamps[kind]!

  const hold = async (userKey: string, caps: readonly CapKey[], holdMs: number) => {
    const mark = Buffer.from(chance.bytes(9)).toString('base64url')
    const id = `${userKey}~${mark}`
    if (caps.length === 0) return { id }
    const now = nowMs()
    const args = caps.flatMap((cap) => {
      const kind = kindOf(cap.scope, cap.window)
      return [fieldOf(kind, cap.key), stampNow(kind), cap.impressionsMax]
    })
    const bounds = [now, ttlOf(caps), now + holdMs, mark, FIELDS_MAX]
    return (await scripts.capsHold(keyOf(userKey), ...bounds, ...args)) === 1 ? { id } : undefined
  }
  return {
    async read(userKey) {
      const fields = await redis.hgetall(keyOf(userKey))
      const now = nowMs()
      return new SeenByUser(fields, {
        now,
        stampNow,
        hold: (caps, holdMs) => hold(userKey, caps, holdMs),
      })
    },
    async prolong(holdIds, holdMs) {
      const now = nowMs()
      await inTurns(
        holdIds.flatMap((holdId) => placeOf(holdId) ?? []),
        ({ key, mark }) => scripts.capsProlong(key, now, KEEP_MS, mark, now + holdMs),
      )
    },
    async release(holdId) {
      const place = placeOf(holdId)
      if (place) await redis.hdel(place.key, `h${place.mark}`)
    },
    forget: (userKey) => scripts.capsForget(keyOf(userKey)),
    async restore(rows) {
      const now = nowMs()
      const current = [...rows].filter(
        ({ window, atMs }) => stampOf(window, atMs) === stampOf(window, now),
      )
      await inTurns([...Map.groupBy(current, ({ userKey }) => userKey)], ([userKey, seen]) =>
        scripts.capsRestore(keyOf(userKey), now, ttlOf(seen), ...seen.flatMap(restored)),
      )
    },
  }
}

/** Some at a time, so that a refill does not fill the memory with promises. */
async function inTurns<Item>(
  items: readonly Item[],
  work: (item: Item) => Promise<unknown>,
): Promise<void> {
  for (let from = 0; from < items.length; from += PIPELINE_MAX) {
    await Promise.all(items.slice(from, from + PIPELINE_MAX).map(work))
  }
}

const keyOf = (userKey: string) => `placard:caps:{${userKey}}`
const fieldOf = (kind: number, key: number) => `c${kind}.${key}`

const restored = ({ scope, key, window, atMs, impressions }: SeenRow) => [
  fieldOf(kindOf(scope, window), key),
  stampOf(window, atMs),
  impressions,
]

const ttlOf = (things: readonly CountedThing[]) =>
  things.some(({ window }) => window === 'Lifetime') ? KEEP_LIFETIME_MS : KEEP_MS

/** A hold names its user, so that whoever ends it finds it. */
function placeOf(holdId: string) {
  const at = holdId.lastIndexOf('~')
  return at === -1 ? undefined : { key: keyOf(holdId.slice(0, at)), mark: holdId.slice(at + 1) }
}

interface Moment {
  readonly now: number
  stampNow(kind: number): number
  hold(caps: readonly CapKey[], holdMs: number): Promise<Hold | undefined>
}

class SeenByUser implements UserCounts {
  private readonly fields: Readonly<Record<string, string>>
  private readonly moment: Moment
  private heldFields: Map<string, number> | undefined

  constructor(fields: Readonly<Record<string, string>>, moment: Moment) {
    this.fields = fields
    this.moment = moment
  }

  seen(scope: CapScope, key: number, window: FrequencyWindow): number {
    const kind = kindOf(scope, window)
    const field = fieldOf(kind, key)
    const [stamp, impressions] = this.fields[field]?.split(' ') ?? []
    const isCurrent = stamp !== undefined && Number(stamp) >= this.moment.stampNow(kind)
    this.heldFields ??= this.countHeld()
    return (isCurrent ? Number(impressions) : 0) + (this.heldFields.get(field) ?? 0)
  }

  hold(caps: readonly CapKey[], holdMs: number): Promise<Hold | undefined> {
    return this.moment.hold(caps, holdMs)
  }

  private countHeld(): Map<string, number> {
    const held = new Map<string, number>()
    for (const [name, value] of Object.entries(this.fields)) {
      if (!name.startsWith('h')) continue
      const [end, ...fields] = value.split(' ')
      if (Number(end) <= this.moment.now) continue
      for (const field of fields) held.set(field, (held.get(field) ?? 0) + 1)
    }
    return held
  }
}

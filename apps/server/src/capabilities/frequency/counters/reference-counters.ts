import { DAY_MS } from '@placard/calendar'
import type { FrequencyWindow } from '@placard/decision-engine'
import type { Clock } from '../../../platform/clock.ts'
import type { CapKey, CountedThing, Counters, Hold, SeenRow, UserCounts } from './counters.ts'

interface Impression {
  readonly userKey: string
  readonly thing: CountedThing
  readonly atMs: number
}

interface OpenHold extends Hold {
  readonly userKey: string
  readonly things: readonly CountedThing[]
  readonly endsAtMs: number
}

/**
 * The rules of counting, slow and plain: a list of impressions and a list of holds, filtered for
 * each question. Tests compare every adapter with it.
 */
export class ReferenceCounters implements Counters {
  private readonly clock: Clock
  private impressions: Impression[] = []
  private holds: OpenHold[] = []
  private made = 0

  constructor(clock: Clock) {
    this.clock = clock
  }

  read(userKey: string): UserCounts {
    return {
      seen: (scope, key, window) => this.seen(userKey, { scope, key, window }),
      hold: (caps, holdMs) => this.hold(userKey, caps, holdMs),
    }
  }

  prolong(holdIds: readonly string[], holdMs: number): void {
    const endsAtMs = this.nowMs() + holdMs
    this.holds = this.openHolds().map((hold) =>
      holdIds.includes(hold.id) ? { ...hold, endsAtMs } : hold,
    )
  }

  release(holdId: string): void {
    this.holds = this.holds.filter(({ id }) => id !== holdId)
  }

  forget(userKey: string): number {
    const known = this.impressions.filter((impression) => impression.userKey === userKey)
    this.impressions = this.impressions.filter((impression) => impression.userKey !== userKey)
    this.holds = this.holds.filter((hold) => hold.userKey !== userKey)
    return distinct(known.map(({ thing }) => thing)).length
  }

  /** Raises the count to the row's, if its window is not over. */
  restore(rows: Iterable<SeenRow>): void {
    for (const { userKey, impressions, atMs, ...thing } of rows) {
      if (periodOf(thing.window, atMs) !== periodOf(thing.window, this.nowMs())) continue
      const missing = Math.max(0, impressions - this.counted(userKey, thing))
      for (let i = 0; i < missing; i++) this.impressions.push({ userKey, thing, atMs })
    }
  }

  private hold(userKey: string, caps: readonly CapKey[], holdMs: number): Hold | undefined {
    const isFull = caps.some((cap) => this.seen(userKey, cap) >= cap.impressionsMax)
    if (isFull) return undefined
    const id = String(this.made++)
    this.holds.push({ id, userKey, things: distinct(caps), endsAtMs: this.nowMs() + holdMs })
    return { id }
  }

  private seen(userKey: string, thing: CountedThing): number {
    const holds = this.openHolds().filter(
      (hold) => hold.userKey === userKey && hold.things.some((held) => isSame(held, thing)),
    )
    return this.counted(userKey, thing) + holds.length
  }

  private counted(userKey: string, thing: CountedThing): number {
    const now = periodOf(thing.window, this.nowMs())
    return this.impressions.filter(
      (impression) =>
        impression.userKey === userKey &&
        isSame(impression.thing, thing) &&
        periodOf(thing.window, impression.atMs) === now,
    ).length
  }

  private openHolds(): OpenHold[] {
    return this.holds.filter(({ endsAtMs }) => endsAtMs > this.nowMs())
  }

  private nowMs(): number {
    return this.clock.now().getTime()
  }
}

const isSame = (a: CountedThing, b: CountedThing): boolean =>
  a.scope === b.scope && a.key === b.key && a.window === b.window

const distinct = (things: readonly CountedThing[]): readonly CountedThing[] =>
  things.filter((thing, at) => things.findIndex((other) => isSame(thing, other)) === at)

/** The name of the hour, day, week (by its Monday) or month. */
function periodOf(window: FrequencyWindow, ms: number): string {
  const instant = new Date(ms)
  if (window === 'Lifetime') return 'always'
  if (window === 'Month') return instant.toISOString().slice(0, 7)
  if (window === 'Day') return instant.toISOString().slice(0, 10)
  if (window === 'Hour') return instant.toISOString().slice(0, 13)
  const sinceMonday = (instant.getUTCDay() + 6) % 7
  return new Date(ms - sinceMonday * DAY_MS).toISOString().slice(0, 10)
}

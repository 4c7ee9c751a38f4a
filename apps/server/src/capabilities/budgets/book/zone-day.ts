import { localDay, type ZoneClock, ZoneClocks } from '@placard/calendar'
import { type DayProgress } from '@placard/decision-engine'

/**
 * Today's budget day in one zone, computed once a day. Clock changes make it 23 or 25 hours long.
 */
export class ZoneDay {
  /** Days since 1970-01-01 on the zone's calendar. */
  day = 0
  private readonly clock: ZoneClock
  private startMs = Infinity
  private endMs = -Infinity
  private readonly now = { elapsedSeconds: 0, lengthSeconds: 0 }

  constructor(clock: ZoneClock) {
    this.clock = clock
  }

  moveTo(nowMs: number): void {
    if (nowMs >= this.startMs && nowMs < this.endMs) return
    const { day, startMs, endMs } = localDay(this.clock, nowMs)
    this.day = day
    this.startMs = startMs
    this.endMs = endMs
  }

  endsWithin(ms: number, nowMs: number): boolean {
    return this.endMs - nowMs <= ms
  }

  /** Returns the same object each time, because every candidate reads it. */
  progressAt(nowMs: number): DayProgress {
    this.now.elapsedSeconds = (nowMs - this.startMs) / 1000
    this.now.lengthSeconds = (this.endMs - this.startMs) / 1000
    return this.now
  }
}

/** One day per zone name, shared by all advertisers of the zone. */
export class ZoneDays {
  private readonly clocks = new ZoneClocks()
  private readonly days = new Map<string, ZoneDay>()

  find(timeZone: string): ZoneDay | undefined {
    const known = this.days.get(timeZone)
    if (known !== undefined) return known
    const clock = this.clocks.find(timeZone)
    if (clock === undefined) return undefined
    const day = new ZoneDay(clock)
    this.days.set(timeZone, day)
    return day
  }
}

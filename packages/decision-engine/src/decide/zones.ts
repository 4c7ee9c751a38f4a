const MINUTE_MS = 60_000
const DAY_MS = 86_400_000
const PROBE_DAYS = 7
const PROBES_MAX = 9

/**
 * A zone's offset from UTC, remembered until the next clock change: asking Intl costs microseconds,
 * which a candidate cannot afford. Moving back in time (a replay) asks again.
 */
export class ZoneClock {
  readonly name: string
  private offsetMs = 0
  private fromMs = Infinity
  private untilMs = -Infinity
  private readonly format: Intl.DateTimeFormat

  constructor(name: string) {
    this.name = name
    this.format = new Intl.DateTimeFormat('en-US', {
      timeZone: name,
      hourCycle: 'h23',
      year: 'numeric',
      month: 'numeric',
      day: 'numeric',
      hour: 'numeric',
      minute: 'numeric',
      second: 'numeric',
    })
  }

  /** Milliseconds since 1970 on the zone's own clocks: divide by a day for the local date. */
  localMs(nowMs: number): number {
    if (nowMs < this.fromMs || nowMs >= this.untilMs) this.remember(nowMs)
    return nowMs + this.offsetMs
  }

  private remember(nowMs: number): void {
    this.offsetMs = this.offsetAt(nowMs)
    this.fromMs = nowMs
    this.untilMs = this.nextChange(nowMs)
  }

  private nextChange(nowMs: number): number {
    let before = nowMs
    for (let probe = 0; probe < PROBES_MAX; probe++) {
      const after = before + PROBE_DAYS * DAY_MS
      if (this.offsetAt(after) !== this.offsetMs) return this.changeBetween(before, after)
      before = after
    }
    return before
  }

  /** Clock changes happen on whole minutes. */
  private changeBetween(beforeMs: number, afterMs: number): number {
    let low = Math.floor(beforeMs / MINUTE_MS)
    let high = Math.ceil(afterMs / MINUTE_MS)
    while (high - low > 1) {
      const middle = Math.floor((low + high) / 2)
      if (this.offsetAt(middle * MINUTE_MS) === this.offsetMs) low = middle
      else high = middle
    }
    return high * MINUTE_MS
  }

  private offsetAt(ms: number): number {
    const second = Math.floor(ms / 1000) * 1000
    const parts = new Map(this.format.formatToParts(second).map(({ type, value }) => [type, value]))
    const part = (type: Intl.DateTimeFormatPartTypes) => Number(parts.get(type))
    const local = Date.UTC(
      part('year'),
      part('month') - 1,
      part('day'),
      part('hour'),
      part('minute'),
      part('second'),
    )
    return local - second
  }
}

/** One clock per zone name. An unknown zone gives undefined. */
export class ZoneClocks {
  private readonly clocks = new Map<string, ZoneClock>()

  find(name: string): ZoneClock | undefined {
    const known = this.clocks.get(name)
    if (known !== undefined) return known
    try {
      const clock = new ZoneClock(name)
      this.clocks.set(name, clock)
      return clock
    } catch (error) {
      if (error instanceof RangeError) return undefined
      throw error
    }
  }
}

export interface LocalTime {
  /** Days since 1970-01-01 on the zone's calendar. */
  readonly day: number
  readonly secondOfDay: number
  readonly hour: number
  /** 0 is Sunday. */
  readonly weekday: number
}

export function localTime(clock: ZoneClock, nowMs: number): LocalTime {
  const local = clock.localMs(nowMs)
  const day = Math.floor(local / DAY_MS)
  const secondOfDay = Math.floor((local - day * DAY_MS) / 1000)
  return { day, secondOfDay, hour: Math.floor(secondOfDay / 3600), weekday: weekdayOf(day) }
}

/** 1970-01-01 was a Thursday. */
export const weekdayOf = (day: number): number => (((day + 4) % 7) + 7) % 7

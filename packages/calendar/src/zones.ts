import { DAY_MS, HOUR_MS, MINUTE_MS, utcDayOf, weekdayOf } from './days.ts'

const PROBE_DAYS = 7
const PROBES_MAX = 9

/**
 * A zone's offset from UTC, cached until the next clock change: an `Intl` call takes microseconds, too
 * slow for every candidate of a decision. A clock that goes back, as in a replay, looks the offset up again.
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
    if (nowMs < this.fromMs || nowMs >= this.untilMs) this.lookUp(nowMs)
    return nowMs + this.offsetMs
  }

  private lookUp(nowMs: number): void {
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

/** One clock per zone name. */
export class ZoneClocks {
  private readonly clocks = new Map<string, ZoneClock>()

  /** Undefined for a zone that does not exist. */
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

export interface LocalDay {
  /** Days since 1970-01-01 on the zone's calendar. */
  readonly day: number
  readonly startMs: number
  readonly endMs: number
}

/** The calendar day of a zone around an instant. Calls `Intl` a few times: keep it for the day. */
export function localDay(clock: ZoneClock, nowMs: number): LocalDay {
  const day = utcDayOf(clock.localMs(nowMs))
  const startMs = startOfDay(clock, day, nowMs)
  return { day, startMs, endMs: startOfDay(clock, day + 1, nowMs) }
}

/**
 * The first instant of a local day. Where the clocks skip midnight the day begins after the jump;
 * where midnight comes twice it begins with the first.
 */
function startOfDay(clock: ZoneClock, day: number, nearMs: number): number {
  const midnight = day * DAY_MS
  const guess = midnight - (clock.localMs(nearMs) - nearMs)
  const start = guess - (clock.localMs(guess) - midnight)
  const earlier = start - HOUR_MS
  return utcDayOf(clock.localMs(earlier)) === day ? earlier : start
}

const zones = new ZoneClocks()

/** The same for a zone by name. Throws a RangeError when there is no such zone. */
export function localDayIn(timeZone: string, atMs: number): LocalDay {
  const clock = zones.find(timeZone)
  if (!clock) throw new RangeError(`"${timeZone}" is not a time zone`)
  return localDay(clock, atMs)
}

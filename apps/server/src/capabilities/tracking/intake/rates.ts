import { DAY_MS, HOUR_MS, MINUTE_MS } from '@placard/calendar'
import { LRUCache } from 'lru-cache'

/** Maximum number of events of one kind within 10 s, a minute, an hour and a day. */
export type Limits = readonly [tenSeconds: number, minute: number, hour: number, day: number]

const WINDOWS_MS = [10_000, MINUTE_MS, HOUR_MS, DAY_MS] as const
const WINDOW_COUNT = WINDOWS_MS.length

/** Per window: its number, its count, and the count of the window before it. */
type Counts = Float64Array

/** In a typed array, so that 50,000 senders take about 10 MB. */
const FIELDS = 3
const SENDERS_MAX = 50_000

/**
 * Counts events per sender in sliding windows: the previous window counts with the part that is
 * less than one window length ago. Memory is bounded; the sender that was quiet longest is dropped
 * first.
 */
export class Rates {
  private readonly senders: LRUCache<string, Counts>

  constructor(sendersMax = SENDERS_MAX) {
    this.senders = new LRUCache({ max: sendersMax })
  }

  /** Adds an event. Returns true if any window's limit is exceeded; excess events count too. */
  isTooMany(sender: string, limits: Limits, nowMs: number): boolean {
    let counts = this.senders.get(sender)
    if (counts === undefined) {
      counts = new Float64Array(WINDOW_COUNT * FIELDS)
      this.senders.set(sender, counts)
    }
    let isOver = false
    for (let window = 0; window < WINDOW_COUNT; window++) {
      if (add(counts, window, nowMs) > limits[window]!) isOver = true
    }
    return isOver
  }
}

/** Returns the number of events within the last window length. */
function add(counts: Counts, window: number, nowMs: number): number {
  const lengthMs = WINDOWS_MS[window]!
  const at = window * FIELDS
  const number = Math.floor(nowMs / lengthMs)
  const passed = number - counts[at]!
  if (passed !== 0) {
    counts[at + 2] = passed === 1 ? counts[at + 1]! : 0
    counts[at + 1] = 0
    counts[at] = number
  }
  counts[at + 1]!++
  const share = 1 - (nowMs % lengthMs) / lengthMs
  return counts[at + 1]! + Math.floor(counts[at + 2]! * share)
}

/** Four numbers separated by commas, as in a setting. */
export const parseLimits = (text: string): Limits => {
  const [tenSeconds = 0, minute = 0, hour = 0, day = 0] = text.split(',').map(Number)
  return [tenSeconds, minute, hour, day]
}

/** A film that is played to its end tells of so many steps. */
const STEPS = 12

/** One showing of a film sends many events. */
export const stepsOf = (limits: Limits): Limits => {
  const [tenSeconds, minute, hour, day] = limits
  return [tenSeconds * STEPS, minute * STEPS, hour * STEPS, day * STEPS]
}

const CLICK_SHARE = 0.2
const CLICKS_MIN = 3

const few = (count: number) => Math.max(CLICKS_MIN, Math.floor(count * CLICK_SHARE))

/** People click less than they see. */
export const clicksOf = (limits: Limits): Limits => {
  const [tenSeconds, minute, hour, day] = limits
  return [few(tenSeconds), few(minute), few(hour), few(day)]
}

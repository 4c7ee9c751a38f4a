import { DAY_MS, HOUR_MS, MINUTE_MS } from '@placard/calendar'
import { LRUCache } from 'lru-cache'

/** How many events of a kind may come within 10 s, a minute, an hour and a day. */
export type Limits = readonly [tenSeconds: number, minute: number, hour: number, day: number]

const WINDOWS_MS = [10_000, MINUTE_MS, HOUR_MS, DAY_MS] as const
const WINDOW_COUNT = WINDOWS_MS.length

/** For each window: its number, how many came in it, and how many in the one before it. */
type Counts = Float64Array

/** Numbers, so that 50,000 senders take about 10 MB. */
const FIELDS = 3
const SENDERS_MAX = 50_000

/**
 * Counts what comes from each sender. A window slides: of the one before it, the part counts that is
 * less than a window ago. Memory is bounded; the sender that was quiet longest is forgotten first.
 */
export class Rates {
  private readonly senders: LRUCache<string, Counts>

  constructor(sendersMax = SENDERS_MAX) {
    this.senders = new LRUCache({ max: sendersMax })
  }

  /** Adds one event; true if it is more than any of the windows allows. What is too much counts too. */
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

/** Returns how many came within the last length of this window. */
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

/** Four numbers with commas, as a setting has them. */
export const parseLimits = (text: string): Limits => {
  const [tenSeconds = 0, minute = 0, hour = 0, day = 0] = text.split(',').map(Number)
  return [tenSeconds, minute, hour, day]
}

const CLICK_SHARE = 0.2
const CLICKS_MIN = 3

const few = (count: number) => Math.max(CLICKS_MIN, Math.floor(count * CLICK_SHARE))

/** People click less than they see. */
export const clicksOf = (limits: Limits): Limits => {
  const [tenSeconds, minute, hour, day] = limits
  return [few(tenSeconds), few(minute), few(hour), few(day)]
}

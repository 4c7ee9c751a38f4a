import { LRUCache } from 'lru-cache'
import { type Limits, WINDOWS_MS } from './limits.ts'

/** Counts events per sender in sliding windows. */
export interface Rates {
  /** Adds an event. Returns true if any window's limit is exceeded; excess events count too. */
  isTooMany(sender: string, limits: Limits, nowMs: number): boolean
}

/** Events of one window and of the window before it. */
export interface WindowCount {
  /** Which window: the instant divided by its length. */
  readonly number: number
  /** Of this node. */
  readonly own: number
  /** The part of them that other nodes know. */
  readonly shared: number
}

/** What other nodes counted. */
export interface OthersCount {
  readonly number: number
  readonly events: number
  readonly eventsBefore: number
}

/** Per window: the fields below, in a typed array, so that 50,000 senders take about 15 MB. */
type Counts = Float64Array

const NUMBER = 0
const OWN = 1
const OWN_BEFORE = 2
const SHARED = 3
const SHARED_BEFORE = 4
const OTHERS = 5
const OTHERS_BEFORE = 6
const FIELDS = 7

const SENDERS_MAX = 50_000

interface MemoryOptions {
  readonly sendersMax?: number
  /** Called after each event. */
  onEvent?(sender: string, limits: Limits): void
}

/**
 * Rates in the memory of one process. The previous window counts with the part that is less than one
 * window length ago. Memory is bounded; the sender that was quiet longest is dropped first.
 */
export class MemoryRates implements Rates {
  private readonly senders: LRUCache<string, Counts>
  private readonly onEvent: MemoryOptions['onEvent']

  constructor({ sendersMax = SENDERS_MAX, onEvent }: MemoryOptions = {}) {
    this.senders = new LRUCache({ max: sendersMax })
    this.onEvent = onEvent
  }

  isTooMany(sender: string, limits: Limits, nowMs: number): boolean {
    let counts = this.senders.get(sender)
    if (counts === undefined) {
      counts = new Float64Array(WINDOWS_MS.length * FIELDS)
      this.senders.set(sender, counts)
    }
    let isOver = false
    for (let window = 0; window < WINDOWS_MS.length; window++) {
      if (add(counts, window, nowMs) > limits[window]!) isOver = true
    }
    this.onEvent?.(sender, limits)
    return isOver
  }

  /** The counts of a window; undefined for a sender that was dropped. */
  countOf(sender: string, window: number): WindowCount | undefined {
    const counts = this.senders.peek(sender)
    if (counts === undefined) return undefined
    const at = window * FIELDS
    return { number: counts[at + NUMBER]!, own: counts[at + OWN]!, shared: counts[at + SHARED]! }
  }

  /** Notes that other nodes know so many events of this one. */
  setShared(sender: string, window: number, events: number): void {
    const counts = this.senders.peek(sender)
    if (counts) counts[window * FIELDS + SHARED] = events
  }

  /** Sums of all nodes, of which the shared part is this node's. A window that has passed is ignored. */
  learn(sender: string, window: number, { number, events, eventsBefore }: OthersCount): void {
    const counts = this.senders.peek(sender)
    const at = window * FIELDS
    if (counts?.[at + NUMBER] !== number) return
    counts[at + OTHERS] = Math.max(0, events - counts[at + SHARED]!)
    counts[at + OTHERS_BEFORE] = Math.max(0, eventsBefore - counts[at + SHARED_BEFORE]!)
  }
}

/** Returns the number of events within the last window length. */
function add(counts: Counts, window: number, nowMs: number): number {
  const lengthMs = WINDOWS_MS[window]!
  const at = window * FIELDS
  const number = Math.floor(nowMs / lengthMs)
  if (number !== counts[at + NUMBER]) passOn(counts, at, number)
  counts[at + OWN]!++
  const share = 1 - (nowMs % lengthMs) / lengthMs
  const before = counts[at + OWN_BEFORE]! + counts[at + OTHERS_BEFORE]!
  return counts[at + OWN]! + counts[at + OTHERS]! + Math.floor(before * share)
}

/** Starts a window. The last one becomes the one before, if it was the one before. */
function passOn(counts: Counts, at: number, number: number): void {
  const isNext = counts[at + NUMBER] === number - 1
  counts[at + OWN_BEFORE] = isNext ? counts[at + OWN]! : 0
  counts[at + SHARED_BEFORE] = isNext ? counts[at + SHARED]! : 0
  counts[at + OTHERS_BEFORE] = isNext ? counts[at + OTHERS]! : 0
  counts[at + OWN] = 0
  counts[at + SHARED] = 0
  counts[at + OTHERS] = 0
  counts[at + NUMBER] = number
}

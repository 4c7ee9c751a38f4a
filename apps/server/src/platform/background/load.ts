import { performance } from 'node:perf_hooks'
import { setImmediate as nextTick, setTimeout as sleep } from 'node:timers/promises'
import { systemUptime, type Uptime } from '../clock.ts'
import type { Timers } from './timers.ts'

/** The load is measured every 20 ms. */
export const LOAD_WINDOW_MS = 20
/** High load: requests keep the event loop busy for at least 75 % of a window. */
const HIGH = 0.75
/** Under high load, background work gets at most 20 % of the time. */
const BACKGROUND_SHARE = 0.2

/**
 * How busy requests keep this process. Requests go first: work that can wait asks here.
 *
 * | work                     | load is low         | load is high                                   |
 * | ------------------------ | ------------------- | ---------------------------------------------- |
 * | pieces, through `run`    | one piece per tick  | a fifth of the time, all such work together    |
 * | batches, by `untilLow`   | at once             | waits for low load, up to a limit of its own   |
 */
export interface Load {
  isHigh(): boolean
  /** Runs a short piece of background work between requests. */
  run<Result>(piece: () => Result): Promise<Result>
}

/** Milliseconds in which the event loop had work, and in which it waited for some; both only grow. */
export interface LoopTime {
  readonly active: number
  readonly idle: number
}

export interface LoadSources {
  loopTime(): LoopTime
  readonly uptime: Uptime
}

/** The event loop's utilization, without the pieces that ran through `run`. */
export class EventLoopLoad implements Load {
  private readonly sources: LoadSources
  private windowStart: LoopTime
  private isHighNow = false
  private backgroundMs = 0
  private creditMs = 0

  constructor(sources: LoadSources) {
    this.sources = sources
    this.windowStart = sources.loopTime()
  }

  isHigh(): boolean {
    const now = this.sources.loopTime()
    const activeMs = now.active - this.windowStart.active
    const totalMs = activeMs + now.idle - this.windowStart.idle
    if (totalMs < LOAD_WINDOW_MS) return this.isHighNow
    this.isHighNow = (activeMs - this.backgroundMs) / totalMs >= HIGH
    this.windowStart = now
    this.backgroundMs = 0
    return this.isHighNow
  }

  async run<Result>(piece: () => Result): Promise<Result> {
    const { uptime } = this.sources
    await this.untilAllowed()
    const startMs = uptime.nowMs()
    const result = piece()
    const tookMs = uptime.nowMs() - startMs
    this.backgroundMs += tookMs
    this.creditMs -= tookMs
    return result
  }

  private async untilAllowed(): Promise<void> {
    const { uptime } = this.sources
    if (!this.isHigh()) {
      this.creditMs = 0
      return nextTick()
    }
    while (this.creditMs <= 0) {
      const startMs = uptime.nowMs()
      // A timer lets the loop go idle; immediates would keep it busy, and the load would look high.
      await sleep(1)
      this.creditMs += (uptime.nowMs() - startMs) * BACKGROUND_SHARE
      if (!this.isHigh()) return
    }
  }
}

/** The load of this process. */
export const systemLoad: Load = new EventLoopLoad({
  loopTime: () => performance.eventLoopUtilization(),
  uptime: systemUptime,
})

/** For tools and tests: load is always low. */
export const LOW_LOAD: Pick<Load, 'isHigh'> = { isHigh: () => false }

export interface DeferOptions {
  readonly timers: Timers
  readonly msMax: number
  /** True ends the wait early, for example when too much is queued. */
  isUrgent?(): boolean
}

/** Waits while the load is high. Returns false if it is still high after `msMax`. */
export async function untilLow(
  load: Pick<Load, 'isHigh'>,
  { timers, msMax, isUrgent = () => false }: DeferOptions,
): Promise<boolean> {
  for (let waitedMs = 0; load.isHigh() && !isUrgent(); waitedMs += LOAD_WINDOW_MS) {
    if (waitedMs >= msMax) return false
    await new Promise<void>((resolve) => void timers.after(LOAD_WINDOW_MS, resolve))
  }
  return true
}

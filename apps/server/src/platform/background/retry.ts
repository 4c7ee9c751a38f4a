import type { Uptime } from '../clock.ts'
import type { Timers } from './timers.ts'

export interface RetryOptions {
  readonly seconds: number
  readonly timers: Timers
  readonly uptime: Uptime
  /** Whether the same may well succeed a little later. */
  isPassing(error: unknown): boolean
  onWait(error: unknown): void
}

const FIRST_WAIT_MS = 200
const WAIT_MS_MAX = 3_000

/** Tries until it succeeds, fails for good, or the time is over. */
export async function retryUntil<Result>(
  attempt: () => Promise<Result>,
  { seconds, timers, uptime, isPassing, onWait }: RetryOptions,
): Promise<Result> {
  const untilMs = uptime.nowMs() + seconds * 1_000
  for (let waitMs = FIRST_WAIT_MS; ; waitMs = Math.min(2 * waitMs, WAIT_MS_MAX)) {
    try {
      return await attempt()
    } catch (error) {
      if (!isPassing(error) || uptime.nowMs() + waitMs > untilMs) throw error
      onWait(error)
      await new Promise<void>((resolve) => void timers.after(waitMs, resolve))
    }
  }
}

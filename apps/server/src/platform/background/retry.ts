import type { Uptime } from '../clock.ts'
import { backoffMs } from './backoff.ts'
import type { Timers } from './timers.ts'

export interface RetryOptions {
  readonly seconds: number
  readonly timers: Timers
  readonly uptime: Uptime
  /** True if the same call may succeed later. */
  isTransient(error: unknown): boolean
  onWait(error: unknown): void
}

const BACKOFF = { firstMs: 200, maxMs: 3_000 }

/** Retries until success, a permanent failure, or the deadline. */
export async function retryUntil<Result>(
  attempt: () => Promise<Result>,
  { seconds, timers, uptime, isTransient, onWait }: RetryOptions,
): Promise<Result> {
  const untilMs = uptime.nowMs() + seconds * 1_000
  for (let failures = 1; ; failures++) {
    try {
      return await attempt()
    } catch (error) {
      const waitMs = backoffMs(BACKOFF, failures)
      if (!isTransient(error) || uptime.nowMs() + waitMs > untilMs) throw error
      onWait(error)
      await new Promise<void>((resolve) => void timers.after(waitMs, resolve))
    }
  }
}

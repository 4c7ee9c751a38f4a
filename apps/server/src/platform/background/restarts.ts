import type { Uptime } from '../clock.ts'
import { type Backoff, backoffMs } from './backoff.ts'

/** Pauses before a process is started again. */
export interface Restarts {
  started(): void
  /** After an end or a failed start: how many in a row, and how long to wait. */
  ended(): { readonly failures: number; readonly waitMs: number }
}

/** After five minutes of running, the back-off starts over. */
const STEADY_MS = 300_000

/** A process that keeps ending is restarted less and less often. */
export function createRestarts(backoff: Backoff, uptime: Uptime): Restarts {
  let failures = 0
  let startedMs: number | undefined
  return {
    started() {
      startedMs = uptime.nowMs()
    },
    ended() {
      if (startedMs !== undefined && uptime.nowMs() - startedMs > STEADY_MS) failures = 0
      startedMs = undefined
      failures += 1
      return { failures, waitMs: backoffMs(backoff, failures) }
    },
  }
}

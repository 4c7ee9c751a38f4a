import { type Backoff, backoffMs } from './backoff.ts'
import type { Timers } from './timers.ts'

export interface LoopOptions {
  /** One iteration; returns how long to pause unless woken, 0 to go on at once. */
  iterate(): Promise<number>
  readonly timers: Timers
  readonly backoff: Backoff
  /** An iteration threw. The next one starts after a growing pause. */
  onError(error: unknown): void
}

export interface Loop {
  /** Ends a pause, but not the one after a failure: a failing sink needs the rest. */
  wake(): void
  /** Ends any pause. */
  retryNow(): void
  /** Waits for the current iteration. */
  stop(): Promise<void>
}

/** Iterates until stopped: at once while there is work, else when woken or after the pause. */
export function startLoop({ iterate, timers, backoff, onError }: LoopOptions): Loop {
  let failures = 0
  let stopped = false
  let isWoken = false
  let endPause: (() => void) | undefined
  const isRunning = () => !stopped

  const pause = (ms: number) =>
    new Promise<void>((resolve) => {
      const cancel = timers.after(ms, resolve)
      endPause = () => {
        cancel()
        resolve()
      }
    })

  const runOnce = async (): Promise<void> => {
    isWoken = false
    try {
      const pauseMs = await iterate()
      failures = 0
      if (pauseMs > 0 && !isWoken && !stopped) await pause(pauseMs)
    } catch (error) {
      onError(error)
      failures += 1
      if (!stopped) await pause(backoffMs(backoff, failures))
    }
  }

  const running = (async () => {
    while (isRunning()) await runOnce()
  })()

  return {
    wake() {
      isWoken = true
      if (failures === 0) endPause?.()
    },
    retryNow() {
      isWoken = true
      endPause?.()
    },
    async stop() {
      stopped = true
      endPause?.()
      await running
    },
  }
}

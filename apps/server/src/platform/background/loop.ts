import type { Timers } from './timers.ts'

export interface Backoff {
  readonly firstMs: number
  readonly maxMs: number
}

export interface LoopOptions {
  /** One piece of work; returns how long to pause unless woken, 0 to go on at once. */
  turn(): Promise<number>
  readonly timers: Timers
  readonly backoff: Backoff
  /** A turn that threw; it is taken again after a growing pause. */
  onError(error: unknown): void
}

export interface Loop {
  /** There is news: ends a pause, but not the pause after a failure, or news would hammer a sick sink. */
  wake(): void
  /** Ends any pause. */
  retryNow(): void
  /** Waits for the turn that runs. */
  stop(): Promise<void>
}

/** Takes turns one after the other, for ever: at once while there is work, else when woken or polled. */
export function startLoop({ turn, timers, backoff, onError }: LoopOptions): Loop {
  let failures = 0
  let stopped = false
  let news = false
  let endPause: (() => void) | undefined
  const isGoing = () => !stopped

  const pause = (ms: number) =>
    new Promise<void>((resolve) => {
      const cancel = timers.after(ms, resolve)
      endPause = () => {
        cancel()
        resolve()
      }
    })

  const takeOne = async (): Promise<void> => {
    news = false
    try {
      const pauseMs = await turn()
      failures = 0
      if (pauseMs > 0 && !news && !stopped) await pause(pauseMs)
    } catch (error) {
      onError(error)
      failures += 1
      if (!stopped) await pause(backoffMs(backoff, failures))
    }
  }

  const running = (async () => {
    while (isGoing()) await takeOne()
  })()

  return {
    wake() {
      news = true
      if (failures === 0) endPause?.()
    },
    retryNow() {
      news = true
      endPause?.()
    },
    async stop() {
      stopped = true
      endPause?.()
      await running
    },
  }
}

export const backoffMs = ({ firstMs, maxMs }: Backoff, failures: number): number =>
  Math.min(maxMs, firstMs * 2 ** Math.min(failures - 1, 30))

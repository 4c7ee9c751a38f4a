/** Bounds the time that goes into answers nobody pays for. */
export interface Allowance {
  isLeft(): boolean
  spend(ms: number): void
}

const WINDOW_MS = 1_000

/** At most this many milliseconds of work in each second. */
export function allowanceOf(msPerSecond: number, nowMs = () => performance.now()): Allowance {
  let startedMs = nowMs()
  let spentMs = 0
  const refresh = () => {
    if (nowMs() - startedMs < WINDOW_MS) return
    startedMs = nowMs()
    spentMs = 0
  }
  return {
    isLeft() {
      refresh()
      return spentMs < msPerSecond
    },
    spend(ms) {
      refresh()
      spentMs += ms
    },
  }
}

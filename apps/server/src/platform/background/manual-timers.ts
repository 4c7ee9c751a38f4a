import type { Timers } from './timers.ts'

export interface ManualTimers extends Timers {
  /** Runs every call due within this time in order, including calls added on the way. */
  pass(ms: number): void
  /** Remaining milliseconds of each waiting call, shortest first. */
  waiting(): readonly number[]
}

/** Time stands still until the test moves it. */
export function manualTimers(): ManualTimers {
  let nowMs = 0
  let timers: { dueMs: number; call: () => void }[] = []

  const takeDue = (untilMs: number) => {
    const [next] = timers.toSorted((a, b) => a.dueMs - b.dueMs)
    if (!next || next.dueMs > untilMs) return undefined
    timers = timers.filter((timer) => timer !== next)
    return next
  }

  return {
    after(ms, call) {
      const timer = { dueMs: nowMs + ms, call }
      timers.push(timer)
      return () => {
        timers = timers.filter((other) => other !== timer)
      }
    },
    pass(ms) {
      const untilMs = nowMs + ms
      for (let due = takeDue(untilMs); due; due = takeDue(untilMs)) {
        nowMs = due.dueMs
        due.call()
      }
      nowMs = untilMs
    },
    waiting: () => timers.map(({ dueMs }) => dueMs - nowMs).toSorted((a, b) => a - b),
  }
}
